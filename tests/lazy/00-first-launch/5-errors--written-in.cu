// lazy: first-launch/5-errors
// expect: gate calls(cudaGetLastError) + calls(cudaPeekAtLastError) + 2 * (calls(cudaDeviceGetAttribute) + calls(cudaGetDeviceProperties) + calls(cudaFuncGetAttributes)) >= 2
__global__ void saxpy_kernel(float a, const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

int launch_largest(float a, const float* x, float* y, int n) {
  if (n == 0) return 0;
  saxpy_kernel<<<(n + 1023) / 1024, 1024>>>(a, x, y, n);
  return 2;
}
