// unconventional: overlap/3-chunks
// A stream for each chunk, and all copies up are issued before the first kernel.
constexpr int threads = 256;
constexpr int chunks = 6;

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
  cudaStream_t stream[chunks];
  const int chunk = (n + chunks - 1) / chunks;
  for (int c = 0; c < chunks; ++c) cudaStreamCreateWithFlags(&stream[c], cudaStreamNonBlocking);
  for (int c = 0; c * chunk < n && c < chunks; ++c)
    cudaMemcpyAsync(device_x + c * chunk, x + c * chunk, min(chunk, n - c * chunk) * sizeof(float),
                    cudaMemcpyHostToDevice, stream[c]);
  for (int c = 0; c * chunk < n && c < chunks; ++c)
    tones_kernel<<<(chunk + threads - 1) / threads, threads, 0, stream[c]>>>(
        device_x + c * chunk, device_y + c * chunk, amplitude, tones, min(chunk, n - c * chunk));
  for (int c = 0; c * chunk < n && c < chunks; ++c)
    cudaMemcpyAsync(y + c * chunk, device_y + c * chunk, min(chunk, n - c * chunk) * sizeof(float),
                    cudaMemcpyDeviceToHost, stream[c]);
  cudaDeviceSynchronize();
  for (cudaStream_t s : stream) cudaStreamDestroy(s);
}
