// Sum of all floats in one launch, with one block per 1024 floats.
#include <cooperative_groups.h>
#include <cstdio>

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
  __shared__ float s[warps];  // one word per warp
  const cg::thread_block block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  value = tile_sum(warp, value);
  if (warp.thread_rank() == 0) s[warp.meta_group_rank()] = value;
  block.sync();
  return tile_sum(warp, warp.thread_rank() < warps ? s[warp.thread_rank()] : 0.0f);
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
  // TODO: launch no more blocks than the GPU holds at once: resident blocks per SM, times SMs.
  // (cudaDeviceGetAttribute with cudaDevAttrMultiProcessorCount gives the SMs.) Let each thread go
  // on in strides of the whole grid.
  const float partial = block_sum(sum_of_four(in, first, n));

  __shared__ bool last;
  if (threadIdx.x == 0) {
    partials[blockIdx.x] = partial;
    __threadfence();  // the partial sum is visible before the count
    last = atomicAdd(done, 1u) == gridDim.x - 1;
    __threadfence();  // the last block sees all partial sums
  }
  __syncthreads();
  if (!last) return;

  float value = 0.0f;
  for (int i = threadIdx.x; i < gridDim.x; i += blockDim.x) value += partials[i];
  value = block_sum(value);
  if (threadIdx.x == 0) *sum = value;
}

/// Prints what failed, if a runtime call failed.
void check(cudaError_t error) {
  if (error != cudaSuccess) printf("CUDA error: %s\n", cudaGetErrorString(error));
}

void reduce(const float* in, float* sum, int n) {
  // at least one, which writes the 0
  const int blocks = n > 0 ? (n + per_block - 1) / per_block : 1;
  float* partials;
  unsigned* done;
  check(cudaMalloc(&partials, blocks * sizeof(float)));
  check(cudaMalloc(&done, sizeof(unsigned)));
  check(cudaMemset(done, 0, sizeof(unsigned)));
  reduce_kernel<<<blocks, threads>>>(in, partials, done, sum, n);
  check(cudaGetLastError());
  check(cudaFree(partials));
  check(cudaFree(done));
}
