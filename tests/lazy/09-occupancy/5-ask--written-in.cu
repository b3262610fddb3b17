// lazy: occupancy/5-ask
// expect: gate waves >= 0.99 (simt:h100)
// The answer for a T4 written into the launch: an H100 is left mostly idle.

__global__ void saxpy_kernel(const float* x, float* y, float a, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    y[i] = a * x[i] + y[i];
}

void saxpy(const float* x, float* y, float a, int n) {
  if (n == 0) return;
  saxpy_kernel<<<40, 1024>>>(x, y, a, n);
}
