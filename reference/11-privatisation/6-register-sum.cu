// out[i] is the sum of 16 consecutive inputs from in[i] on; in has n + 15 elements.
// Bound by DRAM bandwidth (at 2^18 outputs by the start of its blocks): L1 serves nine tenths of
// the sectors that 16 loads per output need.
constexpr int threads = 256;
constexpr int window = 16;

__global__ void sum_kernel(const float* in, float* out, int n) {
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i >= n) return;
  float sum = 0.0f;
  for (int k = 0; k < window; ++k) sum += in[i + k];
  out[i] = sum;
}

void window_sum(const float* in, float* out, int n) {
  if (n == 0) return;
  sum_kernel<<<(n + threads - 1) / threads, threads>>>(in, out, n);
}
