// unconventional: privatisation/6-register-sum
// The promise that the arrays do not overlap lets the compiler keep the sum in a register by
// itself.
constexpr int threads = 128;
constexpr int window = 16;

__global__ void sum_kernel(const float* __restrict__ in, float* __restrict__ out, int n) {
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i >= n) return;
  out[i] = 0.0f;
  for (int k = 0; k < window; ++k) out[i] += in[i + k];
}

void window_sum(const float* in, float* out, int n) {
  if (n == 0) return;
  sum_kernel<<<(n + threads - 1) / threads, threads>>>(in, out, n);
}
