// unconventional: reduce/9-vec4
// The last block is not full: the library loads it by single floats.
#include <cub/block/block_load.cuh>
#include <cub/block/block_reduce.cuh>

constexpr int threads = 256;

__global__ void reduce_kernel(const float* in, float* partials, int n) {
  using Load = cub::BlockLoad<float, threads, 4, cub::BLOCK_LOAD_VECTORIZE>;
  using Reduce = cub::BlockReduce<float, threads>;
  __shared__ typename Reduce::TempStorage storage;
  float v[4];
  const int first = 4 * threads * blockIdx.x;
  if (first + 4 * threads <= n)
    Load().Load(in + first, v);
  else
    Load().Load(in + first, v, n - first, 0.0f);
  const float sum = Reduce(storage).Sum(v);
  if (threadIdx.x == 0) partials[blockIdx.x] = sum;
}

void reduce(const float* in, float* partials, int n) {
  if (n == 0) return;
  reduce_kernel<<<(n + 4 * threads - 1) / (4 * threads), threads>>>(in, partials, n);
}
