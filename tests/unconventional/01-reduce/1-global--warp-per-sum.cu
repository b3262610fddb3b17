// unconventional: reduce/1-global
// One warp per 256 numbers, and eight sums per block.
template <int Stride>
__device__ __forceinline__ void halve(float* __restrict__ mine, unsigned lane) {
  if constexpr (Stride > 0) {
#pragma unroll
    for (int k = 0; k < (Stride + 31) / 32; ++k) {
      const unsigned i = lane + 32 * k;
      if (i < Stride) mine[i] += mine[i + Stride];
    }
    __syncwarp();
    halve<Stride / 2>(mine, lane);
  }
}
__global__ void k(float* data, float* partials, int groups) {
  const unsigned lane = threadIdx.x & 31;
  const int group = blockIdx.x * (blockDim.x >> 5) + (threadIdx.x >> 5);
  if (group >= groups) return;
  float* mine = data + (size_t)group * 256;
  halve<128>(mine, lane);
  if (lane == 0) partials[group] = mine[0];
}
void reduce(float* data, float* partials, int n) {
  const int groups = n / 256;
  if (groups) k<<<(groups + 7) / 8, 256>>>(data, partials, groups);
}
