// wrong: divergence/2-select
// mistake: Running both loops and keeping one result has no branch, but every lane does the work twice. Select the constants before the loop.
// expect: gate_failed gate instructions <= 1.4 * reference(self)
constexpr int threads = 256;
constexpr int rounds = 32;

__global__ void odd_even_kernel(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = in[i];
  const bool even = i % 2 == 0;
  float y = x;
  for (int k = 0; k < rounds; ++k) x = 0.5f * x + 0.25f;
  for (int k = 0; k < rounds; ++k) y = 0.25f * y + 0.5f;
  out[i] = even ? x : y;
}

void odd_even(const float* in, float* out, int n) {
  if (n == 0) return;
  odd_even_kernel<<<(n + threads - 1) / threads, threads>>>(in, out, n);
}
