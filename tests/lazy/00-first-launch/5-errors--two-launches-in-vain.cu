// lazy: first-launch/5-errors
// expect: gate calls(cudaLaunchKernel) + 2 * (calls(cudaDeviceGetAttribute) + calls(cudaGetDeviceProperties) + calls(cudaFuncGetAttributes)) >= 3
// One launch that must fail, one that must not, and an error that nothing follows from.
__global__ void saxpy_kernel(float a, const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

int launch_largest(float a, const float* x, float* y, int n) {
  if (n == 0) return 0;
  saxpy_kernel<<<(n + 2047) / 2048, 2048>>>(a, x, y, n);
  saxpy_kernel<<<(n + 1023) / 1024, 1024>>>(a, x, y, n);
  cudaGetLastError();
  return 2;
}
