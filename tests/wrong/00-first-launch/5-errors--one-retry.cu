// wrong: first-launch/5-errors
// mistake: The file tries 2048 threads and then always 1024. A device that takes fewer refuses both, and nothing runs. Halve in a loop until a launch goes through.
// expect: wrong
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
