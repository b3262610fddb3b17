// wrong: overlap/2-two-streams
// mistake: The host returns while copies are still in flight, and its caller reads the results at once.
// expect: finding
constexpr int threads = 256;

__global__ void tones_kernel(const float* x, float* y, const float* amplitude, int tones, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int k = 0; k < tones; ++k) sum += amplitude[k] * __cosf(k * x[i]);
  y[i] = sum;
}

void synthesise(const float* x, float* y, const float* amplitude, int tones, float* device_x,
                float* device_y, int n, int frames) {
  if (n == 0) return;
  const size_t bytes = n * sizeof(float);
  const int blocks = (n + threads - 1) / threads;

  cudaStream_t s[2];
  cudaStreamCreate(&s[0]);
  cudaStreamCreate(&s[1]);
  for (int f = 0; f < frames; ++f) {
    const int at = f * n;
    cudaMemcpyAsync(device_x + at, x + at, bytes, cudaMemcpyHostToDevice, s[f % 2]);
    tones_kernel<<<blocks, threads, 0, s[f % 2]>>>(device_x + at, device_y + at, amplitude, tones,
                                                   n);
    cudaMemcpyAsync(y + at, device_y + at, bytes, cudaMemcpyDeviceToHost, s[f % 2]);
  }
  cudaStreamDestroy(s[0]);
  cudaStreamDestroy(s[1]);
}
