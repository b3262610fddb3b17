// lazy: reduce/16-shuffle-down
// expect: gate instructions <= 1.25 * reference(self)
// Lane 0 asks each of the others: 31 shuffles instead of five.
constexpr int threads = 256;

__global__ void reduce_kernel(const float* in, float* partials, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float value = i < n ? in[i] : 0.0f;  // all 32 lanes take part, also past the end
  float sum = value;
#pragma unroll
  for (int lane = 1; lane < 32; ++lane) sum += __shfl_sync(0xffffffff, value, lane);
  if (threadIdx.x % 32 == 0 && i < n) partials[i / 32] = sum;
}

void reduce(const float* in, float* partials, int n) {
  if (n == 0) return;
  reduce_kernel<<<(n + threads - 1) / threads, threads>>>(in, partials, n);
}
