// lazy: divergence/2-select
// expect: gate instructions <= 1.4 * reference(self)
// Every lane runs both recurrences and keeps one result: no branch, and twice the work.
constexpr int threads = 256;
constexpr int rounds = 32;

__global__ void odd_even_kernel(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = in[i];
  float y = x;
  for (int k = 0; k < rounds; ++k) {
    x = 0.5f * x + 0.25f;
    y = 0.25f * y + 0.5f;
  }
  out[i] = i % 2 == 0 ? x : y;
}

void odd_even(const float* in, float* out, int n) {
  if (n == 0) return;
  odd_even_kernel<<<(n + threads - 1) / threads, threads>>>(in, out, n);
}
