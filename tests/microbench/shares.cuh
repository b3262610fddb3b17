// The kernels of shares.cu, without a clock, so that the SIMT machine's time model can run the same ones
// (tests/simt/timing_shares.cpp). Blocks of 512 threads.
#pragma once

/// Every round a block reads L float4 a thread that nobody else reads, at once, works for `turns` turns of eight dependent
/// multiply-adds, and meets at a barrier.
template <int L> __device__ void pulse_body(const float4* in, float* out, int rounds, int turns) {
  float sum = 0;
#pragma unroll 1
  for (int r = 0; r < rounds; ++r) {
    float4 v[L];
    const float4* from = in + (size_t(r) * gridDim.x + blockIdx.x) * (L * 512) + threadIdx.x;
#pragma unroll
    for (int k = 0; k < L; ++k) v[k] = from[k * 512];
#pragma unroll
    for (int k = 0; k < L; ++k) sum += v[k].x + v[k].y + v[k].z + v[k].w;
#pragma unroll 1
    for (int i = 0; i < turns; ++i)
#pragma unroll
      for (int k = 0; k < 8; ++k) sum = sum * 0.9999f + 0.25f;
    __syncthreads();
  }
  if (sum == 12345.0f) out[0] = sum;
}

/// Every round all blocks read the same L float4 a thread, work for `turns` turns, and meet at their own barrier. Each block comes
/// `late` turns later than the one before.
template <int L> __device__ void crowd_body(const float4* in, float* out, int rounds, int turns, int late) {
  float sum = 0;
#pragma unroll 1
  for (int i = 0; i < late * int(blockIdx.x); ++i)
#pragma unroll
    for (int k = 0; k < 8; ++k) sum = sum * 0.9999f + 0.25f;
#pragma unroll 1
  for (int r = 0; r < rounds; ++r) {
    float4 v[L];
    const float4* from = in + size_t(r) * (L * 512) + threadIdx.x;
#pragma unroll
    for (int k = 0; k < L; ++k) v[k] = from[k * 512];
#pragma unroll
    for (int k = 0; k < L; ++k) sum += v[k].x + v[k].y + v[k].z + v[k].w;
#pragma unroll 1
    for (int i = 0; i < turns; ++i)
#pragma unroll
      for (int k = 0; k < 8; ++k) sum = sum * 0.9999f + 0.25f;
    __syncthreads();
  }
  if (sum == 12345.0f) out[0] = sum;
}

/// Each of a block's warps reads the same L lines of 512 bytes every round: the second finds them on their way to the L1.
template <int L> __device__ void same_body(const float4* in, float* out, int rounds, int turns) {
  float sum = 0;
#pragma unroll 1
  for (int r = 0; r < rounds; ++r) {
    float4 v[L];
    const float4* from = in + (size_t(r) * gridDim.x + blockIdx.x) * (L * 32) + threadIdx.x % 32;
#pragma unroll
    for (int k = 0; k < L; ++k) v[k] = from[k * 32];
#pragma unroll
    for (int k = 0; k < L; ++k) sum += v[k].x + v[k].y + v[k].z + v[k].w;
#pragma unroll 1
    for (int i = 0; i < turns; ++i)
#pragma unroll
      for (int k = 0; k < 8; ++k) sum = sum * 0.9999f + 0.25f;
    __syncthreads();
  }
  if (sum == 12345.0f) out[0] = sum;
}
