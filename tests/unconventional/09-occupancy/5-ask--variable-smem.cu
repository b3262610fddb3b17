// unconventional: occupancy/5-ask
// The block size comes of the call for kernels whose shared memory depends on it; this one needs none.
__global__ void saxpy_kernel(const float* x, float* y, float a, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    y[i] = a * x[i] + y[i];
}

void saxpy(const float* x, float* y, float a, int n) {
  if (n == 0) return;
  int grid = 0;
  int block = 0;
  cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, saxpy_kernel, [](int) { return size_t(0); });
  saxpy_kernel<<<grid, block>>>(x, y, a, n);
}
