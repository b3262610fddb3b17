// expect: finding
// Copies from addresses of the host process.
#include <cstring>
void reduce(const float* in, float* partials, int n) {
  cudaMemcpy(partials, (void*)0x400000, 4096, cudaMemcpyHostToDevice); memcpy(partials, (void*)0x400000, 64);
}