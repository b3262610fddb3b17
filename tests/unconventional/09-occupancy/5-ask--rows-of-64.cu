// unconventional: occupancy/5-ask
// The occupancy API chooses among blocks of two dimensions, 64 threads wide.
__global__ void saxpy_kernel(const float* x, float* y, float a, int n) {
  const int threads = blockDim.x * blockDim.y, t = threadIdx.y * blockDim.x + threadIdx.x;
  for (int i = blockIdx.x * threads + t; i < n; i += gridDim.x * threads) y[i] = a * x[i] + y[i];
}

void saxpy(const float* x, float* y, float a, int n) {
  if (n == 0) return;
  int resident = 0, sms = 0, best = 0;
  dim3 block;
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  for (int rows = 1; rows <= 8; ++rows) {
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, saxpy_kernel, 64 * rows, 0);
    if (resident * rows > best) best = resident * rows, block = dim3(64, rows);
  }
  saxpy_kernel<<<best / block.y * sms, block>>>(x, y, a, n);
}
