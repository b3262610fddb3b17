// lazy: divergence/3-by-warp
// expect: gate ptx(fma) + ptx(mul.f32) + ptx(add.f32) + ptx(sub.f32) <= 2.6 * n
// One formula for both, with a coefficient of 0 for the even ones.
__global__ void odd_even_kernel(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = in[i];
  const float c = i % 2 ? -0.125f : 0.0f;
#pragma unroll
  for (int k = 0; k < 32; ++k) x = fmaf(x, fmaf(c * x, x, 0.5f), 0.25f);
  out[i] = x;
}

void odd_even(const float* in, float* out, int n) {
  if (n > 0) odd_even_kernel<<<(n + 255) / 256, 256>>>(in, out, n);
}
