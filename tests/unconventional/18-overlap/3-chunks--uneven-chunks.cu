// unconventional: overlap/3-chunks
constexpr int threads = 256;
constexpr int chunks = 8;
constexpr int streams = 4;

__global__ void tones_kernel(const float* x, float* y, const float* amplitude, int tones, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int k = 0; k < tones; ++k) sum += amplitude[k] * __cosf(k * x[i]);
  y[i] = sum;
}

// x and y are in pinned memory.
void synthesise(const float* x, float* y, const float* amplitude, int tones, float* device_x, float* device_y,
                int n) {
  if (n == 0) return;
  cudaStream_t stream[streams];
  for (cudaStream_t& s : stream) cudaStreamCreate(&s);

  // Short chunks first and last, long ones between.
  for (int c = 0, from = 0, count; from < n; ++c, from += count) {
    count = min(n - from, c == 0 ? (n + 15) / 16 : (n + 7) / 8);
    cudaStream_t s = stream[c % streams];
    cudaMemcpyAsync(device_x + from, x + from, count * sizeof(float), cudaMemcpyHostToDevice, s);
    tones_kernel<<<(count + threads - 1) / threads, threads, 0, s>>>(device_x + from, device_y + from,
                                                                     amplitude, tones, count);
    cudaMemcpyAsync(y + from, device_y + from, count * sizeof(float), cudaMemcpyDeviceToHost, s);
  }

  for (cudaStream_t s : stream) {
    cudaStreamSynchronize(s);
    cudaStreamDestroy(s);
  }
}
