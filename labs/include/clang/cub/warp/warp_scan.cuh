// cub::WarpScan, from CUB's documentation, within groups of `Width` lanes.
#pragma once
#include "../dojo_cub_parts.cuh"
DOJO_SHIM_BEGIN
namespace cub {

template <class _T, int Width = 32> class WarpScan {
 public:
  struct TempStorage {};
  DOJO_MEMBER explicit WarpScan(TempStorage&) {}

  template <class Op> DOJO_MEMBER void InclusiveScan(_T in, _T& out, Op op) { out = dojo_parts::scan_lanes(in, op, Width, dojo_parts::group_of(Width)); }
  template <class Op> DOJO_MEMBER void InclusiveScan(_T in, _T& out, Op op, _T& total) {
    out = dojo_parts::scan_lanes(in, op, Width, dojo_parts::group_of(Width));
    total = dojo_parts::shuffle(out, Width - 1, Width, dojo_parts::group_of(Width));
  }
  template <class Op> DOJO_MEMBER void ExclusiveScan(_T in, _T& out, _T start, Op op) {
    exclusive(in, out, start, op);
  }
  template <class Op> DOJO_MEMBER void ExclusiveScan(_T in, _T& out, _T start, Op op, _T& total) {
    total = dojo_parts::shuffle(exclusive(in, out, start, op), Width - 1, Width, dojo_parts::group_of(Width));
  }
  DOJO_MEMBER void InclusiveSum(_T in, _T& out) { InclusiveScan(in, out, dojo_parts::Plus()); }
  DOJO_MEMBER void InclusiveSum(_T in, _T& out, _T& total) { InclusiveScan(in, out, dojo_parts::Plus(), total); }
  DOJO_MEMBER void ExclusiveSum(_T in, _T& out) { ExclusiveScan(in, out, _T(), dojo_parts::Plus()); }
  DOJO_MEMBER void ExclusiveSum(_T in, _T& out, _T& total) { ExclusiveScan(in, out, _T(), dojo_parts::Plus(), total); }
  DOJO_MEMBER _T Broadcast(_T value, unsigned lane) { return dojo_parts::shuffle(value, int(lane), Width, dojo_parts::group_of(Width)); }

 private:
  /// Gives the inclusive result. Reads no lane after this one, which may not exist.
  template <class Op> DOJO_MEMBER _T exclusive(_T in, _T& out, _T start, Op op) {
    const _T sum = dojo_parts::scan_lanes(in, op, Width, dojo_parts::group_of(Width));
    const _T left = dojo_parts::shuffle_up(sum, 1, Width, dojo_parts::group_of(Width));
    out = threadIdx.x % Width == 0 ? start : op(start, left);
    return sum;
  }
};

}  // namespace cub
DOJO_SHIM_END
