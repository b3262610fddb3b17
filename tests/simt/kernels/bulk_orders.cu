// One thread brings tiles of 4 KiB by bulk copies: the arrival behind its copy or before it, and a ring of
// tiles of which the next ones are in flight while one is waited for.

__device__ inline unsigned shared_address(const void* p) { return unsigned(__cvta_generic_to_shared(p)); }

__device__ inline void start(unsigned barrier) {
  asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(barrier) : "memory");
}

__device__ inline void copy(unsigned to, const char* from, unsigned bytes, unsigned barrier) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(to),
      "l"(from), "r"(bytes), "r"(barrier)
      : "memory");
}

__device__ inline void expect(unsigned barrier, unsigned bytes) {
  asm volatile("{.reg .b64 x; mbarrier.arrive.expect_tx.shared.b64 x, [%0], %1;}" ::"r"(barrier), "r"(bytes)
               : "memory");
}

__device__ inline void wait(unsigned barrier, unsigned parity) {
  int ended = 0;
  while (!ended)
    asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.b32 %0, 1, 0, p;}"
                 : "=r"(ended)
                 : "r"(barrier), "r"(parity)
                 : "memory");
}

constexpr unsigned tile_bytes = 4096, stages = 4;

template <bool CopyFirst>
__device__ void one_tile(const char* in, unsigned* out, int rounds) {
  __shared__ __align__(128) char tile[tile_bytes];
  __shared__ __align__(8) unsigned long long full;
  const unsigned barrier = shared_address(&full);
  start(barrier);
#pragma unroll 1
  for (int r = 0; r < rounds; ++r) {
    if (!CopyFirst) expect(barrier, tile_bytes);
    copy(shared_address(tile), in + r * tile_bytes, tile_bytes, barrier);
    if (CopyFirst) expect(barrier, tile_bytes);
    wait(barrier, r & 1);
  }
  out[0] = *(const unsigned*)tile;
}

__global__ void copies_first(const char* in, unsigned* out, int rounds) { one_tile<true>(in, out, rounds); }
__global__ void arrival_first(const char* in, unsigned* out, int rounds) { one_tile<false>(in, out, rounds); }

// Before a place of the ring is filled again, the thread looks at the mbarrier of its consumers: itself.
__global__ void ring(const char* in, unsigned* out, int rounds) {
  __shared__ __align__(128) char tile[stages][tile_bytes];
  __shared__ __align__(8) unsigned long long full[stages], empty[stages];
  for (unsigned s = 0; s < stages; ++s) {
    start(shared_address(&full[s]));
    start(shared_address(&empty[s]));
  }
#pragma unroll 1
  for (int r = 0; r < rounds + int(stages) - 1; ++r) {
    if (r < rounds) {
      const unsigned s = unsigned(r) % stages, barrier = shared_address(&full[s]);
      if (r >= int(stages)) wait(shared_address(&empty[s]), (r / stages - 1) & 1);
      expect(barrier, tile_bytes);
      copy(shared_address(tile[s]), in + r * tile_bytes, tile_bytes, barrier);
    }
    const int done = r - int(stages) + 1;
    if (done < 0) continue;
    wait(shared_address(&full[unsigned(done) % stages]), (done / stages) & 1);
    expect(shared_address(&empty[unsigned(done) % stages]), 0);
  }
  out[0] = *(const unsigned*)tile;
}
