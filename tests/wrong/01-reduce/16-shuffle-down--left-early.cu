// wrong: reduce/16-shuffle-down
// mistake: Threads past the end have left, and the mask names all 32 lanes. Let them take part with a zero.
// expect: finding undefined_lane
constexpr int threads = 256;

__global__ void reduce_kernel(const float* in, float* partials, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float value = in[i];
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2) {
    // The value of the lane `offset` further up. A lane that has none gets its own value.
    value += __shfl_down_sync(0xffffffff, value, offset);
  }
  if (threadIdx.x % 32 == 0 && i < n) partials[i / 32] = value;  // only lane 0 holds the sum
}

void reduce(const float* in, float* partials, int n) {
  if (n == 0) return;
  reduce_kernel<<<(n + threads - 1) / threads, threads>>>(in, partials, n);
}
