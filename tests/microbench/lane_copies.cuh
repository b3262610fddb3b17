// The kernel of lane_copies.cu, without a clock, so that the SIMT machine's time model can run it too
// (tests/simt/timing_copies.cpp).
#pragma once

/// Each warp copies `rounds` times from global to shared memory by the copy engine: each of its first `lanes`
/// lanes makes four copies of `bytes` (a multiple of 16). It waits for all of them at an mbarrier of its own
/// before the next round.
__device__ inline void lane_copies_body(const char* in, unsigned* out, int rounds, unsigned lanes,
                                        unsigned bytes) {
  extern __shared__ __align__(128) char tile[];
  __shared__ __align__(8) unsigned long long barrier[16];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const unsigned at = unsigned(__cvta_generic_to_shared(&barrier[warp]));
  const unsigned to = unsigned(__cvta_generic_to_shared(tile)) + threadIdx.x * bytes;
  const char* from = in + (blockIdx.x * size_t(blockDim.x) + threadIdx.x) * bytes;
  if (lane == 0) asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at), "r"(lanes) : "memory");
  __syncthreads();
#pragma unroll 1
  for (int r = 0; r < rounds; ++r) {
    if (lane < lanes) {
#pragma unroll
      for (int k = 0; k < 4; ++k)
        asm volatile(
            "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                to),
            "l"(from), "r"(bytes), "r"(at)
            : "memory");
      asm volatile("{.reg .b64 x; mbarrier.arrive.expect_tx.shared.b64 x, [%0], %1;}" ::"r"(at),
                   "r"(4 * bytes)
                   : "memory");
    }
    int ended = 0;
    while (!ended)
      asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.b32 %0, 1, 0, p;}"
                   : "=r"(ended)
                   : "r"(at), "r"(r & 1)
                   : "memory");
  }
  if (lane < lanes)
    out[blockIdx.x * blockDim.x + threadIdx.x] = *(const unsigned*)(tile + threadIdx.x * bytes);
}
