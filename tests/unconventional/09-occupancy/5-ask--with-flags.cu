// unconventional: occupancy/5-ask
// Both questions with flags, the block size at most half of the device's, and the launch by cudaLaunchKernel.
__global__ void saxpy_kernel(const float* __restrict__ x, float* __restrict__ y, float a, int n) {
  const int stride = blockDim.x * gridDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
    y[i] = fmaf(a, x[i], y[i]);
}

void saxpy(const float* x, float* y, float a, int n) {
  if (n == 0) return;
  int block = 0, ignored = 0, device = 0, per_sm = 0;
  cudaGetDevice(&device);
  cudaDeviceProp p;
  cudaGetDeviceProperties(&p, device);
  cudaOccupancyMaxPotentialBlockSizeWithFlags(&ignored, &block, saxpy_kernel, 0, p.maxThreadsPerBlock / 2,
                                              cudaOccupancyDefault);
  cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&per_sm, saxpy_kernel, block, 0, cudaOccupancyDefault);
  void* args[] = {&x, &y, &a, &n};
  cudaLaunchKernel((const void*)saxpy_kernel, dim3(per_sm * p.multiProcessorCount), dim3(block), args, 0, nullptr);
}
