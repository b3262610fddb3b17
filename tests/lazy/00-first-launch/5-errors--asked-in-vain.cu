// lazy: first-launch/5-errors
// expect: gate calls(cudaLaunchKernel) + 2 * (calls(cudaDeviceGetAttribute) + calls(cudaGetDeviceProperties) + calls(cudaFuncGetAttributes)) >= 3
// The block size and the answer are written in. The error is read once, and nothing follows from it.
__global__ void saxpy_kernel(float a, const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

int launch_largest(float a, const float* x, float* y, int n) {
  if (n == 0) return 0;
  const int threads = 1024;
  saxpy_kernel<<<(n + threads - 1) / threads, threads>>>(a, x, y, n);
  cudaGetLastError();
  return 2;
}
