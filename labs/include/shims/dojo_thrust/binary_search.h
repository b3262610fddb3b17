// Searches in sorted ranges: of one value, and of a range of values at once.
#pragma once
#include "all.hpp"
#ifdef __CUDACC_RTC__
DOJO_SHIM_BEGIN
namespace _thrst {

/// The first place in in[0 .. n) before which `v` may be put (`after`: the last one).
template <class R, class T, class L> size_t bound_in(R in, size_t n, const T& v, L less, bool after) {
  size_t first = 0;
  while (n > 0) {
    const size_t half = n / 2;
    if (after ? !less(v, in[first + half]) : bool(less(in[first + half], v))) {
      first += half + 1;
      n -= half + 1;
    } else {
      n = half;
    }
  }
  return first;
}
template <class R, class V, class O, class L> struct do_bound {
  R in;
  size_t n;
  V values;
  O out;
  L less;
  bool after;
  void operator()(size_t i) const { out[i] = bound_in(in, n, values[i], less, after); }
};
template <class R, class V, class O, class L> struct do_contains {
  R in;
  size_t n;
  V values;
  O out;
  L less;
  void operator()(size_t i) const {
    const size_t at = bound_in(in, n, values[i], less, false);
    out[i] = at < n && !less(values[i], in[at]);
  }
};
/// One search: a range of one value, whose result comes back to the host.
template <class P, class I, class T, class L> size_t bound_of(const P& p, I first, I last, const T& v, L less, bool after) {
  size_t* at = nullptr;
  cudaMallocManaged((void**)(void*)&at, sizeof *at);
  const constant_iterator<T> value(v);
  typedef do_bound<decltype(raw(first)), constant_iterator<T>, size_t*, L> Do;
  run(p, 1, Do{raw(first), size_t(last - first), value, at, less, after});
  cudaDeviceSynchronize();
  const size_t found = *at;
  cudaFree(at);
  return found;
}

// Policies are told from iterators by their type.
template <class T> struct is_policy { enum { value = 0 }; };
template <> struct is_policy<host_policy> { enum { value = 1 }; };
template <> struct is_policy<device_policy> { enum { value = 1 }; };
template <> struct is_policy<default_policy> { enum { value = 1 }; };
template <class T, bool is> using when = ::__dojo_thrust_std::enable_if_t<bool(is_policy<T>::value) == is, int>;

#define DOJO_BOUND(NAME, AFTER)                                                                                       \
  template <class P, class I, class T, class L, when<P, true> = 0, when<T, false> = 0>                                \
  I NAME(const P& p, I first, I last, const T& v, L less) {                                                           \
    return first + ptrdiff_t(bound_of(p, first, last, v, less, AFTER));                                               \
  }                                                                                                                   \
  template <class P, class I, class T, when<P, true> = 0> I NAME(const P& p, I first, I last, const T& v) {           \
    return NAME(p, first, last, v, less<>());                                                                         \
  }                                                                                                                   \
  template <class I, class T, when<I, false> = 0> I NAME(I first, I last, const T& v) {                               \
    return NAME(where(first), first, last, v);                                                                        \
  }                                                                                                                   \
  template <class P, class I, class V, class O, when<P, true> = 0>                                                    \
  O NAME(const P& p, I first, I last, V from, V to, O out) {                                                          \
    typedef do_bound<decltype(raw(first)), decltype(raw(from)), decltype(raw(out)), less<>> Do;                       \
    run(p, size_t(to - from), Do{raw(first), size_t(last - first), raw(from), raw(out), less<>(), AFTER});            \
    return out + (to - from);                                                                                         \
  }                                                                                                                   \
  template <class I, class V, class O, when<I, false> = 0> O NAME(I first, I last, V from, V to, O out) {             \
    return NAME(where(first), first, last, from, to, out);                                                            \
  }
DOJO_BOUND(lower_bound, false)
DOJO_BOUND(upper_bound, true)
#undef DOJO_BOUND
template <class P, class I, class T, when<P, true> = 0> bool binary_search(const P& p, I first, I last, const T& v) {
  const size_t n = size_t(last - first), at = bound_of(p, first, last, v, less<>(), false);
  return at < n && bound_of(p, first, last, v, less<>(), true) > at;
}
template <class I, class T, when<I, false> = 0> bool binary_search(I first, I last, const T& v) {
  return binary_search(where(first), first, last, v);
}
template <class P, class I, class V, class O, when<P, true> = 0>
O binary_search(const P& p, I first, I last, V from, V to, O out) {
  typedef do_contains<decltype(raw(first)), decltype(raw(from)), decltype(raw(out)), less<>> Do;
  run(p, size_t(to - from), Do{raw(first), size_t(last - first), raw(from), raw(out), less<>()});
  return out + (to - from);
}
template <class I, class V, class O, when<I, false> = 0> O binary_search(I first, I last, V from, V to, O out) {
  return binary_search(where(first), first, last, from, to, out);
}

}  // namespace _thrst
DOJO_SHIM_END
#endif
