// wrong: first-launch/5-errors
// mistake: The limit is read from the device and not used: 1024 is written in. A device that takes fewer threads per block runs nothing. Derive the block size and the count from the limit.
// expect: wrong
__global__ void saxpy_kernel(float a, const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

int launch_largest(float a, const float* x, float* y, int n) {
  if (n == 0) return 0;
  int limit = 0;
  cudaDeviceGetAttribute(&limit, cudaDevAttrMaxThreadsPerBlock, 0);
  const int threads = 1024;
  saxpy_kernel<<<(n + threads - 1) / threads, threads>>>(a, x, y, n);
  return cudaGetLastError() == cudaSuccess ? 2 : 3;
}
