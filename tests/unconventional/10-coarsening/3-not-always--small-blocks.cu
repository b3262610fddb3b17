// unconventional: coarsening/3-not-always
// Always four per thread, in blocks of 64 threads.
__global__ void k(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  float x[4], y[4];
#pragma unroll
  for (int j = 0; j < 4; ++j)
    if (i + 64 * j < n) x[j] = a[i + 64 * j], y[j] = b[i + 64 * j];
#pragma unroll
  for (int j = 0; j < 4; ++j)
    if (i + 64 * j < n) c[i + 64 * j] = x[j] + y[j];
}
void add(const float* a, const float* b, float* c, int n) {
  if (n) k<<<(n + 255) / 256, 64>>>(a, b, c, n);
}
