// lazy: overlap/5-priorities
// expect: gate kernels_together_us >= 0.5 * kernel(urgent_kernel).time_us
// The urgent kernel is launched before the bulk work. Both streams were made with the same priority.
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
void serve(const float* x, float* y, const float* few_x, float* few_y, const float* amplitude, int tones,
           int n, int few) {
  if (n == 0) return;
  cudaStream_t a, b;
  cudaStreamCreateWithPriority(&a, cudaStreamNonBlocking, 0);
  cudaStreamCreateWithPriority(&b, cudaStreamNonBlocking, 0);
  urgent_kernel<<<(few + 255) / 256, 256, 0, b>>>(few_x, few_y, amplitude, tones, few);
  tones_kernel<<<(n + 255) / 256, 256, 0, a>>>(x, y, amplitude, tones, n);
  cudaDeviceSynchronize();
  cudaStreamDestroy(a);
  cudaStreamDestroy(b);
}
