// The kernels of async_copies.cu, without a clock, so that the SIMT machine's time model can run the same ones
// (tests/simt/timing_copies.cpp).
#pragma once
#include <cuda_pipeline.h>

/// A block of 256 threads takes `rounds` tiles of 4 KiB through shared memory by cp.async, with `stages` (1 to 4) tiles in flight, and
/// sums a word of each.
template <int stages> __device__ inline void async_body(const float4* in, float* out, int rounds) {
  __shared__ float4 tile[stages][256];
  const int t = threadIdx.x;
  in += size_t(blockIdx.x) * rounds * 256 + t;
  for (int r = 0; r < stages - 1; ++r) {
    __pipeline_memcpy_async(&tile[r][t], in + r * 256, 16);
    __pipeline_commit();
  }
  float sum = 0;
#pragma unroll 1
  for (int r = 0; r < rounds; ++r) {
    if (r + stages - 1 < rounds)
      __pipeline_memcpy_async(&tile[(r + stages - 1) % stages][t], in + (r + stages - 1) * 256, 16);
    __pipeline_commit();
    __pipeline_wait_prior(stages - 1);
    __syncthreads();
    sum += tile[r % stages][255 - t].x;
    __syncthreads();
  }
  out[blockIdx.x * 256 + t] = sum;
}
