// lazy: privatisation/7-window
// expect: gate time_us <= 2 * reference(self)
// A thread walks over 128 outputs: inputs come once, and every access is scattered.
__global__ void k(const float* in, float* out, int n) {
  const int first = 128 * (blockIdx.x * 64 + threadIdx.x);
  if (first >= n) return;
  float last[16];
#pragma unroll
  for (int j = 0; j < 15; ++j) last[j] = in[first + j];
  for (int i = first; i < min(first + 128, n); ++i) {
    last[15] = in[i + 15];
    float s = 0;
#pragma unroll
    for (int j = 0; j < 16; ++j) s += last[j];
    out[i] = s;
#pragma unroll
    for (int j = 0; j < 15; ++j) last[j] = last[j + 1];
  }
}
void window_sum(const float* in, float* out, int n) {
  if (n) k<<<(n + 8191) / 8192, 64>>>(in, out, n);
}
