// Searches in sorted ranges: of one value, and of a range of values at once.
#pragma once
#include "all.hpp"
#ifdef __CUDACC_RTC__
DOJO_SHIM_BEGIN
namespace _thrst {

/// The first place in in[0 .. n) before which `v` may be put (`after`: the last one).
template <class _R, class _T, class _L> size_t bound_in(_R in, size_t n, const _T& v, _L less, bool after) {
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
template <class _R, class _V, class _O, class _L> struct do_bound {
  _R in;
  size_t n;
  _V values;
  _O out;
  _L less;
  bool after;
  void operator()(size_t i) const { out[i] = bound_in(in, n, values[i], less, after); }
};
template <class _R, class _V, class _O, class _L> struct do_contains {
  _R in;
  size_t n;
  _V values;
  _O out;
  _L less;
  void operator()(size_t i) const {
    const size_t at = bound_in(in, n, values[i], less, false);
    out[i] = at < n && !less(values[i], in[at]);
  }
};
/// One search: a range of one value, whose result comes back to the host.
template <class _P, class _I, class _T, class _L> size_t bound_of(const _P& p, _I first, _I last, const _T& v, _L less, bool after) {
  size_t* at = nullptr;
  cudaMallocManaged((void**)(void*)&at, sizeof *at);
  const constant_iterator<_T> value(v);
  typedef do_bound<decltype(raw(first)), constant_iterator<_T>, size_t*, _L> Do;
  run(p, 1, Do{raw(first), size_t(last - first), value, at, less, after});
  cudaDeviceSynchronize();
  const size_t found = *at;
  cudaFree(at);
  return found;
}

// Policies are told from iterators by their type.
template <class _T> struct is_policy { enum { value = 0 }; };
template <> struct is_policy<host_policy> { enum { value = 1 }; };
template <> struct is_policy<device_policy> { enum { value = 1 }; };
template <> struct is_policy<default_policy> { enum { value = 1 }; };
template <class _T, bool is> using when = ::__dojo_thrust_std::enable_if_t<bool(is_policy<_T>::value) == is, int>;

#define DOJO_BOUND(NAME, AFTER)                                                                                       \
  template <class _P, class _I, class _T, class _L, when<_P, true> = 0, when<_T, false> = 0>                                \
  _I NAME(const _P& p, _I first, _I last, const _T& v, _L less) {                                                           \
    return first + ptrdiff_t(bound_of(p, first, last, v, less, AFTER));                                               \
  }                                                                                                                   \
  template <class _P, class _I, class _T, when<_P, true> = 0> _I NAME(const _P& p, _I first, _I last, const _T& v) {           \
    return NAME(p, first, last, v, less<>());                                                                         \
  }                                                                                                                   \
  template <class _I, class _T, when<_I, false> = 0> _I NAME(_I first, _I last, const _T& v) {                               \
    return NAME(where(first), first, last, v);                                                                        \
  }                                                                                                                   \
  template <class _P, class _I, class _V, class _O, when<_P, true> = 0>                                                    \
  _O NAME(const _P& p, _I first, _I last, _V from, _V to, _O out) {                                                          \
    typedef do_bound<decltype(raw(first)), decltype(raw(from)), decltype(raw(out)), less<>> Do;                       \
    run(p, size_t(to - from), Do{raw(first), size_t(last - first), raw(from), raw(out), less<>(), AFTER});            \
    return out + (to - from);                                                                                         \
  }                                                                                                                   \
  template <class _I, class _V, class _O, when<_I, false> = 0> _O NAME(_I first, _I last, _V from, _V to, _O out) {             \
    return NAME(where(first), first, last, from, to, out);                                                            \
  }
DOJO_BOUND(lower_bound, false)
DOJO_BOUND(upper_bound, true)
#undef DOJO_BOUND
template <class _P, class _I, class _T, when<_P, true> = 0> bool binary_search(const _P& p, _I first, _I last, const _T& v) {
  const size_t n = size_t(last - first), at = bound_of(p, first, last, v, less<>(), false);
  return at < n && bound_of(p, first, last, v, less<>(), true) > at;
}
template <class _I, class _T, when<_I, false> = 0> bool binary_search(_I first, _I last, const _T& v) {
  return binary_search(where(first), first, last, v);
}
template <class _P, class _I, class _V, class _O, when<_P, true> = 0>
_O binary_search(const _P& p, _I first, _I last, _V from, _V to, _O out) {
  typedef do_contains<decltype(raw(first)), decltype(raw(from)), decltype(raw(out)), less<>> Do;
  run(p, size_t(to - from), Do{raw(first), size_t(last - first), raw(from), raw(out), less<>()});
  return out + (to - from);
}
template <class _I, class _V, class _O, when<_I, false> = 0> _O binary_search(_I first, _I last, _V from, _V to, _O out) {
  return binary_search(where(first), first, last, from, to, out);
}

}  // namespace _thrst
DOJO_SHIM_END
#endif
