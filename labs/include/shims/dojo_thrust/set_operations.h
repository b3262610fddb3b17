// Sorted ranges: merge, and the four operations on sets, where a value may be there several times.
#pragma once
#include "all.hpp"
#include "binary_search.h"
#ifdef __CUDACC_RTC__
DOJO_SHIM_BEGIN
namespace _thrst {

/// Element i goes behind those of the other range that come before it; of equals `after` says which do.
template <class _I, class _J, class _R, class _L> struct do_merge {
  _I in;
  _J other;
  size_t n;
  _R out;
  _L less;
  bool after;
  void operator()(size_t i) const { out[i + bound_in(other, n, in[i], less, after)] = in[i]; }
};
template <class _I, class _J, class _R, class _L>
_R merge(const device_policy& p, _I first, _I last, _J first2, _J last2, _R out, _L less) {
  const size_t n = size_t(last - first), m = size_t(last2 - first2);
  auto a = raw(first);
  auto b = raw(first2);
  auto r = raw(out);
  __dojo_par::each(n, do_merge<decltype(a), decltype(b), decltype(r), _L>{a, b, m, r, less, false}, p.stream);
  __dojo_par::each(m, do_merge<decltype(b), decltype(a), decltype(r), _L>{b, a, n, r, less, true}, p.stream);
  return out + ptrdiff_t(n + m);
}

/// The k-th of equal elements is kept where the other range has more than k of them, or where it has not.
template <class _J, class _L> struct KeepsCommon {
  _J other;
  size_t n, own;
  _L less;
  bool common;
  template <class _I> bool operator()(const _I& in, size_t i) const {
    const auto v = in[i];
    const size_t k = i - bound_in(in, own, v, less, false);
    return (k < bound_in(other, n, v, less, true) - bound_in(other, n, v, less, false)) == common;
  }
};
template <class _I, class _J, class _R, class _L>
_R set_chosen(const device_policy& p, _I first, _I last, _J first2, _J last2, _R out, _L less, bool common) {
  const size_t n = size_t(last - first);
  KeepsCommon<decltype(raw(first2)), _L> keeps{raw(first2), size_t(last2 - first2), n, less, common};
  return out + ptrdiff_t(__dojo_par::select(raw(first), raw(out), n, keeps, p.stream));
}
template <class _I, class _J, class _R, class _L>
_R set_intersection(const device_policy& p, _I first, _I last, _J first2, _J last2, _R out, _L less) {
  return set_chosen(p, first, last, first2, last2, out, less, true);
}
template <class _I, class _J, class _R, class _L>
_R set_difference(const device_policy& p, _I first, _I last, _J first2, _J last2, _R out, _L less) {
  return set_chosen(p, first, last, first2, last2, out, less, false);
}
template <class _I, class _J, class _R, class _L>
_R set_union(const device_policy& p, _I first, _I last, _J first2, _J last2, _R out, _L less) {
  typedef value_at<_J> _T;
  const size_t m = size_t(last2 - first2);
  __dojo_par::Scratch<_T> more(m, p.stream);
  device_ptr<_T> begin(more.at), end = set_chosen(p, first2, last2, first, last, begin, less, false);
  return merge(p, first, last, begin, end, out, less);
}
template <class _I, class _J, class _R, class _L>
_R set_symmetric_difference(const device_policy& p, _I first, _I last, _J first2, _J last2, _R out, _L less) {
  typedef value_at<_I> _T;
  __dojo_par::Scratch<_T> mine(size_t(last - first), p.stream), more(size_t(last2 - first2), p.stream);
  device_ptr<_T> a(mine.at), b(more.at);
  const device_ptr<_T> a_end = set_chosen(p, first, last, first2, last2, a, less, false),
                      b_end = set_chosen(p, first2, last2, first, last, b, less, false);
  return merge(p, a, a_end, b, b_end, out, less);
}

// Forms without a policy, without an order, and without both.
#define DOJO_SORTED_RANGES(NAME)                                                                                    \
  template <class _I, class _J, class _R> _R NAME(const device_policy& p, _I first, _I last, _J first2, _J last2, _R out) { \
    return NAME(p, first, last, first2, last2, out, less<>());                                                      \
  }                                                                                                                 \
  template <class _I, class _J, class _R, class _L> _R NAME(_I first, _I last, _J first2, _J last2, _R out, _L less) {        \
    return NAME(device_policy(), first, last, first2, last2, out, less);                                            \
  }                                                                                                                 \
  template <class _I, class _J, class _R> _R NAME(_I first, _I last, _J first2, _J last2, _R out) {                         \
    return NAME(device_policy(), first, last, first2, last2, out, less<>());                                        \
  }
DOJO_SORTED_RANGES(merge)
DOJO_SORTED_RANGES(set_intersection)
DOJO_SORTED_RANGES(set_difference)
DOJO_SORTED_RANGES(set_union)
DOJO_SORTED_RANGES(set_symmetric_difference)
#undef DOJO_SORTED_RANGES

}  // namespace _thrst
DOJO_SHIM_END
#endif
