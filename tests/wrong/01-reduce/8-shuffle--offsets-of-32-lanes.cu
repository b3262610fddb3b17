// wrong: reduce/8-shuffle
// mistake: Eight lanes add up the warps' sums, but the offsets begin at 16: lane 0 reads lane 16, which takes no part. Begin at 4, half of the lanes that have a sum.
// expect: finding undefined_lane line 8
constexpr int threads = 256, warps = threads / 32;

/// The sum over the lanes of `mask`, in its first lane.
__device__ float warp_sum(unsigned mask, float value) {
  for (int d = 16; d > 0; d /= 2) value += __shfl_down_sync(mask, value, d);
  return value;
}

__global__ void reduce_kernel(const float* in, float* partials, int n) {
  __shared__ float s[warps];
  const int tid = threadIdx.x, i = blockIdx.x * (2 * threads) + tid;
  float sum = i < n ? in[i] : 0.0f;
  if (i + threads < n) sum += in[i + threads];
  sum = warp_sum(0xffffffff, sum);
  if (tid % 32 == 0) s[tid / 32] = sum;
  __syncthreads();
  const unsigned mask = __ballot_sync(0xffffffff, tid < warps);
  if (tid < warps) {
    sum = warp_sum(mask, s[tid]);
    if (tid == 0) partials[blockIdx.x] = sum;
  }
}

void reduce(const float* in, float* partials, int n) {
  if (n == 0) return;
  reduce_kernel<<<(n + 2 * threads - 1) / (2 * threads), threads>>>(in, partials, n);
}
