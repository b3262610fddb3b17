// lazy: occupancy/3-registers
// expect: gate local_sectors == 0
// 32 outputs forced into 32 registers: the sums go to local memory.
constexpr int threads = 256;
constexpr int weights = 16;
constexpr int outputs = 32;

__global__ void __launch_bounds__(256, 8)
    filter_kernel(const float* in, const float* w, float* out, int n) {
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
