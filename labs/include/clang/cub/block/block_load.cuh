// cub::BlockLoad, from CUB's documentation: thread t gets the items t * N to t * N + N - 1 (blocked), or with
// BLOCK_LOAD_STRIPED every Threads-th. Every algorithm loads directly.
#pragma once
DOJO_SHIM_BEGIN
namespace cub {

enum BlockLoadAlgorithm {
  BLOCK_LOAD_DIRECT,
  BLOCK_LOAD_STRIPED,
  BLOCK_LOAD_VECTORIZE,
  BLOCK_LOAD_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};

template <class _T, int _N, class _I> DOJO_MEMBER void LoadDirectBlocked(int thread, _I in, _T (&items)[_N]) {
#pragma unroll
  for (int i = 0; i < _N; ++i) items[i] = in[thread * _N + i];
}
template <class _T, int _N, class _I> DOJO_MEMBER void LoadDirectBlocked(int thread, _I in, _T (&items)[_N], int valid) {
#pragma unroll
  for (int i = 0; i < _N; ++i)
    if (thread * _N + i < valid) items[i] = in[thread * _N + i];
}
template <int Threads, class _T, int _N, class _I> DOJO_MEMBER void LoadDirectStriped(int thread, _I in, _T (&items)[_N]) {
#pragma unroll
  for (int i = 0; i < _N; ++i) items[i] = in[thread + i * Threads];
}

template <class _T, int Threads, int _N, BlockLoadAlgorithm Algorithm = BLOCK_LOAD_DIRECT>
class BlockLoad {
 public:
  struct TempStorage {};
  DOJO_MEMBER BlockLoad() {}
  DOJO_MEMBER explicit BlockLoad(TempStorage&) {}
  template <class _I> DOJO_MEMBER void Load(_I in, _T (&items)[_N]) {
#pragma unroll
    for (int i = 0; i < _N; ++i) items[i] = in[at(i)];
  }
  template <class _I> DOJO_MEMBER void Load(_I in, _T (&items)[_N], int valid) {
#pragma unroll
    for (int i = 0; i < _N; ++i)
      if (at(i) < valid) items[i] = in[at(i)];
  }
  template <class _I, class _D> DOJO_MEMBER void Load(_I in, _T (&items)[_N], int valid, _D otherwise) {
#pragma unroll
    for (int i = 0; i < _N; ++i) items[i] = at(i) < valid ? _T(in[at(i)]) : _T(otherwise);
  }

 private:
  static DOJO_MEMBER int at(int i) {
    return Algorithm == BLOCK_LOAD_STRIPED ? int(threadIdx.x) + i * Threads : int(threadIdx.x) * _N + i;
  }
};

}  // namespace cub
DOJO_SHIM_END
