// Launch errors, and how they are seen.
#include <cstdio>

__global__ void nothing() {}

void report(const char* what) {
  cudaError_t e = cudaGetLastError();
  printf("%s: %s (%s)\n", what, cudaGetErrorName(e), cudaGetErrorString(e));
}

int main() {
  nothing<<<1, 32>>>();
  report("fine");
  nothing<<<1, 2048>>>();
  report("too many threads");
  report("again");
  nothing<<<0, 32>>>();
  report("empty grid");
  nothing<<<1, 32, 1 << 20>>>();
  report("too much shared memory");
  cudaDeviceSynchronize();
  void* p = nullptr;
  cudaError_t e = cudaMalloc(&p, size_t(1) << 50);
  printf("%s\n", cudaGetErrorString(e));
  printf("%s\n", cudaGetErrorString(cudaPeekAtLastError()));
  cudaGetLastError();
  printf("%s\n", cudaGetErrorString(cudaSetDevice(99)));
  return 0;
}
