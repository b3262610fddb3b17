// lazy: overlap/5-priorities
// expect: gate kernel(urgent_kernel).time_us <= 0.5 * kernel(tones_kernel).time_us
// 5 is below the lowest priority, which is 0: CUDA takes it as 0, and both streams have the same.
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

void serve(const float* x, float* y, const float* few_x, float* few_y, const float* amplitude,
           int tones, int n, int few) {
  if (n == 0) return;
  cudaStream_t bulk, quick;
  cudaStreamCreateWithPriority(&bulk, cudaStreamNonBlocking, 5);
  cudaStreamCreateWithPriority(&quick, cudaStreamNonBlocking, 0);

  tones_kernel<<<(n + threads - 1) / threads, threads, 0, bulk>>>(x, y, amplitude, tones, n);
  urgent_kernel<<<(few + threads - 1) / threads, threads, 0, quick>>>(few_x, few_y, amplitude, tones, few);
  cudaStreamSynchronize(quick);
  cudaStreamSynchronize(bulk);

  cudaStreamDestroy(bulk);
  cudaStreamDestroy(quick);
}
