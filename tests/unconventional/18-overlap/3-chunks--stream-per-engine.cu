// unconventional: overlap/3-chunks
// Three streams, one per engine, ordered by events per chunk.
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
void synthesise(const float* x, float* y, const float* amplitude, int tones,
                float* device_x, float* device_y, int n) {
  if (n == 0) return;
  cudaStream_t up, work, down;
  cudaStreamCreate(&up);
  cudaStreamCreate(&work);
  cudaStreamCreate(&down);
  cudaEvent_t there[chunks], done[chunks];
  const int chunk = (n + chunks - 1) / chunks;
  for (int c = 0; c < chunks; ++c) {
    cudaEventCreateWithFlags(&there[c], cudaEventDisableTiming);
    cudaEventCreateWithFlags(&done[c], cudaEventDisableTiming);
    const int from = c * chunk, count = min(chunk, n - from);
    if (count <= 0) continue;
    cudaMemcpyAsync(device_x + from, x + from, count * sizeof(float), cudaMemcpyHostToDevice, up);
    cudaEventRecord(there[c], up);
    cudaStreamWaitEvent(work, there[c], 0);
    tones_kernel<<<(count + threads - 1) / threads, threads, 0, work>>>(
        device_x + from, device_y + from, amplitude, tones, count);
    cudaEventRecord(done[c], work);
    cudaStreamWaitEvent(down, done[c], 0);
    cudaMemcpyAsync(y + from, device_y + from, count * sizeof(float), cudaMemcpyDeviceToHost, down);
  }
  cudaDeviceSynchronize();
  for (int c = 0; c < chunks; ++c) {
    cudaEventDestroy(there[c]);
    cudaEventDestroy(done[c]);
  }
  cudaStreamDestroy(up);
  cudaStreamDestroy(work);
  cudaStreamDestroy(down);
}
