// expect: compile_error
// Registers and arrays of absurd numbers.
__global__ void k(const float* in, float* partials, int n) {
  asm volatile("{ .reg .b32 x<2000000000>; .local .b8 big[2000000000]; mov.u32 x0, 1; }");
}
void reduce(const float* in, float* partials, int n) {
  k<<<(n + 255) / 256, 256>>>(in, partials, n);
}