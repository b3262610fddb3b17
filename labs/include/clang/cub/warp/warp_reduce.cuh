// cub::WarpReduce, from CUB's documentation: results are valid in the first lane of each group of `Width` lanes.
#pragma once
#include "../dojo_cub_parts.cuh"
DOJO_SHIM_BEGIN
namespace cub {

template <class _T, int Width = 32> class WarpReduce {
 public:
  struct TempStorage {};
  DOJO_MEMBER explicit WarpReduce(TempStorage&) {}

  template <class Op> DOJO_MEMBER _T Reduce(_T value, Op op) { return Reduce(value, op, Width); }
  template <class Op> DOJO_MEMBER _T Reduce(_T value, Op op, int valid) {
    const int lane = int(threadIdx.x % Width);
    const unsigned mask = dojo_parts::group_of(Width);
#pragma unroll
    for (int d = 1; d < Width; d *= 2) {
      const bool beyond = valid < Width && lane + d >= valid;  // such a lane may not exist
      const _T other = dojo_parts::shuffle_down(value, beyond ? 0u : unsigned(d), Width, mask);
      if (lane + d < valid && lane + d < Width) value = op(value, other);
    }
    return value;
  }
  DOJO_MEMBER _T Sum(_T value) { return Reduce(value, dojo_parts::Plus()); }
  DOJO_MEMBER _T Sum(_T value, int valid) { return Reduce(value, dojo_parts::Plus(), valid); }
  DOJO_MEMBER _T Max(_T value) { return Reduce(value, Larger()); }
  DOJO_MEMBER _T Min(_T value) { return Reduce(value, Smaller()); }

 private:
  struct Larger {
    DOJO_MEMBER _T operator()(const _T& a, const _T& b) const { return a < b ? b : a; }
  };
  struct Smaller {
    DOJO_MEMBER _T operator()(const _T& a, const _T& b) const { return b < a ? b : a; }
  };
};

}  // namespace cub
DOJO_SHIM_END
