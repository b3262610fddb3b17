// lazy: profiles/1-gain
// expect: gate time_us <= 1.3 * reference(self)
// Coalesced, by one block.
constexpr int threads = 256;

__global__ void gain_kernel(const float* in, float* out, int n) {
  for (int i = threadIdx.x; i < n; i += threads) out[i] = 0.5f * in[i] + 1.0f;
}

void gain(const float* in, float* out, int n) {
  if (n == 0) return;
  gain_kernel<<<1, threads>>>(in, out, n);
}
