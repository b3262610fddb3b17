// cub::WarpScan, from CUB's documentation, within groups of `Width` lanes.
#pragma once
#include "../dojo_cub_parts.cuh"
DOJO_SHIM_BEGIN
namespace cub {

template <class T, int Width = 32> class WarpScan {
 public:
  struct TempStorage {};
  DOJO_MEMBER explicit WarpScan(TempStorage&) {}

  template <class Op> DOJO_MEMBER void InclusiveScan(T in, T& out, Op op) { out = dojo_parts::scan_lanes(in, op, Width); }
  template <class Op> DOJO_MEMBER void InclusiveScan(T in, T& out, Op op, T& total) {
    out = dojo_parts::scan_lanes(in, op, Width);
    total = dojo_parts::shuffle(out, Width - 1, Width);
  }
  template <class Op> DOJO_MEMBER void ExclusiveScan(T in, T& out, T start, Op op) {
    T total;
    ExclusiveScan(in, out, start, op, total);
  }
  template <class Op> DOJO_MEMBER void ExclusiveScan(T in, T& out, T start, Op op, T& total) {
    const T sum = dojo_parts::scan_lanes(in, op, Width);
    total = dojo_parts::shuffle(sum, Width - 1, Width);
    const T left = dojo_parts::shuffle_up(sum, 1, Width);
    out = threadIdx.x % Width == 0 ? start : op(start, left);
  }
  DOJO_MEMBER void InclusiveSum(T in, T& out) { InclusiveScan(in, out, dojo_parts::Plus()); }
  DOJO_MEMBER void InclusiveSum(T in, T& out, T& total) { InclusiveScan(in, out, dojo_parts::Plus(), total); }
  DOJO_MEMBER void ExclusiveSum(T in, T& out) { ExclusiveScan(in, out, T(), dojo_parts::Plus()); }
  DOJO_MEMBER void ExclusiveSum(T in, T& out, T& total) { ExclusiveScan(in, out, T(), dojo_parts::Plus(), total); }
  DOJO_MEMBER T Broadcast(T value, unsigned lane) { return dojo_parts::shuffle(value, int(lane), Width); }
};

}  // namespace cub
DOJO_SHIM_END
