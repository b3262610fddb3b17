// Frames go to the device and back, asynchronously, all in the default stream.
// Bound by order: one stream does one thing at a time.
constexpr int threads = 256;

__global__ void tones_kernel(const float* x, float* y, const float* amplitude, int tones, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int k = 0; k < tones; ++k) sum += amplitude[k] * __cosf(k * x[i]);
  y[i] = sum;
}

// x and y hold the frames one after the other, in pinned memory; so do device_x and device_y.
void synthesise(const float* x, float* y, const float* amplitude, int tones,
                float* device_x, float* device_y, int n, int frames) {
  if (n == 0) return;
  const size_t bytes = n * sizeof(float);
  const int blocks = (n + threads - 1) / threads;

  for (int f = 0; f < frames; ++f) {
    // TODO: put every other frame into a second stream. Create two streams, and wait for both at
    // the end.
    cudaStream_t stream = 0;
    const int at = f * n;
    cudaMemcpyAsync(device_x + at, x + at, bytes, cudaMemcpyHostToDevice, stream);
    tones_kernel<<<blocks, threads, 0, stream>>>(device_x + at, device_y + at, amplitude, tones, n);
    cudaMemcpyAsync(y + at, device_y + at, bytes, cudaMemcpyDeviceToHost, stream);
  }
  cudaDeviceSynchronize();
}
