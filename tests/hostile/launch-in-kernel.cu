// expect: compile_error
// A kernel that launches itself.
__global__ void k(const float* in, float* partials, int n) {
  k<<<2, 32>>>(in, partials, n);
}
void reduce(const float* in, float* partials, int n) {
  k<<<(n + 255) / 256, 256>>>(in, partials, n);
}