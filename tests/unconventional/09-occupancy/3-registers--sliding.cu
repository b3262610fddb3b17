// unconventional: occupancy/3-registers
// Eight outputs per thread in blocks of 128; a window of inputs slides through registers, one load
// per weight.
constexpr int threads = 128;
constexpr int weights = 16;
constexpr int outputs = 8;

__global__ void filter_kernel(const float* in, const float* w, float* out, int n) {
  const int first = outputs * (blockIdx.x * threads + threadIdx.x);
  if (first >= n) return;
  float x[outputs];
  float sum[outputs] = {};
#pragma unroll
  for (int j = 0; j < outputs; ++j) x[j] = first + j < n + weights - 1 ? in[first + j] : 0.0f;
#pragma unroll
  for (int k = 0; k < weights; ++k) {
    const float weight = w[k];
#pragma unroll
    for (int j = 0; j < outputs; ++j) sum[j] += weight * x[j];
#pragma unroll
    for (int j = 0; j + 1 < outputs; ++j) x[j] = x[j + 1];
    const int next = first + k + outputs;
    x[outputs - 1] = next < n + weights - 1 ? in[next] : 0.0f;
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
