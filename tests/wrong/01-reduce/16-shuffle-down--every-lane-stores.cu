// wrong: reduce/16-shuffle-down
// mistake: Every lane stores to the sum's element, and they hold different values. Only lane 0 holds the sum.
// expect: finding race
constexpr int threads = 256;

__global__ void reduce_kernel(const float* in, float* partials, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float value = i < n ? in[i] : 0.0f;  // all 32 lanes take part, also past the end
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2) {
    // The value of the lane `offset` further up. A lane that has none gets its own value.
    value += __shfl_down_sync(0xffffffff, value, offset);
  }
  if (i < n) partials[i / 32] = value;
}

void reduce(const float* in, float* partials, int n) {
  if (n == 0) return;
  reduce_kernel<<<(n + threads - 1) / threads, threads>>>(in, partials, n);
}
