// lazy: overlap/5-priorities
// expect: gate kernel(urgent_kernel).time_us <= 0.5 * kernel(tones_kernel).time_us
// The request is launched first, on one block, so that most of its time is beside the bulk work.
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
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    float sum = 0;
    for (int k = 0; k < tones; ++k) sum += amplitude[k] * __cosf(k * x[i]);
    y[i] = sum;
  }
}

// n elements of bulk work, and a few that are urgent. All arrays are in device memory.
void serve(const float* x, float* y, const float* few_x, float* few_y, const float* amplitude, int tones,
           int n, int few) {
  if (n == 0) return;
  int least, greatest;  // greatest is the smaller number
  cudaDeviceGetStreamPriorityRange(&least, &greatest);
  cudaStream_t bulk, quick;
  cudaStreamCreateWithPriority(&bulk, cudaStreamNonBlocking, least);
  cudaStreamCreateWithPriority(&quick, cudaStreamNonBlocking, greatest);

  urgent_kernel<<<1, 1024, 0, quick>>>(few_x, few_y, amplitude, tones, few);
  tones_kernel<<<(n + threads - 1) / threads, threads, 0, bulk>>>(x, y, amplitude, tones, n);
  cudaStreamSynchronize(quick);  // the answer can go out; the rest may take its time
  cudaStreamSynchronize(bulk);

  cudaStreamDestroy(bulk);
  cudaStreamDestroy(quick);
}
