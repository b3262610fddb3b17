// unconventional: first-launch/5-errors
__global__ void saxpy_kernel(float a, const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

int launch_largest(float a, const float* x, float* y, int n) {
  if (n == 0) return 0;
  void* arguments[] = {&a, &x, &y, &n};
  int refused = 0;
  for (unsigned threads = 4096; threads; threads /= 2, ++refused) {
    const cudaError_t e = cudaLaunchKernel((const void*)saxpy_kernel, dim3((n + threads - 1) / threads),
                                           dim3(threads), arguments, 0, 0);
    if (e == cudaSuccess) return refused;
    cudaGetLastError();
  }
  return refused;
}
