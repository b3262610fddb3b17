// CUB's histograms for whole programs. A lab's step has none: a lab asks for one.
#pragma once
#ifdef __CUDACC_RTC__
#include "dojo_cub_device.hpp"
DOJO_SHIM_BEGIN
namespace cub {

/// Counts of samples by interval; what lies outside all of them counts nowhere.
struct DeviceHistogram {
  template <class L> struct Even {
    L lower, upper;
    int bins;
    template <class S> __device__ int operator()(S s) const {
      typedef __dojo_std::common_type_t<L, S> C;
      if (!(C(s) >= C(lower) && C(s) < C(upper))) return -1;
      if constexpr (__dojo_std::is_integral_v<C>)
        return int((unsigned long long)(C(s) - C(lower)) * (unsigned long long)bins / (unsigned long long)(C(upper) - C(lower)));
      else
        return int((C(s) - C(lower)) * (C(bins) / (C(upper) - C(lower))));
    }
  };
  template <class L> struct Range {
    const L* levels;
    int bins;
    template <class S> __device__ int operator()(S s) const {
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
  template <class C> struct Clear {
    C* counts;
    __device__ void operator()(size_t i) const { counts[i] = 0; }
  };
  template <class I, class C, class B> struct Count {
    I in;
    C* counts;
    B bin;
    __device__ void operator()(size_t i) const {
      const int b = bin(in[i]);
      if (b >= 0) atomicAdd(counts + b, C(1));
    }
  };
  template <class I, class C, class B>
  static cudaError_t run(void* storage, size_t& bytes, I in, C* counts, int levels, B bin, size_t n, cudaStream_t s) {
    if (__dojo_asks(storage, bytes)) return cudaSuccess;
    __dojo_par::each(size_t(levels - 1), Clear<C>{counts}, s);
    __dojo_par::each(n, Count<I, C, B>{in, counts, bin}, s);
    return __dojo_ran();
  }
  template <class I, class C, class L, class N>
  static cudaError_t HistogramEven(void* storage, size_t& bytes, I in, C* counts, int levels, L lower, L upper, N n, cudaStream_t s = 0) {
    return run(storage, bytes, in, counts, levels, Even<L>{lower, upper, levels - 1}, size_t(n), s);
  }
  template <class I, class C, class L, class N>
  static cudaError_t HistogramRange(void* storage, size_t& bytes, I in, C* counts, int levels, const L* bounds, N n, cudaStream_t s = 0) {
    return run(storage, bytes, in, counts, levels, Range<L>{bounds, levels - 1}, size_t(n), s);
  }
};

}  // namespace cub
DOJO_SHIM_END
#endif
