// expect: compile_error
// What is no instruction.
__global__ void k(const float* in, float* partials, int n) {
  asm volatile("this is not ptx %0 {{{ ;;;" : : "r"(n));
}
void reduce(const float* in, float* partials, int n) {
  k<<<(n + 255) / 256, 256>>>(in, partials, n);
}