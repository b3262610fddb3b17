// unconventional: divergence/3-by-warp
// The elements pass through shared memory, where each warp takes those of one kind. Loads stay
// consecutive.
template <bool odd>
__device__ float all(float x) {
  for (int k = 0; k < 32; ++k) x = odd ? x * (0.5f - 0.125f * x * x) + 0.25f : 0.5f * x + 0.25f;
  return x;
}
__global__ void k(const float* in, float* out, int n) {
  __shared__ float s[512];
  const int base = blockIdx.x * 512;
  for (int t = threadIdx.x; t < 512; t += 256)
    if (base + t < n) s[t] = in[base + t];
  __syncthreads();
  for (int r = 0; r < 2; ++r) {
    const int w = threadIdx.x / 32 + 8 * r;
    const int at = (w / 2) * 64 + (threadIdx.x % 32) * 2 + w % 2;
    if (base + at < n) s[at] = w % 2 ? all<true>(s[at]) : all<false>(s[at]);
  }
  __syncthreads();
  for (int t = threadIdx.x; t < 512; t += 256)
    if (base + t < n) out[base + t] = s[t];
}
void odd_even(const float* in, float* out, int n) {
  if (n) k<<<(n + 511) / 512, 256>>>(in, out, n);
}
