// wrong: reduce/11-cooperative-groups
// mistake: The sum is right, but it went through shared memory in a tree of the whole block. The tile's lanes can hand each other registers: shfl_xor.
// expect: gate_failed gate shared_stores <= n / 64 + 64
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

constexpr int threads = 256;
constexpr int warps = threads / 32;
constexpr int per_block = 4 * threads;

/// The sum over the threads of a tile, in every one of them.
template <class Tile>
__device__ float tile_sum(const Tile& tile, float value) {
  for (int offset = tile.size() / 2; offset > 0; offset /= 2) value += tile.shfl_xor(value, offset);
  return value;
}

/// The sum over the block, in every thread of it. All threads must take part.
__device__ float block_sum(float value) {
  __shared__ float s[threads];
  const cg::thread_block block = cg::this_thread_block();
  const unsigned rank = block.thread_rank();
  s[rank] = value;
  block.sync();
  for (unsigned stride = threads / 2; stride > 0; stride /= 2) {
    if (rank < stride) s[rank] += s[rank + stride];
    block.sync();
  }
  return s[0];
}

/// The sum of the four floats from `first` on, or of as many as there are.
__device__ float sum_of_four(const float* in, int first, int n) {
  if (first + 3 < n) {
    const float4 v = reinterpret_cast<const float4*>(in)[first / 4];  // one load of 16 bytes
    return (v.x + v.y) + (v.z + v.w);
  }
  float sum = 0.0f;  // the tail: three floats at most
  if (first < n) sum += in[first];
  if (first + 1 < n) sum += in[first + 1];
  if (first + 2 < n) sum += in[first + 2];
  return sum;
}

__global__ void reduce_kernel(const float* in, float* partials, unsigned* done, float* sum, int n) {
  const int first = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  const float partial = block_sum(sum_of_four(in, first, n));

  __shared__ bool last;
  if (threadIdx.x == 0) {
    partials[blockIdx.x] = partial;
    __threadfence();  // my partial sum is there before I am counted ...
    last = atomicAdd(done, 1u) == gridDim.x - 1;
    __threadfence();  // ... so the block that counts all of them sees all partial sums
  }
  __syncthreads();
  if (!last) return;

  float value = 0.0f;
  for (int i = threadIdx.x; i < gridDim.x; i += blockDim.x) value += partials[i];
  value = block_sum(value);
  if (threadIdx.x == 0) *sum = value;
}

void reduce(const float* in, float* sum, int n) {
  const int blocks = n > 0 ? (n + per_block - 1) / per_block : 1;  // one even for n = 0: it writes the 0
  float* partials;
  unsigned* done;
  cudaMalloc(&partials, blocks * sizeof(float));
  cudaMalloc(&done, sizeof(unsigned));
  cudaMemset(done, 0, sizeof(unsigned));
  reduce_kernel<<<blocks, threads>>>(in, partials, done, sum, n);
  cudaFree(partials);
  cudaFree(done);
}
