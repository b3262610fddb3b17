// The kernels of slots.cu, without a clock, so that the SIMT machine's time model can run the same ones (tests/simt/timing_slots.cpp).
#pragma once

enum SlotEnd { kNoStore, kOneStores, kWarpsStore, kAllStore };

/// Blocks that work for `turns` turns of eight dependent multiply-adds a warp and end with no store, or one by one thread, by one of each
/// warp, or by all. `early`: all warps but the first leave at once.
template <int END> __device__ void slot_body(float* out, int turns, int early) {
  if (early && threadIdx.x >= 32) return;
  float x = float(threadIdx.x);
#pragma unroll 1
  for (int i = 0; i < turns; ++i)
#pragma unroll
    for (int k = 0; k < 8; ++k) x = x * 0.9999f + 0.25f;
  const unsigned at = blockIdx.x * blockDim.x + threadIdx.x;
  if (END == kAllStore || (END == kWarpsStore && threadIdx.x % 32 == 0) || (END == kOneStores && threadIdx.x == 0) || x == 12345.0f) out[at] = x;
}
