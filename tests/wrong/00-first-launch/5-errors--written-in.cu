// wrong: first-launch/5-errors
// mistake: The block size and the answer are written in. A device that takes fewer than 1024 threads per block refuses the launch, and the error is not read. Try launches until one goes through.
// expect: finding launch_error
__global__ void saxpy_kernel(float a, const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

int launch_largest(float a, const float* x, float* y, int n) {
  if (n == 0) return 0;
  saxpy_kernel<<<(n + 1023) / 1024, 1024>>>(a, x, y, n);
  return 2;
}
