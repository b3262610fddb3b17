// lazy: divergence/2-select
// expect: gate time_us <= 2 * reference(self)
// Four blocks do everything.
__global__ void __launch_bounds__(1024) odd_even_kernel(const float* in, float* out, int n) {
  const bool even = threadIdx.x % 2 == 0;
  const float a = even ? 0.5f : 0.25f, b = even ? 0.25f : 0.5f;
  for (int i = blockIdx.x * 1024 + threadIdx.x; i < n; i += gridDim.x * 1024) {
    float x = in[i];
#pragma unroll
    for (int k = 0; k < 32; ++k) x = a * x + b;
    out[i] = x;
  }
}

void odd_even(const float* in, float* out, int n) {
  if (n > 0) odd_even_kernel<<<4, 1024>>>(in, out, n);
}
