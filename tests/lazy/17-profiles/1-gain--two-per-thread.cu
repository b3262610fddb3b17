// lazy: profiles/1-gain
// expect: gate global_sectors <= 0.35 * n
// Two consecutive samples per thread instead of eight: a request still touches twice the sectors that it
// needs.
__global__ void k(const float* in, float* out, int n) {
  const int first = 2 * (blockIdx.x * 256 + threadIdx.x);
  for (int j = first; j < first + 2 && j < n; ++j) out[j] = 0.5f * in[j] + 1.0f;
}
void gain(const float* in, float* out, int n) {
  if (n) k<<<(n + 511) / 512, 256>>>(in, out, n);
}
