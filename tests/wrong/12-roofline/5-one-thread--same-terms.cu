// wrong: roofline/5-one-thread
// mistake: Every thread of the block adds all 2000 terms: more threads, and no less to do for each.
// expect: gate_failed gate worked.time_us <= 1.4 * reference(self)
// y = the sum over k < 2000 of (x + k / 1024)^2, for each x.
constexpr int terms = 2000, threads = 256;

__global__ void series_kernel(const float* x, float* y, int n) {
  const float start = x[blockIdx.x];
  float sum = 0.0f;
  for (int k = 0; k < terms; ++k) {
    const float t = start + k * (1.0f / 1024);
    sum += t * t;
  }
  if (threadIdx.x == 0) y[blockIdx.x] = sum;
}

void series(const float* x, float* y, int n) {
  if (n == 0) return;
  series_kernel<<<n, threads>>>(x, y, n);
}
