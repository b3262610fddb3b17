// The kernels of cusync_mlp.cu, one tile per block: gemm_cp loads by cp.async, gemm_tma by TMA, also over a cluster. Each
// posts and waits as `Sync` says.
#pragma once
#include <cuda.h>

#include "cusync_tiles.cuh"

// ------------------------------------------------------------------------------------- kind cp: cp.async, 256 threads
struct Plain {
  const __half *a, *b;
  __half* c;
  int n, k;
};
__device__ __forceinline__ void copy16(uint32_t to, const void* from) {
  asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
}

__global__ void __launch_bounds__(256, 1) gemm_cp(const Plain g, const int* list, int product, const Sync sync) {
  extern __shared__ uint8_t smem[];
  const uint32_t base = (uint32_t(__cvta_generic_to_shared(smem)) + 1023) & ~1023u;
  const int t = threadIdx.x, wg = t / 128, work = list[blockIdx.x];
  const int bm = work >> 12 & 0xfff, bn = work & 0xfff, M = g.n, K = g.k;
  if (product == 0 && t == 0) {
    if (sync.programmatic) launch_dependents();
    else if (sync.mode != none) atomicAdd(&sync.words[1], 1u);
  }
  // A: thread t copies chunk t % 8 of rows t / 8 + 32 i. B: chunk t % 32 of rows t / 32 + 8 i.
  const int ar = t / 8, ac = t % 8, br = t / 32, bc = t % 32;
  const __half* pa = g.a + size_t(bm * BM + ar) * K + ac * 8;
  const __half* pb = g.b + size_t(br) * M + bn * BN + bc * 8;
  const uint32_t sa = ar * 128 + ((ac ^ (ar & 7)) * 16), sb = (bc / 8) * (BK * 128) + br * 128 + (((bc % 8) ^ (br & 7)) * 16);
  auto load_a = [&](int k) {
    const uint32_t s = base + (k % STAGES) * STAGE;
#pragma unroll
    for (int i = 0; i < 4; ++i) copy16(s + sa + i * 32 * 128, pa + size_t(i) * 32 * K + k * BK);
  };
  auto load_b = [&](int k) {
    const uint32_t s = base + (k % STAGES) * STAGE + A_BYTES;
#pragma unroll
    for (int i = 0; i < 8; ++i) copy16(s + sb + i * 8 * 128, pb + size_t(k * BK + i * 8) * M);
  };
  const int steps = K / BK;
  for (int s = 0; s < STAGES - 1; ++s) load_b(s);  // the weights depend on nobody
  if (product == 1) {
    if (sync.mode == dependent) wait_dependency();
    if (sync.mode == row || sync.mode == tile) {
      if (t == 0) wait_for(semaphore(sync, bm, 0), needed(sync));
      __syncthreads();
    }
  }
#pragma unroll
  for (int s = 0; s < STAGES - 1; ++s) {
    load_a(s);
    asm volatile("cp.async.commit_group;" ::: "memory");  // the first group holds all early loads of b, too
  }
  float d[128];
  for (int k = 0; k < steps; ++k) {
    asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2) : "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    const uint32_t s = base + (k % STAGES) * STAGE;
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
    for (int kk = 0; kk < BK / 16; ++kk)
      wgmma(d, descriptor(s + wg * 64 * 128 + kk * 32, 16, 1024), descriptor(s + A_BYTES + kk * 2048, BK * 128, 1024),
            k + kk > 0);
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");  // the slot that is filled next was read a step ago
    const int next = k + STAGES - 1;
    if (product == 1 && sync.mode == tile && t == 0 && next < steps && next % (BN / BK) == 0)
      wait_for(semaphore(sync, bm, next / (BN / BK)), needed(sync));
    __syncthreads();
    if (next < steps) {
      load_b(next);
      load_a(next);
    }
    asm volatile("cp.async.commit_group;" ::: "memory");
  }
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  store(d, g.c, g.n, bm * BM + wg * 64, bn * BN);
  if (product == 0 && (sync.mode == row || sync.mode == tile)) {
    __syncthreads();
    if (t == 0) {
      __threadfence();
      release_add(const_cast<unsigned*>(semaphore(sync, bm, bn)));
    }
  }
  if (product == 1 && t == 0) {
    finish(sync);
    if (sync.programmatic) wait_dependency();
  }
}

// ------------------------------------------------------- kinds tma1, tma2: TMA, 128 threads that load, 256 that multiply
struct Side {
  CUtensorMap a, b;
  __half* c;
  int n, steps;
};
struct Pair {
  Side side[2];
};

__device__ __forceinline__ void barrier_init(uint32_t b, int count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(b), "r"(count) : "memory");
}
__device__ __forceinline__ void barrier_expect(uint32_t b, int bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(b), "r"(bytes) : "memory");
}
__device__ __forceinline__ bool barrier_try(uint32_t b, uint32_t parity) {
  uint32_t done;
  asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p;}"
               : "=r"(done)
               : "r"(b), "r"(parity)
               : "memory");
  return done;
}
__device__ __forceinline__ void barrier_wait(uint32_t b, uint32_t parity) {
  while (!barrier_try(b, parity)) {
  }
}
/// Arrives at the barrier that lies at `b` in block `rank` of the cluster.
__device__ __forceinline__ void barrier_arrive(uint32_t b, uint32_t rank) {
  asm volatile("{.reg .b32 remote; mapa.shared::cluster.u32 remote, %0, %1;\n"
               "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [remote];}" ::"r"(b),
               "r"(rank)
               : "memory");
}
__device__ __forceinline__ void load_box(uint32_t to, const CUtensorMap* map, uint32_t barrier, int x, int y) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];" ::"r"(to),
               "l"(map), "r"(barrier), "r"(x), "r"(y)
               : "memory");
}
__device__ __forceinline__ void load_box_to_all(uint32_t to, const CUtensorMap* map, uint32_t barrier, int x, int y, uint16_t mask) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1, {%3, %4}], [%2], %5;" ::"r"(to),
               "l"(map), "r"(barrier), "r"(x), "r"(y), "h"(mask)
               : "memory");
}
__device__ __forceinline__ uint32_t cluster_rank() {
  uint32_t r;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(r));
  return r;
}
__device__ __forceinline__ void cluster_barrier() {
  asm volatile("barrier.cluster.arrive.release;\nbarrier.cluster.wait.acquire;" ::: "memory");
}

/// Each cluster does list[cluster * most + 0, 1, ...] until -1; `last` says that this launch holds the second product.
template <int CLUSTER>
__global__ void __launch_bounds__(384, 1)
    gemm_tma(const __grid_constant__ Pair pair, const int* list, int most, int first, int last, const Sync sync) {
  extern __shared__ uint8_t smem[];
  const uint32_t base = (uint32_t(__cvta_generic_to_shared(smem)) + 1023) & ~1023u;
  const uint32_t full = base + STAGES * STAGE, empty = full + STAGES * 8;
  const int t = threadIdx.x, group = t / 128, cluster = blockIdx.x / CLUSTER;
  const uint32_t rank = CLUSTER == 1 ? 0 : cluster_rank();
  if (t == 0) {
    for (int s = 0; s < STAGES; ++s) {
      barrier_init(full + s * 8, 1);
      barrier_init(empty + s * 8, 8 * CLUSTER);  // the warps that multiply, of all blocks of the cluster
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    if (first) {
      if (sync.programmatic) launch_dependents();
      else if (!last && sync.mode != none) atomicAdd(&sync.words[1], 1u);
    }
  }
  if (CLUSTER > 1) cluster_barrier();
  else __syncthreads();
  const int* works = list + cluster * most;

  if (group == 0) {  // loads
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
    if (t == 0) {
      uint32_t step = 0;
      for (int i = 0; i < most; ++i) {
        const int work = works[i];
        if (work < 0) break;
        const int product = work >> 24, row_tile = (work >> 12 & 0xfff) * CLUSTER + int(rank), column = work & 0xfff;
        const Side& g = pair.side[product];
        const bool waits = product == 1 && (sync.mode == row || sync.mode == tile);
        for (int k = 0; k < g.steps; ++k, ++step) {
          const uint32_t s = step % STAGES, slot = base + s * STAGE, ready = full + s * 8;
          if (step >= STAGES) barrier_wait(empty + s * 8, (step / STAGES - 1) & 1);
          barrier_expect(ready, STAGE);
#pragma unroll
          for (int j = 0; j < BN / 64 / CLUSTER; ++j) {  // the weights depend on nobody
            const int block = int(rank) * (BN / 64 / CLUSTER) + j;
            const uint32_t to = slot + A_BYTES + block * (BK * 128);
            if constexpr (CLUSTER == 1) load_box(to, &g.b, ready, column * BN + block * 64, k * BK);
            else load_box_to_all(to, &g.b, ready, column * BN + block * 64, k * BK, uint16_t((1 << CLUSTER) - 1));
          }
          if (product == 1 && sync.mode == dependent && k == 0) wait_dependency();
          if (waits && (k == 0 || (sync.mode == tile && k % (BN / BK) == 0))) {
            wait_for(semaphore(sync, row_tile, k / (BN / BK)), needed(sync));
            asm volatile("fence.proxy.async;" ::: "memory");  // the tile was stored by ordinary stores
          }
          load_box(slot, &g.a, ready, k * BK, row_tile * BM);
        }
      }
      if (last) {
        finish(sync);
        if (sync.programmatic && !first) wait_dependency();
      }
    }
    __syncwarp();
  } else {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
    const int wg = group - 1, lane = t % 32;
    uint32_t step = 0;
    float d[128];
    for (int i = 0; i < most; ++i) {
      const int work = works[i];
      if (work < 0) break;
      const int product = work >> 24, row_tile = (work >> 12 & 0xfff) * CLUSTER + int(rank), column = work & 0xfff;
      const int steps = pair.side[product].steps;
      for (int k = 0; k < steps; ++k, ++step) {
        const uint32_t s = step % STAGES, slot = base + s * STAGE;
        barrier_wait(full + s * 8, (step / STAGES) & 1);
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
        for (int kk = 0; kk < BK / 16; ++kk)
          wgmma(d, descriptor(slot + wg * 64 * 128 + kk * 32, 16, 1024), descriptor(slot + A_BYTES + kk * 2048, BK * 128, 1024),
                k + kk > 0);
        asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
        if (k > 0) {  // the step before has been read
          asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
          if (lane < CLUSTER) barrier_arrive(empty + ((step - 1) % STAGES) * 8, lane);
        }
      }
      asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
      if (lane < CLUSTER) barrier_arrive(empty + ((step - 1) % STAGES) * 8, lane);
      store(d, pair.side[product].c, pair.side[product].n, row_tile * BM + wg * 64, column * BN);
      if (product == 0 && (sync.mode == row || sync.mode == tile)) {
        asm volatile("fence.proxy.async;" ::: "memory");
        asm volatile("bar.sync %0, 128;" ::"r"(1 + wg) : "memory");
        if (t % 128 == 0) {
          __threadfence();
          release_add(const_cast<unsigned*>(semaphore(sync, row_tile, column)));
        }
      }
    }
  }
  if (CLUSTER > 1) cluster_barrier();  // nobody leaves while others may still arrive at its barriers
}
