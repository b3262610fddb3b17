// wrong: first-launch/7-checked
// mistake: The error is asked for once, at the end. After a failed cudaMalloc all other calls work with a null pointer, and the last error hides the first.
// expect: finding out_of_bounds
__global__ void saxpy_kernel(float a, const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

int saxpy(float a, const float* x, float* y, int n, int threads, int arrays) {
  if (n == 0) return cudaSuccess;
  const size_t bytes = n * sizeof(float);
  float* pool = nullptr;
  cudaMalloc(&pool, arrays * bytes);
  cudaMemcpy(pool, x, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(pool + n, y, bytes, cudaMemcpyHostToDevice);
  saxpy_kernel<<<(n + threads - 1) / threads, threads>>>(a, pool, pool + n, n);
  cudaMemcpy(y, pool + n, bytes, cudaMemcpyDeviceToHost);
  const cudaError_t error = cudaGetLastError();
  cudaFree(pool);
  return error;
}
