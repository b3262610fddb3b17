// unconventional: overlap/4-events
// Three streams, and the host waits for an event.
constexpr int threads = 128;

__global__ void scale_kernel(const float* x, float* scaled, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) scaled[i] = 0.5f * x[i];
}

// The tones from `first` to before `last`.
__global__ void tones_kernel(const float* x, float* y, const float* amplitude, int first, int last,
                             int n) {
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
void diamond(const float* x, float* y, const float* amplitude, int tones, float* scaled,
             float* left, float* right, int n) {
  if (n == 0) return;
  const int blocks = (n + threads - 1) / threads, half = tones / 2;
  cudaStream_t main, side, other;
  cudaEvent_t fork, join;
  cudaStreamCreate(&main);
  cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  cudaEventCreateWithFlags(&fork, cudaEventDisableTiming);
  cudaEventCreateWithFlags(&join, cudaEventDisableTiming);

  scale_kernel<<<blocks, threads, 0, main>>>(x, scaled, n);
  cudaEventRecord(fork, main);
  cudaStreamWaitEvent(side, fork, 0);
  cudaStreamWaitEvent(other, fork, 0);
  tones_kernel<<<blocks, threads, 0, other>>>(scaled, left, amplitude, 0, half, n);
  tones_kernel<<<blocks, threads, 0, side>>>(scaled, right, amplitude, half, tones, n);
  cudaEventRecord(fork, other);
  cudaEventRecord(join, side);
  cudaStreamWaitEvent(main, fork, 0);
  cudaStreamWaitEvent(main, join, 0);  // main goes on when right is there, too
  product_kernel<<<blocks, threads, 0, main>>>(left, right, y, n);
  cudaEventRecord(join, main);
  cudaEventSynchronize(join);

  cudaEventDestroy(fork);
  cudaEventDestroy(join);
  cudaStreamDestroy(main);
  cudaStreamDestroy(side);
  cudaStreamDestroy(other);
}
