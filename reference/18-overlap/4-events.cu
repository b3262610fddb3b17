// y = left * right: two streams that part and meet by events.
// Bound by the longer of left and right.
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
  cudaStream_t left_stream;
  cudaStream_t right_stream;
  cudaEvent_t scaled_ready;
  cudaEvent_t right_ready;
  cudaStreamCreate(&left_stream);
  cudaStreamCreate(&right_stream);
  cudaEventCreateWithFlags(&scaled_ready, cudaEventDisableTiming);
  cudaEventCreateWithFlags(&right_ready, cudaEventDisableTiming);

  scale_kernel<<<blocks, threads, 0, left_stream>>>(x, scaled, n);
  cudaEventRecord(scaled_ready, left_stream);
  cudaStreamWaitEvent(right_stream, scaled_ready, 0);  // until scaled is complete
  tones_kernel<<<blocks, threads, 0, left_stream>>>(scaled, left, amplitude, 0, half, n);
  tones_kernel<<<blocks, threads, 0, right_stream>>>(scaled, right, amplitude, half, tones, n);
  cudaEventRecord(right_ready, right_stream);
  cudaStreamWaitEvent(left_stream, right_ready, 0);  // until right is complete, too
  product_kernel<<<blocks, threads, 0, left_stream>>>(left, right, y, n);
  cudaStreamSynchronize(left_stream);

  cudaEventDestroy(scaled_ready);
  cudaEventDestroy(right_ready);
  cudaStreamDestroy(left_stream);
  cudaStreamDestroy(right_stream);
}
