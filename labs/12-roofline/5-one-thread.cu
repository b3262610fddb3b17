// y = the sum over k < 2000 of (x + k / 1024)^2, for each x.
constexpr int terms = 2000, threads = 32;

__global__ void series_kernel(const float* x, float* y, int n) {
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i >= n) return;
  // TODO: one thread makes 2000 additions, each of which waits for the one before. Share them out over a block.
  float sum = 0.0f;
  for (int k = 0; k < terms; ++k) {
    const float t = x[i] + k * (1.0f / 1024);
    sum += t * t;
  }
  y[i] = sum;
}

void series(const float* x, float* y, int n) {
  if (n == 0) return;
  series_kernel<<<(n + threads - 1) / threads, threads>>>(x, y, n);
}
