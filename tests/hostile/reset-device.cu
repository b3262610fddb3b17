// expect: wrong
// Resets the device under the grader.
void reduce(const float* in, float* partials, int n) {
  cudaDeviceReset();
}