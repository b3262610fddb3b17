// One array goes to the device, through a kernel and back.
// Bound by order: the kernel waits for all of x, and the copy back for all of the kernel.
constexpr int threads = 256;

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
  // TODO: cut x and y into chunks. Each chunk is copied up, computed and copied down in one stream;
  // consecutive chunks go to different streams.
  const size_t bytes = n * sizeof(float);
  cudaMemcpyAsync(device_x, x, bytes, cudaMemcpyHostToDevice);
  tones_kernel<<<(n + threads - 1) / threads, threads>>>(device_x, device_y, amplitude, tones, n);
  cudaMemcpyAsync(y, device_y, bytes, cudaMemcpyDeviceToHost);
  cudaDeviceSynchronize();
}
