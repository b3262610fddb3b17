// y = a x + y with the arrays in host memory. Every call is checked; the first error is returned.
// Bound by the copies. A check costs the host a comparison, and the GPU nothing.
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

/// Uses the pool: x goes to its first n floats, y to the next n.
cudaError_t compute(float a, const float* x, float* y, int n, int threads, float* pool) {
  const size_t bytes = n * sizeof(float);
  cudaError_t error = cudaMemcpy(pool, x, bytes, cudaMemcpyHostToDevice);
  if (!ok(error, "copy of x")) return error;
  error = cudaMemcpy(pool + n, y, bytes, cudaMemcpyHostToDevice);
  if (!ok(error, "copy of y")) return error;

  const int blocks = threads > 0 ? (n + threads - 1) / threads : 0;
  saxpy_kernel<<<blocks, threads>>>(a, pool, pool + n, n);
  error = cudaGetLastError();  // a launch returns nothing: ask
  if (!ok(error, "launch of saxpy_kernel")) return error;

  // waits for the kernel, so it returns the kernel's fault as well
  error = cudaMemcpy(y, pool + n, bytes, cudaMemcpyDeviceToHost);
  ok(error, "kernel, or copy of the result");
  return error;
}

/// Returns the first error, or cudaSuccess, which is 0. The pool is freed in either case.
int saxpy(float a, const float* x, float* y, int n, int threads, int arrays) {
  if (n == 0) return cudaSuccess;
  float* pool = nullptr;
  cudaError_t error = cudaMalloc(&pool, size_t(arrays) * n * sizeof(float));
  if (!ok(error, "cudaMalloc of the pool")) return error;
  error = compute(a, x, y, n, threads, pool);
  const cudaError_t freed = cudaFree(pool);
  ok(freed, "cudaFree of the pool");
  return error != cudaSuccess ? error : freed;
}
