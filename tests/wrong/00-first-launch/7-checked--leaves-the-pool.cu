// wrong: first-launch/7-checked
// mistake: The function returns right at the error of the launch, and leaves the pool allocated. Free it on every way out.
// expect: finding leak
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
  if (error != cudaSuccess) return error;
  error = cudaMemcpy(pool + n, y, bytes, cudaMemcpyHostToDevice);
  if (error != cudaSuccess) return error;
  saxpy_kernel<<<(n + threads - 1) / threads, threads>>>(a, pool, pool + n, n);
  error = cudaGetLastError();
  if (error != cudaSuccess) return error;
  error = cudaMemcpy(y, pool + n, bytes, cudaMemcpyDeviceToHost);
  if (error != cudaSuccess) return error;
  return cudaFree(pool);
}
