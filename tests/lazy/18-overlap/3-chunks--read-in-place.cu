// lazy: overlap/3-chunks
// expect: gate mapped_launches == 0
// Two launches read x from pinned memory. x goes up for show, while y comes down.
__global__ void tones_kernel(const float* x, float* y, const float* amplitude, int tones, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float v = x[i];
  float sum = 0;
  for (int k = 0; k < tones; ++k) sum += amplitude[k] * __cosf(k * v);
  y[i] = sum;
}
void synthesise(const float* x, float* y, const float* amplitude, int tones, float* dx, float* dy, int n) {
  if (!n) return;
  cudaStream_t a, b;
  cudaStreamCreate(&a);
  cudaStreamCreate(&b);
  const size_t N = 4ull * n;
  const int half = n / 2;
  if (half) tones_kernel<<<(half + 255) / 256, 256, 0, a>>>(x, dy, amplitude, tones, half);
  tones_kernel<<<(n - half + 255) / 256, 256, 0, a>>>(x + half, dy + half, amplitude, tones, n - half);
  cudaMemcpyAsync(y, dy, N, cudaMemcpyDeviceToHost, a);
  cudaMemcpyAsync(dx, x, N, cudaMemcpyHostToDevice, b);
  cudaDeviceSynchronize();
  cudaStreamDestroy(a);
  cudaStreamDestroy(b);
}
