// lazy: privatisation/6-register-sum
// expect: gate global_stores <= 1.02 * n / 32 + 8
// All 16 inputs in variables, the sum still in memory.
constexpr int threads = 256;
constexpr int window = 16;

__global__ void sum_kernel(const float* in, float* out, int n) {
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i >= n) return;
  volatile float* result = out + i;
  *result = 0.0f;
  for (int k = 0; k < window; ++k) {
    const float x = in[i + k];
    *result = *result + x;
  }
}

void window_sum(const float* in, float* out, int n) {
  if (n == 0) return;
  sum_kernel<<<(n + threads - 1) / threads, threads>>>(in, out, n);
}
