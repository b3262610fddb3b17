// A __host__ __device__ function may be another one on each side: __CUDA_ARCH__ is defined in device code only.
#include <cstdio>

__host__ __device__ int side() {
#ifdef __CUDA_ARCH__
  return 1;
#else
  return 2;
#endif
}

__host__ __device__ const char* name() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
  return "device";
#else
  return "host";
#endif
}

__global__ void ask(int* out) {
  *out = side();
  printf("kernel: %s\n", name());
}

int main() {
  int *out, device = 0;
  cudaMalloc(&out, sizeof(int));
  ask<<<1, 1>>>(out);
  cudaMemcpy(&device, out, sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(out);
  printf("main: %s\n%d and %d\n", name(), device, side());
}
