// lazy: occupancy/1-block-size
// expect: gate waves >= 0.95
// Full SMs in theory, but a grid of 64 blocks with a loop: half of the SMs have nothing to do.
constexpr int threads = 1024;

__global__ void saxpy_kernel(const float* x, float* y, float a, int n) {
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += gridDim.x * threads)
    y[i] = a * x[i] + y[i];
}

void saxpy(const float* x, float* y, float a, int n) {
  if (n == 0) return;
  saxpy_kernel<<<64, threads>>>(x, y, a, n);
}
