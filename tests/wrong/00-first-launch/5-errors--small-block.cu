// wrong: first-launch/5-errors
// mistake: 256 threads always fit, but the step asks for the largest block that the device takes: start at 4096 and halve until a launch goes through.
// expect: wrong
__global__ void saxpy_kernel(float a, const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

int launch_largest(float a, const float* x, float* y, int n) {
  if (n == 0) return 0;
  saxpy_kernel<<<(n + 255) / 256, 256>>>(a, x, y, n);
  return 2;
}
