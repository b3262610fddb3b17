// unconventional: first-launch/4-copies
__global__ void saxpy_kernel(float a, const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

void saxpy(float a, const float* x, float* y, int n) {
  if (n == 0) return;
  const size_t bytes = n * sizeof(float);
  float* both;
  cudaMalloc(&both, 2 * bytes);
  cudaMemcpy(both, x, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(both + n, y, bytes, cudaMemcpyHostToDevice);
  saxpy_kernel<<<(n + 127) / 128, 128>>>(a, both, both + n, n);
  cudaMemcpy(y, both + n, bytes, cudaMemcpyDeviceToHost);
  cudaFree(both);
}
