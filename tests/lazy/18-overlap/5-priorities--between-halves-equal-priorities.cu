// lazy: overlap/5-priorities
// expect: gate priorities >= min(2, kernel(tones_kernel).launches)
// The bulk work comes in two halves, the request between them, and all have one priority.
// Bulk work is running when an urgent request comes, on a stream of higher priority.
// Bound, for the request, by the blocks that run already: they are not interrupted.
constexpr int threads = 256;

__global__ void tones_kernel(const float* x, float* y, const float* amplitude, int tones, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int k = 0; k < tones; ++k) sum += amplitude[k] * __cosf(k * x[i]);
  y[i] = sum;
}

// The same for a request that is urgent.
__global__ void urgent_kernel(const float* x, float* y, const float* amplitude, int tones, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int k = 0; k < tones; ++k) sum += amplitude[k] * __cosf(k * x[i]);
  y[i] = sum;
}

// n elements of bulk work, and a few that are urgent. All arrays are in device memory.
void serve(const float* x, float* y, const float* few_x, float* few_y, const float* amplitude,
           int tones, int n, int few) {
  if (n == 0) return;
  cudaStream_t bulk, quick;
  cudaStreamCreateWithPriority(&bulk, cudaStreamNonBlocking, 0);
  cudaStreamCreateWithPriority(&quick, cudaStreamNonBlocking, 0);
  cudaLaunchConfig_t config = {};
  config.gridDim = (few + threads - 1) / threads;
  config.blockDim = threads;
  config.stream = quick;
  const int some = n / 2;
  tones_kernel<<<(some + threads - 1) / threads, threads, 0, bulk>>>(x, y, amplitude, tones, some);
  cudaLaunchKernelEx(&config, urgent_kernel, few_x, few_y, amplitude, tones, few);
  tones_kernel<<<(n - some + threads - 1) / threads, threads, 0, bulk>>>(
      x + some, y + some, amplitude, tones, n - some);
  cudaStreamSynchronize(quick);  // the answer can go out; the rest may take its time
  cudaStreamSynchronize(bulk);

  cudaStreamDestroy(bulk);
  cudaStreamDestroy(quick);
}
