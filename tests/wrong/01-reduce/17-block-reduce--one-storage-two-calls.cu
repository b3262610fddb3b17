// wrong: reduce/17-block-reduce
// mistake: Both calls use the same storage. The second overwrites words that the first still reads: put __syncthreads() between them.
// expect: finding race
#include <cub/block/block_reduce.cuh>

constexpr int threads = 256;
constexpr int per_block = 4 * threads;

__global__ void moments_kernel(const float* in, float2* out, int n) {
  using Reduce = cub::BlockReduce<float, threads>;
  __shared__ typename Reduce::TempStorage storage;
  float sum = 0.0f;
  float squares = 0.0f;
  const int first = blockIdx.x * per_block + threadIdx.x;
#pragma unroll
  for (int i = first; i < first + per_block; i += threads) {
    const float x = i < n ? in[i] : 0.0f;
    sum += x;
    squares += x * x;
  }
  sum = Reduce(storage).Sum(sum);
  squares = Reduce(storage).Sum(squares);
  if (threadIdx.x == 0) out[blockIdx.x] = {sum, squares};
}

void moments(const float* in, float2* out, int n) {
  if (n == 0) return;
  moments_kernel<<<(n + per_block - 1) / per_block, threads>>>(in, out, n);
}
