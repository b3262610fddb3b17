// lazy: overlap/4-events
// expect: gate end_to_end_us <= 1.15 * reference(self)
// The host asks for the event until it is there, and then queues the product.
constexpr int threads = 128;

__global__ void scale_kernel(const float* x, float* scaled, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) scaled[i] = 0.5f * x[i];
}

// The tones from `first` to before `last`.
__global__ void tones_kernel(const float* x, float* y, const float* amplitude, int first, int last, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int k = first; k < last; ++k) sum += amplitude[k] * __cosf(k * x[i]);
  y[i] = sum;
}

__global__ void product_kernel(const float* left, const float* right, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = left[i] * right[i];
}

// All arrays are in device memory.
void diamond(const float* x, float* y, const float* amplitude, int tones, float* scaled, float* left,
             float* right, int n) {
  if (n == 0) return;
  const int blocks = (n + threads - 1) / threads, half = tones / 2;
  cudaStream_t main, side;
  cudaEvent_t fork, join;
  cudaStreamCreate(&main);
  cudaStreamCreate(&side);
  cudaEventCreateWithFlags(&fork, cudaEventDisableTiming);
  cudaEventCreateWithFlags(&join, cudaEventDisableTiming);

  scale_kernel<<<blocks, threads, 0, main>>>(x, scaled, n);
  cudaEventRecord(fork, main);
  cudaStreamWaitEvent(side, fork, 0);  // side goes on when scaled is there
  tones_kernel<<<blocks, threads, 0, main>>>(scaled, left, amplitude, 0, half, n);
  tones_kernel<<<blocks, threads, 0, side>>>(scaled, right, amplitude, half, tones, n);
  cudaEventRecord(join, side);
  while (cudaEventQuery(join) == cudaErrorNotReady) {
  }
  product_kernel<<<blocks, threads, 0, main>>>(left, right, y, n);
  cudaStreamSynchronize(main);

  cudaEventDestroy(fork);
  cudaEventDestroy(join);
  cudaStreamDestroy(main);
  cudaStreamDestroy(side);
}
