// lazy: overlap/3-chunks
// expect: gate both_ways_us >= 0.4 * down_us
// Two chunks: the copies hardly overlap.
constexpr int threads = 256;
constexpr int chunks = 2;
constexpr int streams = 2;

__global__ void tones_kernel(const float* x, float* y, const float* amplitude, int tones, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int k = 0; k < tones; ++k) sum += amplitude[k] * __cosf(k * x[i]);
  y[i] = sum;
}

// x and y are in pinned memory.
void synthesise(const float* x, float* y, const float* amplitude, int tones,
                float* device_x, float* device_y, int n) {
  if (n == 0) return;
  cudaStream_t stream[streams];
  for (cudaStream_t& s : stream) cudaStreamCreate(&s);

  const int chunk = (n + chunks - 1) / chunks;
  for (int c = 0; c < chunks; ++c) {
    const int from = c * chunk, count = min(chunk, n - from);
    if (count <= 0) break;  // fewer elements than chunks
    cudaStream_t s = stream[c % streams];
    cudaMemcpyAsync(device_x + from, x + from, count * sizeof(float), cudaMemcpyHostToDevice, s);
    tones_kernel<<<(count + threads - 1) / threads, threads, 0, s>>>(
        device_x + from, device_y + from, amplitude, tones, count);
    cudaMemcpyAsync(y + from, device_y + from, count * sizeof(float), cudaMemcpyDeviceToHost, s);
  }

  for (cudaStream_t s : stream) {
    cudaStreamSynchronize(s);
    cudaStreamDestroy(s);
  }
}
