// lazy: occupancy/5-ask
// expect: gate occupancy >= 0.99 (simt:rtx3090)
// The grid is asked for, the block size is not.
// A fixed grid of the blocks that are resident at the same time.
__global__ void __launch_bounds__(1024, 2) k(const float* x, float* y, float a, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    y[i] = fmaf(a, x[i], y[i]);
}
void saxpy(const float* x, float* y, float a, int n) {
  if (n == 0) return;
  int sms, each;
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, k, 1024, 0);
  k<<<sms * each, 1024>>>(x, y, a, n);
}
