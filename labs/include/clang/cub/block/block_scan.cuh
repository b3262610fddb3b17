// cub::BlockScan, from CUB's documentation: each warp scans by shuffles, and the warps' totals are added from shared
// memory. One-dimensional blocks; every algorithm is this one. Between two uses of one storage goes a __syncthreads().
#pragma once
#include "../dojo_cub_parts.cuh"
DOJO_SHIM_BEGIN
namespace cub {

enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };

template <class _T, int Threads, BlockScanAlgorithm Algorithm = BLOCK_SCAN_RAKING>
class BlockScan {
  static constexpr int warps = (Threads + 31) / 32;
  typedef dojo_parts::Plus Plus;

 public:
  struct TempStorage {
    _T of_warp[warps];
  };
  DOJO_MEMBER explicit BlockScan(TempStorage& storage) : storage_(storage) {}

  template <class Op> DOJO_MEMBER void InclusiveScan(_T in, _T& out, Op op, _T& total) {
    bool first;
    _T before;
    out = scan(in, op, total, before, first);
  }
  template <class Op> DOJO_MEMBER void InclusiveScan(_T in, _T& out, Op op) {
    _T total;
    InclusiveScan(in, out, op, total);
  }
  template <class Op> DOJO_MEMBER void ExclusiveScan(_T in, _T& out, _T start, Op op, _T& total) {
    bool first;
    _T before;
    scan(in, op, total, before, first);
    out = first ? start : op(start, before);
  }
  template <class Op> DOJO_MEMBER void ExclusiveScan(_T in, _T& out, _T start, Op op) {
    _T total;
    ExclusiveScan(in, out, start, op, total);
  }
  template <int _N, class Op> DOJO_MEMBER void InclusiveScan(_T (&in)[_N], _T (&out)[_N], Op op, _T& total) {
    _T sum = in[0];
#pragma unroll
    for (int i = 1; i < _N; ++i) sum = op(sum, in[i]);
    bool first;
    _T before;
    scan(sum, op, total, before, first);
    sum = in[0];
    out[0] = sum = first ? sum : op(before, sum);
#pragma unroll
    for (int i = 1; i < _N; ++i) out[i] = sum = op(sum, in[i]);
  }
  template <int _N, class Op> DOJO_MEMBER void InclusiveScan(_T (&in)[_N], _T (&out)[_N], Op op) {
    _T total;
    InclusiveScan(in, out, op, total);
  }
  template <int _N, class Op> DOJO_MEMBER void ExclusiveScan(_T (&in)[_N], _T (&out)[_N], _T start, Op op, _T& total) {
    _T sum = in[0];
#pragma unroll
    for (int i = 1; i < _N; ++i) sum = op(sum, in[i]);
    bool first;
    _T before;
    scan(sum, op, total, before, first);
    sum = first ? start : op(start, before);
#pragma unroll
    for (int i = 0; i < _N; ++i) {
      const _T next = op(sum, in[i]);
      out[i] = sum;
      sum = next;
    }
  }
  template <int _N, class Op> DOJO_MEMBER void ExclusiveScan(_T (&in)[_N], _T (&out)[_N], _T start, Op op) {
    _T total;
    ExclusiveScan(in, out, start, op, total);
  }
  DOJO_MEMBER void InclusiveSum(_T in, _T& out) { InclusiveScan(in, out, Plus()); }
  DOJO_MEMBER void InclusiveSum(_T in, _T& out, _T& total) { InclusiveScan(in, out, Plus(), total); }
  DOJO_MEMBER void ExclusiveSum(_T in, _T& out) { ExclusiveScan(in, out, _T(), Plus()); }
  DOJO_MEMBER void ExclusiveSum(_T in, _T& out, _T& total) { ExclusiveScan(in, out, _T(), Plus(), total); }
  template <int _N> DOJO_MEMBER void InclusiveSum(_T (&in)[_N], _T (&out)[_N]) { InclusiveScan(in, out, Plus()); }
  template <int _N> DOJO_MEMBER void InclusiveSum(_T (&in)[_N], _T (&out)[_N], _T& total) { InclusiveScan(in, out, Plus(), total); }
  template <int _N> DOJO_MEMBER void ExclusiveSum(_T (&in)[_N], _T (&out)[_N]) { ExclusiveScan(in, out, _T(), Plus()); }
  template <int _N> DOJO_MEMBER void ExclusiveSum(_T (&in)[_N], _T (&out)[_N], _T& total) { ExclusiveScan(in, out, _T(), Plus(), total); }

 private:
  /// The inclusive result of this thread; what all threads before it make together, where there are any.
  template <class Op> DOJO_MEMBER _T scan(_T value, Op op, _T& total, _T& before, bool& first) {
    const int lane = int(threadIdx.x % 32), warp = int(threadIdx.x / 32);
    const unsigned mask = dojo_parts::lanes_of_block<Threads>();
    _T sum = dojo_parts::scan_lanes(value, op, 32, mask);
    const _T left = dojo_parts::shuffle_up(sum, 1, 32, mask);
    if (lane == 31 || int(threadIdx.x) == Threads - 1) storage_.of_warp[warp] = sum;
    __syncthreads();
    _T whole = storage_.of_warp[0], earlier = whole;
#pragma unroll
    for (int w = 1; w < warps; ++w) {
      if (w == warp) earlier = whole;
      whole = op(whole, storage_.of_warp[w]);
    }
    total = whole;
    first = threadIdx.x == 0;
    before = lane == 0 ? earlier : warp == 0 ? left : op(earlier, left);
    return warp == 0 ? sum : op(earlier, sum);
  }
  TempStorage& storage_;
};

}  // namespace cub
DOJO_SHIM_END
