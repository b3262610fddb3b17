// cub::BlockReduce, from CUB's documentation: each warp reduces by shuffles, its first lane stores the warp's result,
// and thread 0 combines those. Results are valid in thread 0. One-dimensional blocks and the algorithm that CUB takes
// when none is named.
#pragma once
#include "../dojo_cub_parts.cuh"
DOJO_SHIM_BEGIN
namespace cub {

enum BlockReduceAlgorithm {
  BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
  BLOCK_REDUCE_RAKING,
  BLOCK_REDUCE_WARP_REDUCTIONS
};

template <class _T, int Threads, BlockReduceAlgorithm Algorithm = BLOCK_REDUCE_WARP_REDUCTIONS>
class BlockReduce {
  static constexpr int warps = (Threads + 31) / 32;

 public:
  struct TempStorage {
    _T of_warp[warps];
  };
  DOJO_MEMBER explicit BlockReduce(TempStorage& storage) : storage_(storage) {}

  template <class Op> DOJO_MEMBER _T Reduce(_T value, Op op) { return Reduce(value, op, Threads); }
  template <class Op> DOJO_MEMBER _T Reduce(_T value, Op op, int valid) {
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int in_warp = valid - 32 * warp;  // at most 32 of them count
    const unsigned mask = dojo_parts::lanes_of_block<Threads>();
#pragma unroll
    for (int d = 1; d < 32; d *= 2) {
      const bool absent = Threads % 32 != 0 && int(threadIdx.x) + d >= Threads;
      const _T other = dojo_parts::shuffle_down(value, absent ? 0u : unsigned(d), 32, mask);
      if (lane + d < in_warp && lane + d < 32) value = op(value, other);
    }
    if (lane == 0) storage_.of_warp[warp] = value;
    __syncthreads();
    if (threadIdx.x == 0) {
#pragma unroll
      for (int w = 1; w < warps; ++w)
        if (32 * w < valid) value = op(value, storage_.of_warp[w]);
    }
    return value;
  }
  DOJO_MEMBER _T Sum(_T value) { return Reduce(value, Plus()); }
  DOJO_MEMBER _T Sum(_T value, int valid) { return Reduce(value, Plus(), valid); }
  template <int _N, class Op> DOJO_MEMBER _T Reduce(_T (&values)[_N], Op op) {
    _T value = values[0];
#pragma unroll
    for (int i = 1; i < _N; ++i) value = op(value, values[i]);
    return Reduce(value, op);
  }
  template <int _N> DOJO_MEMBER _T Sum(_T (&values)[_N]) { return Reduce(values, Plus()); }

 private:
  struct Plus {
    DOJO_MEMBER _T operator()(const _T& a, const _T& b) const { return a + b; }
  };
  TempStorage& storage_;
};

}  // namespace cub
DOJO_SHIM_END
