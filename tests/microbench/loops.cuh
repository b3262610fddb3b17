// The loops of loops.cu, without a clock, so that the SIMT machine's time model can run the same ones (tests/simt/timing_loops.cpp).
// Each is for one warp and takes its number of turns at run time; what a turn takes is the difference of two runs.
#pragma once

/// K multiply-adds in a chain a turn: what is more than K times their latency is the loop's own.
template <int K> __device__ float chain_turns(float x, int turns) {
#pragma unroll 1
  for (int i = 0; i < turns; ++i)
#pragma unroll
    for (int k = 0; k < K; ++k) x = x * 1.0001f + 0.5f;
  return x;
}

/// One load that depends on the last a turn, from the L1.
__device__ inline int chase_turns(const int* next, int turns) {
  int at = threadIdx.x;
#pragma unroll 1
  for (int i = 0; i < turns; ++i) at = next[at];
  return at;
}

/// The inner loop of a naive product: two loads from the L1 and a multiply-add a turn, in passes of 32.
__device__ inline float product_turns(const float* x, const float* y, int turns, int width) {
  float sum = 0.0f;
#pragma unroll 1
  for (int pass = 0; pass < turns / 32; ++pass)
#pragma unroll 1
    for (int k = 0; k < 32; ++k) sum += x[threadIdx.x * 32 + k] * y[k * width + pass % 4];
  return sum;
}

/// A branch that skips a barrier of the warp every other turn, all lanes alike.
__device__ inline float skip_turns(float x, int turns, int mask) {
#pragma unroll 1
  for (int i = 0; i < turns; ++i) {
    if (i & mask) {
      __syncwarp();
      x = x * 1.0001f + 0.5f;
      __syncwarp();
    }
    x = x * 0.9999f + 0.25f;
  }
  return x;
}
