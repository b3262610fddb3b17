// The kernels of grid_barriers.cu, without a clock, so that the SIMT machine's time model can run them too.
#pragma once
#include <cooperative_groups.h>

/// `barriers` barriers of the whole grid. With `words`, each thread stores one before, and after it loads the
/// next block's.
__device__ inline void grid_barriers_body(volatile int* words, unsigned barriers) {
  auto grid = cooperative_groups::this_grid();
  const unsigned all = gridDim.x * blockDim.x, thread = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = 0;
#pragma unroll 1
  for (unsigned b = 0; b < barriers; ++b) {
    if (words) words[b % 2 * all + thread] = sum;
    grid.sync();
    if (words) sum += words[b % 2 * all + (thread + blockDim.x) % all];
  }
}

/// A barrier as it is written by hand: a counter that only rises, asked again and again. It holds a
/// multiple of the number of blocks at first.
__device__ inline void counted_barriers_body(unsigned* count, unsigned barriers) {
#pragma unroll 1
  for (unsigned b = 0; b < barriers; ++b) {
    __syncthreads();
    if (threadIdx.x == 0) {
      __threadfence();
      const unsigned until = (atomicAdd(count, 1u) / gridDim.x + 1) * gridDim.x;
      while (int(*(volatile unsigned*)count - until) < 0) {
      }
      __threadfence();
    }
    __syncthreads();
  }
}
