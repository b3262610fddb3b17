// unconventional: reduce/16-shuffle-down
// Four partials per warp: a float4 per lane, and rounds within groups of eight lanes.
constexpr int threads = 256;

__global__ void reduce_kernel(const float* in, float* partials, int n) {
  const int first = 4 * (blockIdx.x * threads + threadIdx.x);
  float value = 0.0f;
  if (first + 3 < n) {
    const float4 v = *reinterpret_cast<const float4*>(in + first);
    value = (v.x + v.y) + (v.z + v.w);
  } else {
    for (int i = first; i < n; ++i) value += in[i];
  }
#pragma unroll
  for (int offset = 4; offset > 0; offset /= 2)
    value += __shfl_down_sync(0xffffffff, value, offset, 8);
  if (threadIdx.x % 8 == 0 && first < n) partials[first / 32] = value;
}

void reduce(const float* in, float* partials, int n) {
  if (n == 0) return;
  reduce_kernel<<<(n + 4 * threads - 1) / (4 * threads), threads>>>(in, partials, n);
}
