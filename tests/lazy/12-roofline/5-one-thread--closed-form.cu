// lazy: roofline/5-one-thread
// expect: gate thread_instructions >= 2 * 2000 * n
// The sum by a formula: no chain, and no terms.
__global__ void k(const float* x, float* y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const double v = x[i], s1 = 1999.0 * 2000.0 / 2 / 1024, s2 = 1999.0 * 2000.0 * 3999.0 / 6 / 1048576;
  y[i] = float(2000 * v * v + 2 * v * s1 + s2);
}
void series(const float* x, float* y, int n) {
  if (n) k<<<(n + 255) / 256, 256>>>(x, y, n);
}
