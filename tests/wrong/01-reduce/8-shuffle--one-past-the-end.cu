// wrong: reduce/8-shuffle
// mistake: Thread n of the grid has no element: the check is i < n, not i <= n.
// expect: finding out_of_bounds
// Sum of each 512 floats in registers: lanes exchange their values directly.
// Bound by latency: a thread has only two loads in flight. Shared memory carries one word per warp.
constexpr int threads = 256;
constexpr int warps = threads / 32;

/// The sum over a warp, in every lane of it. All 32 lanes must take part.
__device__ float warp_sum(float value) {
  for (int offset = 16; offset > 0; offset /= 2) {
    value += __shfl_xor_sync(0xffffffff, value, offset);
  }
  return value;
}

/// The sum over the block, in every thread of it. All threads must take part.
__device__ float block_sum(float value) {
  __shared__ float s[warps];  // one word per warp
  const unsigned lane = threadIdx.x % 32;
  const unsigned warp = threadIdx.x / 32;
  value = warp_sum(value);
  if (lane == 0) s[warp] = value;
  __syncthreads();
  return warp_sum(lane < warps ? s[lane] : 0.0f);
}

__global__ void reduce_kernel(const float* in, float* partials, int n) {
  const int i = blockIdx.x * (2 * blockDim.x) + threadIdx.x;
  float sum = i <= n ? in[i] : 0.0f;
  if (i + blockDim.x < n) sum += in[i + blockDim.x];

  sum = block_sum(sum);
  if (threadIdx.x == 0) partials[blockIdx.x] = sum;
}

void reduce(const float* in, float* partials, int n) {
  if (n == 0) return;
  constexpr int per_block = 2 * threads;
  reduce_kernel<<<(n + per_block - 1) / per_block, threads>>>(in, partials, n);
}
