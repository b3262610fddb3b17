// lazy: reduce/17-block-reduce
// expect: gate barriers <= 1.5 * n / 128
// The trees by hand, both in one go: half the barriers, and still one per level.
constexpr int threads = 256;
constexpr int per_block = 4 * threads;

__global__ void moments_kernel(const float* in, float2* out, int n) {
  __shared__ float2 s[threads];
  float2 value = {0.0f, 0.0f};
  const int first = blockIdx.x * per_block + threadIdx.x;
#pragma unroll
  for (int i = first; i < first + per_block; i += threads) {
    const float x = i < n ? in[i] : 0.0f;
    value = {value.x + x, value.y + x * x};
  }
  s[threadIdx.x] = value;
  __syncthreads();
  for (int stride = threads / 2; stride > 0; stride /= 2) {
    if (threadIdx.x < stride) {
      const float2 other = s[threadIdx.x + stride];
      value = {value.x + other.x, value.y + other.y};
      s[threadIdx.x] = value;
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = value;
}

void moments(const float* in, float2* out, int n) {
  if (n == 0) return;
  moments_kernel<<<(n + per_block - 1) / per_block, threads>>>(in, out, n);
}
