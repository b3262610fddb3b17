// wrong: reduce/16-shuffle-down
// mistake: Only lane 0 holds the sum after shuffles down. Lane 31 doubled its own value five times.
// expect: wrong
constexpr int threads = 256;

__global__ void reduce_kernel(const float* in, float* partials, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float value = i < n ? in[i] : 0.0f;  // all 32 lanes take part, also past the end
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2) {
    // The value of the lane `offset` further up. A lane that has none gets its own value.
    value += __shfl_down_sync(0xffffffff, value, offset);
  }
  if (threadIdx.x % 32 == 31 && i - 31 < n) partials[i / 32] = value;
}

void reduce(const float* in, float* partials, int n) {
  if (n == 0) return;
  reduce_kernel<<<(n + threads - 1) / threads, threads>>>(in, partials, n);
}
