// unconventional: occupancy/5-ask
// Tries block sizes and takes the smallest of those that keep most threads resident.
__global__ void k(const float* x, float* y, float a, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    y[i] = fmaf(a, x[i], y[i]);
}

void saxpy(const float* x, float* y, float a, int n) {
  if (n == 0) return;
  int device, best = 0, threads = 32, each = 1;
  cudaGetDevice(&device);
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, device);
  for (int size = 64; size <= properties.maxThreadsPerBlock; size += 64) {
    int blocks;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, k, size, 0);
    if (blocks * size > best) best = blocks * size, threads = size, each = blocks;
  }
  k<<<properties.multiProcessorCount * each, threads>>>(x, y, a, n);
}
