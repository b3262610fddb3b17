// The kernel of mbarriers.cu, without a clock, so that the SIMT machine's time model can run it too.
#pragma once

__device__ inline void mbarrier_arrive(unsigned at) {
  asm volatile("{.reg .b64 x; mbarrier.arrive.shared.b64 x, [%0];}" ::"r"(at) : "memory");
}

/// Waits for the phase by try_wait, which may suspend the thread, or by test_wait. Returns the polls that
/// failed.
template <bool TRY>
__device__ inline unsigned mbarrier_wait(unsigned at, unsigned phase) {
  for (unsigned failed = 0;; ++failed) {
    int ended;
    if (TRY)
      asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.b32 %0, 1, 0, p;}"
                   : "=r"(ended)
                   : "r"(at), "r"(phase)
                   : "memory");
    else
      asm volatile("{.reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.b32 %0, 1, 0, p;}"
                   : "=r"(ended)
                   : "r"(at), "r"(phase)
                   : "memory");
    if (ended) return failed;
  }
}

/// Warp 0 works (`work` dependent multiply-adds) and arrives; the others wait for that, arrive in turn, and
/// warp 0 waits for them before its next of `rounds` rounds. Each arrival is of `lanes` lanes. Thread t
/// writes the polls of its that failed to out[t] (of block 0).
template <bool TRY>
__device__ inline void mbarriers_body(unsigned* out, int rounds, int work, unsigned lanes) {
  __shared__ __align__(8) unsigned long long barrier[2];
  const unsigned lane = threadIdx.x % 32, waiting = blockDim.x / 32 - 1;
  const unsigned full = unsigned(__cvta_generic_to_shared(&barrier[0]));
  const unsigned empty = unsigned(__cvta_generic_to_shared(&barrier[1]));
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(full), "r"(lanes) : "memory");
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(empty), "r"(lanes * waiting) : "memory");
  }
  __syncthreads();
  unsigned failed = 0, x = threadIdx.x;
#pragma unroll 1
  for (int r = 0; r < rounds; ++r) {
    if (threadIdx.x < 32) {
#pragma unroll 1
      for (int k = 0; k < work; ++k) x = x * x + 1;
      if (lane < lanes) mbarrier_arrive(full);
      failed += mbarrier_wait<TRY>(empty, r & 1);
    } else {
      failed += mbarrier_wait<TRY>(full, r & 1);
      if (lane < lanes) mbarrier_arrive(empty);
    }
  }
  if (blockIdx.x == 0) out[threadIdx.x] = failed + (x == 1 ? 0x40000000u : 0);
}
