// wrong: first-launch/5-errors
// mistake: The error is read, and nothing follows from it. With 1024 written in, a device that takes fewer threads per block runs nothing. Launch again with half of the threads while there is an error.
// expect: wrong
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
