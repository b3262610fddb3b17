// CUB's histograms for whole programs. A lab's step has none: a lab asks for one.
#pragma once
#ifdef __CUDACC_RTC__
#include "dojo_cub_device.hpp"
DOJO_SHIM_BEGIN
namespace cub {

/// Counts of samples by interval; what lies outside all of them counts nowhere.
struct DeviceHistogram {
  template <class _L> struct Even {
    _L lower, upper;
    int bins;
    template <class _S> __device__ int operator()(_S s) const {
      typedef __dojo_std::common_type_t<_L, _S> _C;
      if (!(_C(s) >= _C(lower) && _C(s) < _C(upper))) return -1;
      if constexpr (__dojo_std::is_integral_v<_C>)
        return int((unsigned long long)(_C(s) - _C(lower)) * (unsigned long long)bins / (unsigned long long)(_C(upper) - _C(lower)));
      else
        return int((_C(s) - _C(lower)) * (_C(bins) / (_C(upper) - _C(lower))));
    }
  };
  template <class _L> struct Range {
    const _L* levels;
    int bins;
    template <class _S> __device__ int operator()(_S s) const {
      int lo = 0, hi = bins + 1;  // the first level above s
      while (lo < hi) {
        const int mid = (lo + hi) / 2;
        if (levels[mid] <= s)
          lo = mid + 1;
        else
          hi = mid;
      }
      return lo - 1 < bins ? lo - 1 : -1;
    }
  };
  template <class _C> struct Clear {
    _C* counts;
    __device__ void operator()(size_t i) const { counts[i] = 0; }
  };
  template <class _I, class _C, class _B> struct Count {
    _I in;
    _C* counts;
    _B bin;
    __device__ void operator()(size_t i) const {
      const int b = bin(in[i]);
      if (b >= 0) atomicAdd(counts + b, _C(1));
    }
  };
  template <class _I, class _C, class _B>
  static cudaError_t run(void* storage, size_t& bytes, _I in, _C* counts, int levels, _B bin, size_t n, cudaStream_t s) {
    if (__dojo_asks(storage, bytes)) return cudaSuccess;
    __dojo_par::each(size_t(levels - 1), Clear<_C>{counts}, s);
    __dojo_par::each(n, Count<_I, _C, _B>{in, counts, bin}, s);
    return __dojo_ran();
  }
  template <class _I, class _C, class _L, class _N>
  static cudaError_t HistogramEven(void* storage, size_t& bytes, _I in, _C* counts, int levels, _L lower, _L upper, _N n, cudaStream_t s = 0) {
    return run(storage, bytes, in, counts, levels, Even<_L>{lower, upper, levels - 1}, size_t(n), s);
  }
  template <class _I, class _C, class _L, class _N>
  static cudaError_t HistogramRange(void* storage, size_t& bytes, _I in, _C* counts, int levels, const _L* bounds, _N n, cudaStream_t s = 0) {
    return run(storage, bytes, in, counts, levels, Range<_L>{bounds, levels - 1}, size_t(n), s);
  }
};

}  // namespace cub
DOJO_SHIM_END
#endif
