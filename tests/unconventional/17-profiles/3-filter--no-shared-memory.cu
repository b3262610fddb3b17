// unconventional: profiles/3-filter
// All lanes read one tap at a time, which L1 has.
constexpr int threads = 256;

__global__ void filter_kernel(const float* in, const float* taps, float* out, int n, int count) {
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int k = 0; k < count; ++k) sum += taps[k] * in[i + k];
  out[i] = sum;
}

void filter(const float* in, const float* taps, float* out, int n, int count) {
  if (n == 0) return;
  filter_kernel<<<(n + threads - 1) / threads, threads>>>(in, taps, out, n, count);
}
