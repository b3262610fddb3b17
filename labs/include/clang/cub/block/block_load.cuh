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

template <class T, int N, class I> DOJO_MEMBER void LoadDirectBlocked(int thread, I in, T (&items)[N]) {
#pragma unroll
  for (int i = 0; i < N; ++i) items[i] = in[thread * N + i];
}
template <class T, int N, class I> DOJO_MEMBER void LoadDirectBlocked(int thread, I in, T (&items)[N], int valid) {
#pragma unroll
  for (int i = 0; i < N; ++i)
    if (thread * N + i < valid) items[i] = in[thread * N + i];
}
template <int Threads, class T, int N, class I> DOJO_MEMBER void LoadDirectStriped(int thread, I in, T (&items)[N]) {
#pragma unroll
  for (int i = 0; i < N; ++i) items[i] = in[thread + i * Threads];
}

template <class T, int Threads, int N, BlockLoadAlgorithm Algorithm = BLOCK_LOAD_DIRECT>
class BlockLoad {
 public:
  struct TempStorage {};
  DOJO_MEMBER BlockLoad() {}
  DOJO_MEMBER explicit BlockLoad(TempStorage&) {}
  template <class I> DOJO_MEMBER void Load(I in, T (&items)[N]) {
#pragma unroll
    for (int i = 0; i < N; ++i) items[i] = in[at(i)];
  }
  template <class I> DOJO_MEMBER void Load(I in, T (&items)[N], int valid) {
#pragma unroll
    for (int i = 0; i < N; ++i)
      if (at(i) < valid) items[i] = in[at(i)];
  }
  template <class I, class D> DOJO_MEMBER void Load(I in, T (&items)[N], int valid, D otherwise) {
#pragma unroll
    for (int i = 0; i < N; ++i) items[i] = at(i) < valid ? T(in[at(i)]) : T(otherwise);
  }

 private:
  static DOJO_MEMBER int at(int i) {
    return Algorithm == BLOCK_LOAD_STRIPED ? int(threadIdx.x) + i * Threads : int(threadIdx.x) * N + i;
  }
};

}  // namespace cub
DOJO_SHIM_END
