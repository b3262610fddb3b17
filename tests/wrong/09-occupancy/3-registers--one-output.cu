// wrong: occupancy/3-registers
// mistake: One output per thread takes few registers, but shares no inputs: 16 loads per output.
// expect: gate_failed gate global_load_lane_bytes <= 0.3 * 4 * 32 * n
// A filter with 16 weights; a thread makes consecutive outputs and reads the inputs that they share once.
constexpr int threads = 256, weights = 16, outputs = 1;

__global__ void filter_kernel(const float* in, const float* w, float* out, int n) {
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
