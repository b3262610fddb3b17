// lazy: occupancy/1-block-size
// expect: gate time_us <= 1.5 * reference(self)
// The launch has all warps that it should have. Seven of eight return at once.
constexpr int threads = 256;
__global__ void saxpy_kernel(const float* x, float* y, float a, int n) {
  if (threadIdx.x >= 32) return;
  const int base = blockIdx.x * threads + threadIdx.x;
#pragma unroll
  for (int k = 0; k < 8; ++k) {
    const int i = base + 32 * k;
    if (i < n) y[i] = a * x[i] + y[i];
  }
}

void saxpy(const float* x, float* y, float a, int n) {
  if (n == 0) return;
  saxpy_kernel<<<(n + threads - 1) / threads, threads>>>(x, y, a, n);
}
