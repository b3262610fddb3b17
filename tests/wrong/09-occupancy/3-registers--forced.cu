// wrong: occupancy/3-registers
// mistake: __launch_bounds__ made the compiler fit 32 outputs into 32 registers: ptxas spills the rest, 224 bytes per thread, to local memory. Compute fewer outputs per thread.
// expect: gate_failed gate time_us <= 1.5 * reference(self)
// A filter with 16 weights; a thread makes consecutive outputs and reads the inputs that they share once.
constexpr int threads = 256, weights = 16, outputs = 32;

__global__ void __launch_bounds__(256, 8) filter_kernel(const float* in, const float* w, float* out, int n) {
  const int first = outputs * (blockIdx.x * threads + threadIdx.x);
  if (first >= n) return;
  float sum[outputs] = {};
#pragma unroll
  for (int k = 0; k < outputs + weights - 1; ++k) {
    const float x = first + k < n + weights - 1 ? in[first + k] : 0.0f;
#pragma unroll
    for (int j = 0; j < outputs; ++j)
      if (k - j >= 0 && k - j < weights) sum[j] += w[k - j] * x;  // known while compiling
  }
#pragma unroll
  for (int j = 0; j < outputs; ++j)
    if (first + j < n) out[first + j] = sum[j];
}

void filter(const float* in, const float* w, float* out, int n) {
  if (n == 0) return;
  constexpr int per_block = outputs * threads;
  filter_kernel<<<(n + per_block - 1) / per_block, threads>>>(in, w, out, n);
}
