// unconventional: overlap/1-pinned
// Pins x and y where they lie: no frame in between, and no copies within the host.
constexpr int threads = 256;

__global__ void tones_kernel(const float* x, float* y, const float* amplitude, int tones, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int k = 0; k < tones; ++k) sum += amplitude[k] * __cosf(k * x[i]);
  y[i] = sum;
}

// x and y hold the frames one after the other, in host memory. device_x and device_y hold one.
void synthesise(const float* x, float* y, const float* amplitude, int tones,
                float* device_x, float* device_y, int n, int frames) {
  if (n == 0) return;
  const size_t bytes = n * sizeof(float);
  const int blocks = (n + threads - 1) / threads;

  cudaHostRegister(const_cast<float*>(x), frames * bytes, cudaHostRegisterDefault);
  cudaHostRegister(y, frames * bytes, cudaHostRegisterDefault);
  for (int f = 0; f < frames; ++f) {
    cudaMemcpy(device_x, x + f * n, bytes, cudaMemcpyHostToDevice);
    tones_kernel<<<blocks, threads>>>(device_x, device_y, amplitude, tones, n);
    cudaMemcpy(y + f * n, device_y, bytes, cudaMemcpyDeviceToHost);
  }
  cudaHostUnregister(const_cast<float*>(x));
  cudaHostUnregister(y);
}
