// lazy: roofline/5-one-thread
// expect: gate worked.time_us <= 1.4 * reference(self)
// Two threads per number, with 1000 terms each: the chain is half as long, and still the whole run.
constexpr int terms = 2000;

__global__ void series_kernel(const float* x, float* y, int n) {
  float sum = 0.0f;
  for (int k = threadIdx.x; k < terms; k += 2) {
    const float t = x[blockIdx.x] + k * (1.0f / 1024);
    sum += t * t;
  }
  sum += __shfl_xor_sync(3u, sum, 1);
  if (threadIdx.x == 0) y[blockIdx.x] = sum;
}

void series(const float* x, float* y, int n) {
  if (n == 0) return;
  series_kernel<<<n, 2>>>(x, y, n);
}
