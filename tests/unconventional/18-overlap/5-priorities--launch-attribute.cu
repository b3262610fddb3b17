// unconventional: overlap/5-priorities
// The launch has the priority, not its stream.
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
  cudaStreamCreateWithFlags(&bulk, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&quick, cudaStreamNonBlocking);

  tones_kernel<<<(n + threads - 1) / threads, threads, 0, bulk>>>(x, y, amplitude, tones, n);
  cudaLaunchAttribute attribute;
  attribute.id = cudaLaunchAttributePriority;
  cudaDeviceGetStreamPriorityRange(nullptr, &attribute.val.priority);
  cudaLaunchConfig_t config = {};
  config.gridDim = (few + threads - 1) / threads;
  config.blockDim = threads;
  config.stream = quick;
  config.attrs = &attribute;
  config.numAttrs = 1;
  cudaLaunchKernelEx(&config, urgent_kernel, few_x, few_y, amplitude, tones, few);
  cudaStreamSynchronize(quick);
  cudaStreamSynchronize(bulk);

  cudaStreamDestroy(bulk);
  cudaStreamDestroy(quick);
}
