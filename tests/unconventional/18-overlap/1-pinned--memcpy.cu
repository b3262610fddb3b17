// unconventional: overlap/1-pinned
#include <cstring>
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
  float* frame;
  cudaMallocHost(&frame, bytes);
  for (int f = 0; f < frames; ++f) {
    std::memcpy(frame, x + f * n, bytes);
    cudaMemcpy(device_x, frame, bytes, cudaMemcpyHostToDevice);
    tones_kernel<<<blocks, threads>>>(device_x, device_y, amplitude, tones, n);
    cudaMemcpy(frame, device_y, bytes, cudaMemcpyDeviceToHost);
    memcpy(y + f * n, frame, bytes);
  }
  cudaFreeHost(frame);
}
