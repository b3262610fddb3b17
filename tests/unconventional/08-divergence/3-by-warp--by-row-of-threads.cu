// unconventional: divergence/3-by-warp
// Blocks of 128 x 2: threadIdx.y is the parity.
__global__ void k(const float* in, float* out, int n) {
  const int i = 2 * (blockIdx.x * 128 + threadIdx.x) + threadIdx.y;
  if (i >= n) return;
  float x = in[i];
  switch (threadIdx.y) {
    case 0:
      for (int q = 0; q < 32; ++q) x = fmaf(0.5f, x, 0.25f);
      break;
    default:
      for (int q = 0; q < 32; ++q) x = fmaf(x, 0.5f - 0.125f * x * x, 0.25f);
  }
  out[i] = x;
}
void odd_even(const float* in, float* out, int n) {
  if (n) k<<<(n + 255) / 256, dim3(128, 2)>>>(in, out, n);
}
