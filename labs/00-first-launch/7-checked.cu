// y = a x + y with the arrays in host memory, in a pool of device memory. No call is checked.
#include <cstdio>

__global__ void saxpy_kernel(float a, const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

/// Returns whether a call went through. Prints which one did not, and why.
bool ok(cudaError_t error, const char* call) {
  if (error != cudaSuccess) printf("%s: %s\n", call, cudaGetErrorString(error));
  return error == cudaSuccess;
}

/// Returns the first error, or cudaSuccess, which is 0.
int saxpy(float a, const float* x, float* y, int n, int threads, int arrays) {
  if (n == 0) return cudaSuccess;
  // TODO: check every call with ok(), and ask after the launch. At the first error make no further
  // call except cudaFree of what was allocated, and return the error.
  const size_t bytes = n * sizeof(float);
  float* pool = nullptr;
  cudaMalloc(&pool, arrays * bytes);
  cudaMemcpy(pool, x, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(pool + n, y, bytes, cudaMemcpyHostToDevice);
  saxpy_kernel<<<(n + threads - 1) / threads, threads>>>(a, pool, pool + n, n);
  cudaMemcpy(y, pool + n, bytes, cudaMemcpyDeviceToHost);
  cudaFree(pool);
  return cudaSuccess;
}
