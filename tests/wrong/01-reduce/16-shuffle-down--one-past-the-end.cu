// wrong: reduce/16-shuffle-down
// mistake: Thread n of the grid has no element: the check is i < n, not i <= n.
// expect: finding out_of_bounds
// Sum of each 32 consecutive floats: one warp per sum, in registers only.
// Bound by how fast blocks start: each does little. No shared memory, no barrier: nothing leaves a
// warp but its sum.
constexpr int threads = 256;

__global__ void reduce_kernel(const float* in, float* partials, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float value = i < n ? in[i] : 0.0f;  // all 32 lanes take part, also past the end
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2) {
    // The value of the lane `offset` further up. A lane that has none gets its own value.
    value += __shfl_down_sync(0xffffffff, value, offset);
  }
  if (threadIdx.x % 32 == 0 && i <= n) partials[i / 32] = value;  // only lane 0 holds the sum
}

void reduce(const float* in, float* partials, int n) {
  if (n == 0) return;
  reduce_kernel<<<(n + threads - 1) / threads, threads>>>(in, partials, n);
}
