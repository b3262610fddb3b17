// wrong: overlap/2-two-streams
// mistake: The number of frames is an argument: 6 is written in.
// expect: wrong
// Frames go to the device and back, on two streams.
// Bound by the copies: while one frame goes up, the other one computes or comes down.
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
                float* device_x, float* device_y, int n, int) {
  const int frames = 6;
  if (n == 0) return;
  const size_t bytes = n * sizeof(float);
  const int blocks = (n + threads - 1) / threads;

  cudaStream_t streams[2];
  for (cudaStream_t& s : streams) cudaStreamCreate(&s);

  for (int f = 0; f < frames; ++f) {
    cudaStream_t stream = streams[f % 2];
    const int at = f * n;
    cudaMemcpyAsync(device_x + at, x + at, bytes, cudaMemcpyHostToDevice, stream);
    tones_kernel<<<blocks, threads, 0, stream>>>(device_x + at, device_y + at, amplitude, tones, n);
    cudaMemcpyAsync(y + at, device_y + at, bytes, cudaMemcpyDeviceToHost, stream);
  }
  for (cudaStream_t s : streams) {
    cudaStreamSynchronize(s);
    cudaStreamDestroy(s);
  }
}
