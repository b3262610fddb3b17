// unconventional: occupancy/5-ask
// The runtime is asked for the blocks per SM of a chosen block size, and for the number of SMs.
constexpr int threads = 256;

__global__ void saxpy_kernel(const float* x, float* y, float a, int n) {
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += gridDim.x * threads)
    y[i] = a * x[i] + y[i];
}

void saxpy(const float* x, float* y, float a, int n) {
  if (n == 0) return;
  int per_sm = 0;
  int sms = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, saxpy_kernel, threads, 0);
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  saxpy_kernel<<<per_sm * sms, threads>>>(x, y, a, n);
}
