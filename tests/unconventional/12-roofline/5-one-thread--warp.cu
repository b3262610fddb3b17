// unconventional: roofline/5-one-thread
// One warp per number: 63 terms per lane in two chains, and shuffles. No shared memory, no barrier.
constexpr int terms = 2000;

__global__ void series_kernel(const float* x, float* y, int n) {
  const float start = x[blockIdx.x];
  float even = 0.0f;
  float odd = 0.0f;
  for (int k = threadIdx.x; k < terms; k += 64) {
    const float t = start + k * (1.0f / 1024);
    even += t * t;
    if (k + 32 < terms) {
      const float u = start + (k + 32) * (1.0f / 1024);
      odd += u * u;
    }
  }
  float sum = even + odd;
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, d);
  if (threadIdx.x == 0) y[blockIdx.x] = sum;
}

void series(const float* x, float* y, int n) {
  if (n == 0) return;
  series_kernel<<<n, 32>>>(x, y, n);
}
