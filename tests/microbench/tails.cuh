// The kernels of tails.cu, without a clock, so that the SIMT machine's time model can run the same ones (tests/simt/timing_tails.cpp).
#pragma once

/// What a block does when it has its sum: nothing that lasts, one store, a store and a fence, or all that the last block's pattern
/// needs (store, fence, count, fence, barrier).
enum Tail { kNone, kStore, kFence, kCount };

/// Each thread of a block loads `loads` float4s, all at once, and the block sums them.
template <int loads, Tail tail>
__device__ inline void tail_body(const float4* in, float* out, unsigned* count) {
  __shared__ float s[32];
  const unsigned threads = blockDim.x, tid = threadIdx.x;
  in += size_t(blockIdx.x) * loads * threads;
  float4 v[loads];
  for (int k = 0; k < loads; ++k) v[k] = in[k * threads + tid];
  float sum = 0;
  for (int k = 0; k < loads; ++k) sum += (v[k].x + v[k].y) + (v[k].z + v[k].w);
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(~0u, sum, d);
  if (tid % 32 == 0) s[tid / 32] = sum;
  __syncthreads();
  sum = tid % 32 < threads / 32 ? s[tid % 32] : 0;
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(~0u, sum, d);
  if (tail == kNone) {
    if (sum == 12345.0f) out[blockIdx.x] = sum;
    return;
  }
  __shared__ bool last;
  if (tid == 0) {
    out[blockIdx.x] = sum;
    if (tail != kStore) __threadfence();
    if (tail == kCount) {
      last = atomicAdd(count, 1u) == 0xFFFFFFFFu;
      __threadfence();
    }
  }
  if (tail != kCount) return;
  __syncthreads();
  if (last) out[tid] = 0;
}
