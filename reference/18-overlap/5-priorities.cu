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

// The tones of an urgent request.
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
  int least, greatest;  // greatest is the smaller number
  cudaDeviceGetStreamPriorityRange(&least, &greatest);
  cudaStream_t bulk, quick;
  cudaStreamCreateWithPriority(&bulk, cudaStreamNonBlocking, least);
  cudaStreamCreateWithPriority(&quick, cudaStreamNonBlocking, greatest);

  tones_kernel<<<(n + threads - 1) / threads, threads, 0, bulk>>>(x, y, amplitude, tones, n);
  urgent_kernel<<<(few + threads - 1) / threads, threads, 0, quick>>>(few_x, few_y, amplitude,
                                                                      tones, few);
  cudaStreamSynchronize(quick);  // the answer can go out; the rest may take its time
  cudaStreamSynchronize(bulk);

  cudaStreamDestroy(bulk);
  cudaStreamDestroy(quick);
}
