// unconventional: reduce/8-shuffle
// Eight lanes alone add up the warps' sums. Lanes 4 to 7 read lanes that take no part, and no sum that is used
// has those values.
constexpr int threads = 256, warps = threads / 32;

__global__ void reduce_kernel(const float* in, float* partials, int n) {
  __shared__ float s[warps];
  const int tid = threadIdx.x, i = blockIdx.x * (2 * threads) + tid;
  float sum = i < n ? in[i] : 0.0f;
  if (i + threads < n) sum += in[i + threads];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffff, sum, d);
  if (tid % 32 == 0) s[tid / 32] = sum;
  __syncthreads();
  if (tid < warps) {
    sum = s[tid];
    for (int d = warps / 2; d > 0; d /= 2) sum += __shfl_down_sync(0xff, sum, d);
    if (tid == 0) partials[blockIdx.x] = sum;
  }
}

void reduce(const float* in, float* partials, int n) {
  if (n == 0) return;
  reduce_kernel<<<(n + 2 * threads - 1) / (2 * threads), threads>>>(in, partials, n);
}
