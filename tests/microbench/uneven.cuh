// The kernel of uneven.cu, without a clock, so that the SIMT machine's time model can run it too (tests/simt/timing_sums.cpp).
#pragma once

/// Every thread adds 1 to one of `words` consecutive words, picked by a hash of its number.
__device__ inline void uneven_body(int* sums, unsigned words) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(sums + (thread * 2654435761u >> 16) % words, 1);
}
