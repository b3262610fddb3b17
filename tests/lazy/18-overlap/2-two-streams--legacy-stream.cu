// lazy: overlap/2-two-streams
// expect: gate overlap_us >= 0.25 * busy_us
// The default stream, by its name, and one from cudaStreamCreate: each waits for the other.
constexpr int threads = 256;
__global__ void tones_kernel(const float* x, float* y, const float* amplitude, int tones, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int k = 0; k < tones; ++k) sum += amplitude[k] * __cosf(k * x[i]);
  y[i] = sum;
}
void synthesise(const float* x, float* y, const float* amplitude, int tones,
                float* device_x, float* device_y, int n, int frames) {
  if (n == 0) return;
  const size_t bytes = n * sizeof(float);
  const int blocks = (n + threads - 1) / threads;
  cudaStream_t streams[2];
  streams[0] = cudaStreamLegacy; cudaStreamCreate(&streams[1]);
  for (int f = 0; f < frames; ++f) {
    cudaStream_t stream = streams[f % 2];
    const int at = f * n;
    cudaMemcpyAsync(device_x + at, x + at, bytes, cudaMemcpyHostToDevice, stream);
    tones_kernel<<<blocks, threads, 0, stream>>>(device_x + at, device_y + at, amplitude, tones, n);
    cudaMemcpyAsync(y + at, device_y + at, bytes, cudaMemcpyDeviceToHost, stream);
  }
  cudaDeviceSynchronize();
  cudaStreamDestroy(streams[1]);
}
