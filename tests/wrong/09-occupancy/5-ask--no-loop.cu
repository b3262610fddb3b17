// wrong: occupancy/5-ask
// mistake: The grid that fills the GPU once has 40960 threads, and each took one element: the rest are left. The kernel needs a loop.
// expect: wrong
// y = a x + y.

__global__ void saxpy_kernel(const float* x, float* y, float a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

void saxpy(const float* x, float* y, float a, int n) {
  if (n == 0) return;
  int grid = 0, block = 0;
  cudaOccupancyMaxPotentialBlockSize(&grid, &block, saxpy_kernel, 0, 0);  // the largest block among the best
  saxpy_kernel<<<grid, block>>>(x, y, a, n);
}
