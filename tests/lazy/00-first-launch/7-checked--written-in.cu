// lazy: first-launch/7-checked
// expect: gate calls(cudaGetLastError) + calls(cudaPeekAtLastError) + calls(cudaLaunchKernelEx) >= 1
// The two errors that the brief names are written in. The runtime is never asked.
__global__ void saxpy_kernel(float a, const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

int saxpy(float a, const float* x, float* y, int n, int threads, int arrays) {
  if (n == 0) return 0;
  if (arrays > 1000000) return cudaErrorMemoryAllocation;
  if (threads < 1 || threads > 1024) return cudaErrorInvalidConfiguration;
  const size_t bytes = n * sizeof(float);
  float* pool = nullptr;
  cudaMalloc(&pool, arrays * bytes);
  cudaMemcpy(pool, x, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(pool + n, y, bytes, cudaMemcpyHostToDevice);
  saxpy_kernel<<<(n + threads - 1) / threads, threads>>>(a, pool, pool + n, n);
  cudaMemcpy(y, pool + n, bytes, cudaMemcpyDeviceToHost);
  cudaFree(pool);
  return 0;
}
