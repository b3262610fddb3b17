// unconventional: first-launch/5-errors
__global__ void saxpy_kernel(float a, const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

int launch_largest(float a, const float* x, float* y, int n) {
  if (n == 0) return 0;
  int most = 0, device = 0, refused = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&most, cudaDevAttrMaxThreadsPerBlock, device);
  int threads = 4096;
  for (; threads > most; threads >>= 1) ++refused;
  saxpy_kernel<<<(n + threads - 1) / threads, threads>>>(a, x, y, n);
  return refused;
}
