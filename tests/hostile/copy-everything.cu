// expect: finding
// Copies of impossible sizes.
void reduce(const float* in, float* partials, int n) {
  cudaMemcpy(partials, in, ~0ull, cudaMemcpyDeviceToDevice); cudaMemset(partials, 0, ~0ull >> 1);
}