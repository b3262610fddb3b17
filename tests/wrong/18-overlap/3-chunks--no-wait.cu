// wrong: overlap/3-chunks
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
                float* device_y, int n) {
  if (n == 0) return;

  cudaStream_t s[2];
  for (int i = 0; i < 2; ++i) cudaStreamCreate(&s[i]);
  int each = (n + 4 - 1) / 4;
  for (int c = 0; c * each < n; ++c) {
    int from = c * each, count = n - from < each ? n - from : each;
    cudaMemcpyAsync(device_x + from, x + from, count * 4, cudaMemcpyHostToDevice, s[c % 2]);
    tones_kernel<<<(count + 255) / 256, 256, 0, s[c % 2]>>>(device_x + from, device_y + from,
                                                            amplitude, tones, count);
    cudaMemcpyAsync(y + from, device_y + from, count * 4, cudaMemcpyDeviceToHost, s[c % 2]);
  }
  for (int i = 0; i < 2; ++i) {
    cudaStreamDestroy(s[i]);
  }
}
