// CUB's device-wide algorithms for whole programs, on kernels of our own (dojo_parallel.hpp). The calls are CUB's: asked
// with no storage they say how much they want. The storage itself is not used.
#pragma once
#ifdef __CUDACC_RTC__
#ifdef __clang__
DOJO_SHIM_BEGIN
#include "limits"
#include "type_traits"
namespace cub {
namespace __dojo_std = ::std;
/// Two arrays that an algorithm may swap.
template <class _T> struct DoubleBuffer {
  _T* d_buffers[2] = {nullptr, nullptr};
  int selector = 0;
  DoubleBuffer() {}
  DoubleBuffer(_T* current, _T* alternate) : d_buffers{current, alternate} {}
  _T* Current() { return d_buffers[selector]; }
  _T* Alternate() { return d_buffers[selector ^ 1]; }
};
}  // namespace cub
#else
#include <cub/util_type.cuh>
#include <cuda/std/limits>
#include <cuda/std/type_traits>
DOJO_SHIM_BEGIN
namespace cub {
namespace __dojo_std = ::cuda::std;
}
#endif
#include "dojo_parallel.hpp"
namespace cub {

/// The first of the two calls, which only asks.
inline bool __dojo_asks(void* storage, size_t& bytes) {
  if (!storage) bytes = 256;
  return !storage;
}
template <class _I> using __dojo_value = __dojo_std::decay_t<decltype(__dojo_std::declval<_I>()[0])>;
inline cudaError_t __dojo_ran() { return cudaPeekAtLastError(); }

struct DeviceReduce {
  template <class _I, class _R, class _N, class _O, class _T>
  static cudaError_t Reduce(void* storage, size_t& bytes, _I in, _R out, _N n, _O op, _T start, cudaStream_t s = 0) {
    if (__dojo_asks(storage, bytes)) return cudaSuccess;
    __dojo_par::reduce<_T>(in, size_t(n), out, op, start, true, s);
    return __dojo_ran();
  }
  template <class _I, class _R, class _N> static cudaError_t Sum(void* storage, size_t& bytes, _I in, _R out, _N n, cudaStream_t s = 0) {
    return Reduce(storage, bytes, in, out, n, __dojo_par::Add(), __dojo_value<_R>(0), s);
  }
  template <class _I, class _R, class _N> static cudaError_t Min(void* storage, size_t& bytes, _I in, _R out, _N n, cudaStream_t s = 0) {
    return Reduce(storage, bytes, in, out, n, __dojo_par::Least(), __dojo_std::numeric_limits<__dojo_value<_R>>::max(), s);
  }
  template <class _I, class _R, class _N> static cudaError_t Max(void* storage, size_t& bytes, _I in, _R out, _N n, cudaStream_t s = 0) {
    return Reduce(storage, bytes, in, out, n, __dojo_par::Most(), __dojo_std::numeric_limits<__dojo_value<_R>>::lowest(), s);
  }
};

struct DeviceScan {
  template <class _I, class _R, class _O, class _T, class _N>
  static cudaError_t ExclusiveScan(void* storage, size_t& bytes, _I in, _R out, _O op, _T start, _N n, cudaStream_t s = 0) {
    if (__dojo_asks(storage, bytes)) return cudaSuccess;
    __dojo_par::scan<_T>(in, out, size_t(n), op, start, true, true, s);
    return __dojo_ran();
  }
  template <class _I, class _R, class _O, class _N>
  static cudaError_t InclusiveScan(void* storage, size_t& bytes, _I in, _R out, _O op, _N n, cudaStream_t s = 0) {
    if (__dojo_asks(storage, bytes)) return cudaSuccess;
    typedef __dojo_value<_I> _T;
    __dojo_par::scan<_T>(in, out, size_t(n), op, _T(), false, false, s);
    return __dojo_ran();
  }
  template <class _I, class _R, class _N> static cudaError_t ExclusiveSum(void* storage, size_t& bytes, _I in, _R out, _N n, cudaStream_t s = 0) {
    return ExclusiveScan(storage, bytes, in, out, __dojo_par::Add(), __dojo_value<_I>(0), n, s);
  }
  template <class _I, class _R, class _N> static cudaError_t InclusiveSum(void* storage, size_t& bytes, _I in, _R out, _N n, cudaStream_t s = 0) {
    return InclusiveScan(storage, bytes, in, out, __dojo_par::Add(), n, s);
  }
};

/// The bits [begin, end) of a key, in the order of its values.
template <class _K> struct __dojo_bits {
  int begin, end;
  static unsigned long long of(const _K& k) {
    unsigned long long v = 0;
    memcpy(&v, &k, sizeof k);
    const unsigned long long sign = 1ull << (8 * sizeof(_K) - 1);
    if constexpr (_K(-1) < _K(0)) {
      if constexpr (_K(0.5) != _K(0))
        v = v & sign ? ~v : v | sign;  // a floating-point number
      else
        v ^= sign;
    }
    return v;
  }
  unsigned long long part(const _K& k) const {
    const unsigned long long v = of(k) >> begin;
    return end - begin >= 64 ? v : v & ((1ull << (end - begin)) - 1);
  }
};
template <class _K> struct __dojo_up : __dojo_bits<_K> {
  bool operator()(const _K& a, const _K& b) const { return this->part(a) < this->part(b); }
};
template <class _K> struct __dojo_down : __dojo_bits<_K> {
  bool operator()(const _K& a, const _K& b) const { return this->part(b) < this->part(a); }
};

struct DeviceRadixSort {
  template <class _L, class _K, class _V>
  static cudaError_t run(void* storage, size_t& bytes, const _K* in, _K* out, const _V* values, _V* values_out, size_t n, _L less, cudaStream_t s) {
    if (__dojo_asks(storage, bytes)) return cudaSuccess;
    if (in != out) cudaMemcpyAsync(out, in, n * sizeof(_K), cudaMemcpyDeviceToDevice, s);
    if (values_out && values != values_out) cudaMemcpyAsync(values_out, values, n * sizeof(_V), cudaMemcpyDeviceToDevice, s);
    __dojo_par::sort(out, values_out, n, less, s);
    return __dojo_ran();
  }
#define DOJO_RADIX(suffix, order) \
  template <class _K, class _N> \
  static cudaError_t SortKeys##suffix(void* storage, size_t& bytes, const _K* in, _K* out, _N n, int begin = 0, int end = 8 * sizeof(_K), cudaStream_t s = 0) { \
    return run(storage, bytes, in, out, (const char*)nullptr, (char*)nullptr, size_t(n), order<_K>{{begin, end}}, s); \
  } \
  template <class _K, class _V, class _N> \
  static cudaError_t SortPairs##suffix(void* storage, size_t& bytes, const _K* in, _K* out, const _V* values, _V* values_out, _N n, int begin = 0, int end = 8 * sizeof(_K), cudaStream_t s = 0) { \
    return run(storage, bytes, in, out, values, values_out, size_t(n), order<_K>{{begin, end}}, s); \
  } \
  template <class _K, class _N> \
  static cudaError_t SortKeys##suffix(void* storage, size_t& bytes, DoubleBuffer<_K>& keys, _N n, int begin = 0, int end = 8 * sizeof(_K), cudaStream_t s = 0) { \
    return run(storage, bytes, (const _K*)keys.Current(), keys.Current(), (const char*)nullptr, (char*)nullptr, size_t(n), order<_K>{{begin, end}}, s); \
  } \
  template <class _K, class _V, class _N> \
  static cudaError_t SortPairs##suffix(void* storage, size_t& bytes, DoubleBuffer<_K>& keys, DoubleBuffer<_V>& values, _N n, int begin = 0, int end = 8 * sizeof(_K), cudaStream_t s = 0) { \
    return run(storage, bytes, (const _K*)keys.Current(), keys.Current(), (const _V*)values.Current(), values.Current(), size_t(n), order<_K>{{begin, end}}, s); \
  }
  DOJO_RADIX(, __dojo_up)
  DOJO_RADIX(Descending, __dojo_down)
#undef DOJO_RADIX
};

struct DeviceSelect {
  template <class _I, class _R, class _C, class _N, class _P>
  static cudaError_t run(void* storage, size_t& bytes, _I in, _R out, _C count, _N n, _P keeps, cudaStream_t s) {
    if (__dojo_asks(storage, bytes)) return cudaSuccess;
    const __dojo_value<_C> kept(__dojo_par::select(in, out, size_t(n), keeps, s));
    cudaMemcpyAsync((void*)count, (const void*)&kept, sizeof kept, cudaMemcpyHostToDevice, s);
    return __dojo_ran();
  }
  struct Itself {
    template <class _T> bool operator()(const _T& v) const { return bool(v); }
  };
  template <class _I, class _F, class _R, class _C, class _N>
  static cudaError_t Flagged(void* storage, size_t& bytes, _I in, _F flags, _R out, _C count, _N n, cudaStream_t s = 0) {
    return run(storage, bytes, in, out, count, n, __dojo_par::KeepsByStencil<_F, Itself>{flags, {}}, s);
  }
  template <class _I, class _R, class _C, class _N, class _Q>
  static cudaError_t If(void* storage, size_t& bytes, _I in, _R out, _C count, _N n, _Q is, cudaStream_t s = 0) {
    return run(storage, bytes, in, out, count, n, __dojo_par::KeepsIf<_Q>{is, true}, s);
  }
  template <class _I, class _R, class _C, class _N>
  static cudaError_t Unique(void* storage, size_t& bytes, _I in, _R out, _C count, _N n, cudaStream_t s = 0) {
    return run(storage, bytes, in, out, count, n, __dojo_par::KeepsNew(), s);
  }
};

}  // namespace cub
DOJO_SHIM_END
#endif
