// unconventional: first-launch/7-checked
// A macro that leaves a loop at the first error, and one place that cleans up.
#include <cstdio>

#define CHECK(call)                                                       \
  if ((error = (call)) != cudaSuccess) {                                  \
    printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
    break;                                                                \
  }

__global__ void saxpy_kernel(float a, const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

int saxpy(float a, const float* x, float* y, int n, int threads, int arrays) {
  if (n == 0) return 0;
  cudaError_t error = cudaSuccess;
  float* pool = nullptr;
  const size_t bytes = n * sizeof(float);
  do {
    CHECK(cudaMalloc(&pool, arrays * bytes));
    CHECK(cudaMemcpy(pool, x, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(pool + n, y, bytes, cudaMemcpyHostToDevice));
    saxpy_kernel<<<(n + 31) / max(threads, 1) + 1, threads>>>(a, pool, pool + n, n);
    CHECK(cudaPeekAtLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(y, pool + n, bytes, cudaMemcpyDeviceToHost));
  } while (false);
  if (pool) cudaFree(pool);
  return error;
}
