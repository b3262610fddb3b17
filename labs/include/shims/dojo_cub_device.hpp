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
template <class T> struct DoubleBuffer {
  T* d_buffers[2] = {nullptr, nullptr};
  int selector = 0;
  DoubleBuffer() {}
  DoubleBuffer(T* current, T* alternate) : d_buffers{current, alternate} {}
  T* Current() { return d_buffers[selector]; }
  T* Alternate() { return d_buffers[selector ^ 1]; }
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
template <class I> using __dojo_value = __dojo_std::decay_t<decltype(__dojo_std::declval<I>()[0])>;
inline cudaError_t __dojo_ran() { return cudaPeekAtLastError(); }

struct DeviceReduce {
  template <class I, class R, class N, class O, class T>
  static cudaError_t Reduce(void* storage, size_t& bytes, I in, R out, N n, O op, T start, cudaStream_t s = 0) {
    if (__dojo_asks(storage, bytes)) return cudaSuccess;
    __dojo_par::reduce<T>(in, size_t(n), out, op, start, true, s);
    return __dojo_ran();
  }
  template <class I, class R, class N> static cudaError_t Sum(void* storage, size_t& bytes, I in, R out, N n, cudaStream_t s = 0) {
    return Reduce(storage, bytes, in, out, n, __dojo_par::Add(), __dojo_value<R>(0), s);
  }
  template <class I, class R, class N> static cudaError_t Min(void* storage, size_t& bytes, I in, R out, N n, cudaStream_t s = 0) {
    return Reduce(storage, bytes, in, out, n, __dojo_par::Least(), __dojo_std::numeric_limits<__dojo_value<R>>::max(), s);
  }
  template <class I, class R, class N> static cudaError_t Max(void* storage, size_t& bytes, I in, R out, N n, cudaStream_t s = 0) {
    return Reduce(storage, bytes, in, out, n, __dojo_par::Most(), __dojo_std::numeric_limits<__dojo_value<R>>::lowest(), s);
  }
};

struct DeviceScan {
  template <class I, class R, class O, class T, class N>
  static cudaError_t ExclusiveScan(void* storage, size_t& bytes, I in, R out, O op, T start, N n, cudaStream_t s = 0) {
    if (__dojo_asks(storage, bytes)) return cudaSuccess;
    __dojo_par::scan<T>(in, out, size_t(n), op, start, true, true, s);
    return __dojo_ran();
  }
  template <class I, class R, class O, class N>
  static cudaError_t InclusiveScan(void* storage, size_t& bytes, I in, R out, O op, N n, cudaStream_t s = 0) {
    if (__dojo_asks(storage, bytes)) return cudaSuccess;
    typedef __dojo_value<I> T;
    __dojo_par::scan<T>(in, out, size_t(n), op, T(), false, false, s);
    return __dojo_ran();
  }
  template <class I, class R, class N> static cudaError_t ExclusiveSum(void* storage, size_t& bytes, I in, R out, N n, cudaStream_t s = 0) {
    return ExclusiveScan(storage, bytes, in, out, __dojo_par::Add(), __dojo_value<I>(0), n, s);
  }
  template <class I, class R, class N> static cudaError_t InclusiveSum(void* storage, size_t& bytes, I in, R out, N n, cudaStream_t s = 0) {
    return InclusiveScan(storage, bytes, in, out, __dojo_par::Add(), n, s);
  }
};

/// The bits [begin, end) of a key, in the order of its values.
template <class K> struct __dojo_bits {
  int begin, end;
  static unsigned long long of(const K& k) {
    unsigned long long v = 0;
    memcpy(&v, &k, sizeof k);
    const unsigned long long sign = 1ull << (8 * sizeof(K) - 1);
    if constexpr (K(-1) < K(0)) {
      if constexpr (K(0.5) != K(0))
        v = v & sign ? ~v : v | sign;  // a floating-point number
      else
        v ^= sign;
    }
    return v;
  }
  unsigned long long part(const K& k) const {
    const unsigned long long v = of(k) >> begin;
    return end - begin >= 64 ? v : v & ((1ull << (end - begin)) - 1);
  }
};
template <class K> struct __dojo_up : __dojo_bits<K> {
  bool operator()(const K& a, const K& b) const { return this->part(a) < this->part(b); }
};
template <class K> struct __dojo_down : __dojo_bits<K> {
  bool operator()(const K& a, const K& b) const { return this->part(b) < this->part(a); }
};

struct DeviceRadixSort {
  template <class L, class K, class V>
  static cudaError_t run(void* storage, size_t& bytes, const K* in, K* out, const V* values, V* values_out, size_t n, L less, cudaStream_t s) {
    if (__dojo_asks(storage, bytes)) return cudaSuccess;
    if (in != out) cudaMemcpyAsync(out, in, n * sizeof(K), cudaMemcpyDeviceToDevice, s);
    if (values_out && values != values_out) cudaMemcpyAsync(values_out, values, n * sizeof(V), cudaMemcpyDeviceToDevice, s);
    __dojo_par::sort(out, values_out, n, less, s);
    return __dojo_ran();
  }
#define DOJO_RADIX(suffix, order) \
  template <class K, class N> \
  static cudaError_t SortKeys##suffix(void* storage, size_t& bytes, const K* in, K* out, N n, int begin = 0, int end = 8 * sizeof(K), cudaStream_t s = 0) { \
    return run(storage, bytes, in, out, (const char*)nullptr, (char*)nullptr, size_t(n), order<K>{{begin, end}}, s); \
  } \
  template <class K, class V, class N> \
  static cudaError_t SortPairs##suffix(void* storage, size_t& bytes, const K* in, K* out, const V* values, V* values_out, N n, int begin = 0, int end = 8 * sizeof(K), cudaStream_t s = 0) { \
    return run(storage, bytes, in, out, values, values_out, size_t(n), order<K>{{begin, end}}, s); \
  } \
  template <class K, class N> \
  static cudaError_t SortKeys##suffix(void* storage, size_t& bytes, DoubleBuffer<K>& keys, N n, int begin = 0, int end = 8 * sizeof(K), cudaStream_t s = 0) { \
    return run(storage, bytes, (const K*)keys.Current(), keys.Current(), (const char*)nullptr, (char*)nullptr, size_t(n), order<K>{{begin, end}}, s); \
  } \
  template <class K, class V, class N> \
  static cudaError_t SortPairs##suffix(void* storage, size_t& bytes, DoubleBuffer<K>& keys, DoubleBuffer<V>& values, N n, int begin = 0, int end = 8 * sizeof(K), cudaStream_t s = 0) { \
    return run(storage, bytes, (const K*)keys.Current(), keys.Current(), (const V*)values.Current(), values.Current(), size_t(n), order<K>{{begin, end}}, s); \
  }
  DOJO_RADIX(, __dojo_up)
  DOJO_RADIX(Descending, __dojo_down)
#undef DOJO_RADIX
};

struct DeviceSelect {
  template <class I, class R, class C, class N, class P>
  static cudaError_t run(void* storage, size_t& bytes, I in, R out, C count, N n, P keeps, cudaStream_t s) {
    if (__dojo_asks(storage, bytes)) return cudaSuccess;
    const __dojo_value<C> kept(__dojo_par::select(in, out, size_t(n), keeps, s));
    cudaMemcpyAsync((void*)count, (const void*)&kept, sizeof kept, cudaMemcpyHostToDevice, s);
    return __dojo_ran();
  }
  struct Itself {
    template <class T> bool operator()(const T& v) const { return bool(v); }
  };
  template <class I, class F, class R, class C, class N>
  static cudaError_t Flagged(void* storage, size_t& bytes, I in, F flags, R out, C count, N n, cudaStream_t s = 0) {
    return run(storage, bytes, in, out, count, n, __dojo_par::KeepsByStencil<F, Itself>{flags, {}}, s);
  }
  template <class I, class R, class C, class N, class Q>
  static cudaError_t If(void* storage, size_t& bytes, I in, R out, C count, N n, Q is, cudaStream_t s = 0) {
    return run(storage, bytes, in, out, count, n, __dojo_par::KeepsIf<Q>{is, true}, s);
  }
  template <class I, class R, class C, class N>
  static cudaError_t Unique(void* storage, size_t& bytes, I in, R out, C count, N n, cudaStream_t s = 0) {
    return run(storage, bytes, in, out, count, n, __dojo_par::KeepsNew(), s);
  }
};

}  // namespace cub
DOJO_SHIM_END
#endif
