// unconventional: first-launch/5-errors
// cudaLaunchKernelEx returns the error of the launch, and the loop goes by it.
#include <cuda_runtime.h>
__global__ void axpy(float a, const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = fmaf(a, x[i], y[i]);
}
int launch_largest(float a, const float* x, float* y, int n) {
  int refused = 0;
  cudaLaunchConfig_t c{};
  for (int threads = 4096; n && threads; threads /= 2, ++refused) {
    c.gridDim = (n + threads - 1) / threads;
    c.blockDim = threads;
    if (cudaLaunchKernelEx(&c, axpy, a, x, y, n) == cudaSuccess) break;
  }
  return refused;
}
