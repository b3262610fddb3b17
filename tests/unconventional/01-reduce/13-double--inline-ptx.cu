// unconventional: reduce/13-double
// The load of two doubles in PTX.
#include <cooperative_groups.h>
#include <cstdio>

namespace cg = cooperative_groups;

constexpr int threads = 256;
constexpr int warps = threads / 32;
constexpr int per_block = 2 * threads;  // in one round of the loop
constexpr int most_blocks = 2048;

/// The sum over the threads of a tile, in every one of them.
template <class Tile>
__device__ double tile_sum(const Tile& tile, double value) {
  for (int offset = tile.size() / 2; offset > 0; offset /= 2) value += tile.shfl_xor(value, offset);
  return value;
}

/// The sum over the block, in every thread of it. All threads must take part.
__device__ double block_sum(double value) {
  __shared__ double s[warps];  // one word per warp
  const cg::thread_block block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  value = tile_sum(warp, value);
  if (warp.thread_rank() == 0) s[warp.meta_group_rank()] = value;
  block.sync();
  return tile_sum(warp, warp.thread_rank() < warps ? s[warp.thread_rank()] : 0.0);
}

// Scratch that lives as long as the program: one call at a time may use it.
__device__ double partials[most_blocks];
__device__ unsigned done;  // 0 between launches

__global__ void reduce_kernel(const double* in, double* sum, int n) {
  double value = 0.0;
  const double2* pairs = reinterpret_cast<const double2*>(in);
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n / 2; i += gridDim.x * blockDim.x) {
    double x, y;
    asm("ld.global.nc.v2.f64 {%0, %1}, [%2];" : "=d"(x), "=d"(y) : "l"(pairs + i));
    value += x + y;
  }  // one load of 16 bytes
  if (n % 2 == 1 && blockIdx.x == 0 && threadIdx.x == 0) value += in[n - 1];
  value = block_sum(value);

  __shared__ bool last;
  if (threadIdx.x == 0) {
    partials[blockIdx.x] = value;
    __threadfence();  // the partial sum is visible before the count
    last = atomicAdd(&done, 1u) == gridDim.x - 1;
    __threadfence();  // the last block sees all partial sums
  }
  __syncthreads();
  if (!last) return;

  value = 0.0;
  for (int i = threadIdx.x; i < gridDim.x; i += blockDim.x) value += partials[i];
  value = block_sum(value);
  if (threadIdx.x == 0) {
    *sum = value;
    done = 0;  // ready for the next launch
  }
}

/// Prints what failed, if a runtime call failed.
void check(cudaError_t error) {
  if (error != cudaSuccess) printf("CUDA error: %s\n", cudaGetErrorString(error));
}

void reduce(const double* in, double* sum, int n) {
  int sms;
  check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
  const int needed = n > 0 ? (n + per_block - 1) / per_block : 1;
  const int blocks = min(needed, min(8 * sms, most_blocks));
  reduce_kernel<<<blocks, threads>>>(in, sum, n);
  check(cudaGetLastError());
}
