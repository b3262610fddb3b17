// unconventional: divergence/2-select
// The constants come from arithmetic on the parity instead of a select: a is 0.5 or 0.25, and a + b
// is 0.75.
constexpr int threads = 128;
constexpr int rounds = 32;

__global__ void odd_even_kernel(const float* in, float* out, int n) {
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i >= n) return;
  const float a = 0.5f - 0.25f * (i & 1);
  const float b = 0.75f - a;
  float x = in[i];
  for (int k = 0; k < rounds; ++k) x = fmaf(a, x, b);
  out[i] = x;
}

void odd_even(const float* in, float* out, int n) {
  if (n == 0) return;
  odd_even_kernel<<<(n + threads - 1) / threads, threads>>>(in, out, n);
}
