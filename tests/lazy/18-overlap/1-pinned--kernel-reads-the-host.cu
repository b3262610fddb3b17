// lazy: overlap/1-pinned
// expect: gate min(up_us, down_us) >= 0.5 * reference(self)
// The kernel reads and writes pinned host memory itself. Nothing is copied to the device.
__global__ void tones_kernel(const float* x, float* y, const float* amplitude, int tones, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int k = 0; k < tones; ++k) sum += amplitude[k] * __cosf(k * x[i]);
  y[i] = sum;
}
void synthesise(const float* x, float* y, const float* amplitude, int tones, float* device_x, float* device_y,
                int n, int frames) {
  if (n == 0) return;
  const size_t bytes = n * sizeof(float);
  float* frame;
  cudaMallocHost(&frame, bytes);
  for (int f = 0; f < frames; ++f) {
    cudaMemcpy(frame, x + f * n, bytes, cudaMemcpyHostToHost);
    tones_kernel<<<(n + 255) / 256, 256>>>(frame, frame, amplitude, tones, n);
    cudaDeviceSynchronize();
    cudaMemcpy(y + f * n, frame, bytes, cudaMemcpyHostToHost);
  }
  cudaFreeHost(frame);
}
