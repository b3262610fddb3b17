// expect: crash not_graded
// Takes device memory until there is none.
void reduce(const float* in, float* partials, int n) {
  void* p; while (cudaMalloc(&p, 256 << 20) == cudaSuccess) cudaMemset(p, 1, 256 << 20);
}