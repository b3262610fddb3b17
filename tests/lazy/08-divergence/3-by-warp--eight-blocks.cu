// lazy: divergence/3-by-warp
// expect: gate time_us <= 2 * reference(self)
// Eight blocks do everything.
__global__ void __launch_bounds__(1024) odd_even_kernel(const float* in, float* out, int n) {
  const int odd = threadIdx.x / 32 % 2, lane = threadIdx.x % 32, pair = threadIdx.x / 64;
  for (int base = blockIdx.x * 1024; base < n; base += gridDim.x * 1024) {
    const int i = base + pair * 64 + 2 * lane + odd;
    if (i >= n) continue;
    float x = in[i];
    if (odd) {
#pragma unroll
      for (int k = 0; k < 32; ++k) x = x * (0.5f - 0.125f * x * x) + 0.25f;
    } else {
#pragma unroll
      for (int k = 0; k < 32; ++k) x = 0.5f * x + 0.25f;
    }
    out[i] = x;
  }
}

void odd_even(const float* in, float* out, int n) {
  if (n > 0) odd_even_kernel<<<8, 1024>>>(in, out, n);
}
