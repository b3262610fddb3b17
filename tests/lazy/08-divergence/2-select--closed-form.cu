// lazy: divergence/2-select
// expect: gate ptx(fma) + ptx(mul.f32) >= 0.95 * n
// What 32 rounds come to, computed at once: no round is left, and nothing to select for it.
__global__ void k(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const bool e = i % 2 == 0;
  const float limit = e ? 0.5f : 2.0f / 3;
  out[i] = limit + (in[i] - limit) * (e ? 2.32830644e-10f : 5.42101086e-20f);
}
void odd_even(const float* in, float* out, int n) {
  if (n) k<<<(n + 255) / 256, 256>>>(in, out, n);
}
