// cub::BlockStore, from CUB's documentation: thread t stores the items t * N to t * N + N - 1 (blocked), or with
// BLOCK_STORE_STRIPED every Threads-th. Every algorithm stores directly.
#pragma once
DOJO_SHIM_BEGIN
namespace cub {

enum BlockStoreAlgorithm {
  BLOCK_STORE_DIRECT,
  BLOCK_STORE_STRIPED,
  BLOCK_STORE_VECTORIZE,
  BLOCK_STORE_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};

template <class _T, int _N, class _I> DOJO_MEMBER void StoreDirectBlocked(int thread, _I out, _T (&items)[_N]) {
#pragma unroll
  for (int i = 0; i < _N; ++i) out[thread * _N + i] = items[i];
}
template <class _T, int _N, class _I> DOJO_MEMBER void StoreDirectBlocked(int thread, _I out, _T (&items)[_N], int valid) {
#pragma unroll
  for (int i = 0; i < _N; ++i)
    if (thread * _N + i < valid) out[thread * _N + i] = items[i];
}
template <int Threads, class _T, int _N, class _I> DOJO_MEMBER void StoreDirectStriped(int thread, _I out, _T (&items)[_N]) {
#pragma unroll
  for (int i = 0; i < _N; ++i) out[thread + i * Threads] = items[i];
}

template <class _T, int Threads, int _N, BlockStoreAlgorithm Algorithm = BLOCK_STORE_DIRECT>
class BlockStore {
 public:
  struct TempStorage {};
  DOJO_MEMBER BlockStore() {}
  DOJO_MEMBER explicit BlockStore(TempStorage&) {}
  template <class _I> DOJO_MEMBER void Store(_I out, _T (&items)[_N]) {
#pragma unroll
    for (int i = 0; i < _N; ++i) out[at(i)] = items[i];
  }
  template <class _I> DOJO_MEMBER void Store(_I out, _T (&items)[_N], int valid) {
#pragma unroll
    for (int i = 0; i < _N; ++i)
      if (at(i) < valid) out[at(i)] = items[i];
  }

 private:
  static DOJO_MEMBER int at(int i) {
    return Algorithm == BLOCK_STORE_STRIPED ? int(threadIdx.x) + i * Threads : int(threadIdx.x) * _N + i;
  }
};

}  // namespace cub
DOJO_SHIM_END
