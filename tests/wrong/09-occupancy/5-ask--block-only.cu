// wrong: occupancy/5-ask
// mistake: The block size is from the API, but the grid still grows with n. Use the grid that the API returns.
// expect: gate_failed gate waves <= 1
// y = a x + y.

__global__ void saxpy_kernel(const float* x, float* y, float a, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    y[i] = a * x[i] + y[i];
}

void saxpy(const float* x, float* y, float a, int n) {
  if (n == 0) return;
  int grid = 0, block = 0;
  cudaOccupancyMaxPotentialBlockSize(&grid, &block, saxpy_kernel, 0, 0);  // the largest block among the best
  saxpy_kernel<<<(n + block - 1) / block, block>>>(x, y, a, n);
}
