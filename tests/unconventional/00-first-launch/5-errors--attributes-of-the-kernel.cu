// unconventional: first-launch/5-errors
__global__ void saxpy_kernel(float a, const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

int launch_largest(float a, const float* x, float* y, int n) {
  if (n == 0) return 0;
  cudaFuncAttributes kernel;
  cudaFuncGetAttributes(&kernel, saxpy_kernel);
  int refused = 0, threads = 4096;
  while (threads > kernel.maxThreadsPerBlock) threads /= 2, ++refused;
  saxpy_kernel<<<(n + threads - 1) / threads, threads>>>(a, x, y, n);
  return refused;
}
