// wrong: first-launch/7-checked
// mistake: Every call but the launch is checked. A launch returns nothing: ask cudaGetLastError() right after it.
// expect: finding launch_error
__global__ void saxpy_kernel(float a, const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

int saxpy(float a, const float* x, float* y, int n, int threads, int arrays) {
  if (n == 0) return cudaSuccess;
  const size_t bytes = n * sizeof(float);
  float* pool = nullptr;
  cudaError_t error = cudaMalloc(&pool, arrays * bytes);
  if (error != cudaSuccess) return error;
  error = cudaMemcpy(pool, x, bytes, cudaMemcpyHostToDevice);
  if (error == cudaSuccess) error = cudaMemcpy(pool + n, y, bytes, cudaMemcpyHostToDevice);
  if (error == cudaSuccess) {
    saxpy_kernel<<<(n + threads - 1) / threads, threads>>>(a, pool, pool + n, n);
    error = cudaMemcpy(y, pool + n, bytes, cudaMemcpyDeviceToHost);
  }
  cudaFree(pool);
  return error;
}
