// lazy: reduce/17-block-reduce
// expect: gate barriers <= 1.5 * n / 128
// Two calls of CUB, one per sum. Idle blocks raise the number of warps.
#include <cub/block/block_reduce.cuh>

constexpr int threads = 256;
constexpr int per_block = 4 * threads;

__global__ void moments_kernel(const float* in, float2* out, int n) {
  using Reduce = cub::BlockReduce<float, threads>;
  __shared__ typename Reduce::TempStorage a, b;
  if (blockIdx.x >= gridDim.x / 2) return;
  float sum = 0.0f, squares = 0.0f;
  const int first = blockIdx.x * per_block + 4 * threadIdx.x;
  if (first + 3 < n) {
    const float4 x = reinterpret_cast<const float4*>(in)[first / 4];
    sum = x.x + x.y + x.z + x.w;
    squares = x.x * x.x + x.y * x.y + x.z * x.z + x.w * x.w;
  } else
    for (int i = first; i < n; ++i) {
      sum += in[i];
      squares += in[i] * in[i];
    }
  sum = Reduce(a).Sum(sum);
  squares = Reduce(b).Sum(squares);
  if (threadIdx.x == 0) out[blockIdx.x] = make_float2(sum, squares);
}

void moments(const float* in, float2* out, int n) {
  if (n == 0) return;
  moments_kernel<<<2 * ((n + per_block - 1) / per_block), threads>>>(in, out, n);
}
