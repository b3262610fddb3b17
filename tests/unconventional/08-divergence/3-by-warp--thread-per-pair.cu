// unconventional: divergence/3-by-warp
__global__ void odd_even_kernel(const float* in, float* out, int n) {
  const int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  float x = in[i];
#pragma unroll
  for (int k = 0; k < 32; ++k) x = 0.5f * x + 0.25f;
  out[i] = x;
  if (i + 1 >= n) return;
  float y = in[i + 1];
#pragma unroll
  for (int k = 0; k < 32; ++k) y = y * (0.5f - 0.125f * y * y) + 0.25f;
  out[i + 1] = y;
}

void odd_even(const float* in, float* out, int n) {
  if (n > 0) odd_even_kernel<<<(n + 511) / 512, 256>>>(in, out, n);
}
