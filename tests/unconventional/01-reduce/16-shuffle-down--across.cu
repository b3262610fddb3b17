// unconventional: reduce/16-shuffle-down
// Across instead of down, with 128 threads: every lane has the sum, and lane 31 stores it.
constexpr int threads = 128;

__global__ void reduce_kernel(const float* in, float* partials, int n) {
  const int i = blockIdx.x * threads + threadIdx.x;
  float value = i < n ? in[i] : 0.0f;
#pragma unroll
  for (int bit = 1; bit < 32; bit *= 2) value += __shfl_xor_sync(~0u, value, bit);
  if (threadIdx.x % 32 == 31 && i - 31 < n) partials[i / 32] = value;
}

void reduce(const float* in, float* partials, int n) {
  if (n == 0) return;
  reduce_kernel<<<(n + threads - 1) / threads, threads>>>(in, partials, n);
}
