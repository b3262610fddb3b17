// unconventional: first-launch/7-checked
// cudaLaunchKernelEx returns the error of the launch. A macro tests each call.
// A destructor frees the pool.
#include <cuda_runtime.h>
#include <cstdio>
__global__ void axpy(float a, const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = fmaf(a, x[i], y[i]);
}
#define TRY(call)                                                   \
  do {                                                              \
    if (const cudaError_t e_ = (call); e_ != cudaSuccess) {         \
      std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorName(e_)); \
      return e_;                                                    \
    }                                                               \
  } while (false)
struct Pool {
  float* p = nullptr;
  ~Pool() { cudaFree(p); }
};
int saxpy(float a, const float* x, float* y, int n, int threads, int arrays) {
  if (n == 0) return cudaSuccess;
  const size_t bytes = n * sizeof(float);
  Pool pool;
  TRY(cudaMalloc(&pool.p, arrays * bytes));
  TRY(cudaMemcpy(pool.p, x, bytes, cudaMemcpyHostToDevice));
  TRY(cudaMemcpy(pool.p + n, y, bytes, cudaMemcpyHostToDevice));
  cudaLaunchConfig_t c{};
  c.gridDim = (n + threads - 1) / threads;
  c.blockDim = threads;
  TRY(cudaLaunchKernelEx(&c, axpy, a, static_cast<const float*>(pool.p), pool.p + n, n));
  TRY(cudaMemcpy(y, pool.p + n, bytes, cudaMemcpyDeviceToHost));
  return cudaSuccess;
}
