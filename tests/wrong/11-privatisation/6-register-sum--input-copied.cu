// wrong: privatisation/6-register-sum
// mistake: in[i + k] went through a register before; a name for it changes nothing. The sum is what goes to memory 16 times.
// expect: gate_failed gate global_stores <= 1.02 * n / 32 + 8
// out[i] is the sum of 16 consecutive inputs from in[i] on; in has n + 15 elements.
constexpr int threads = 256, window = 16;

__global__ void sum_kernel(const float* in, float* out, int n) {
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i >= n) return;
  out[i] = 0.0f;
#pragma unroll 1
  for (int k = 0; k < window; ++k) {
    const float x = in[i + k];
    out[i] += x;
  }
}

void window_sum(const float* in, float* out, int n) {
  if (n == 0) return;
  sum_kernel<<<(n + threads - 1) / threads, threads>>>(in, out, n);
}
