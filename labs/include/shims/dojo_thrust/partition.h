// Partitions: what a predicate is true for comes first. All of them keep the order.
#pragma once
#include "all.hpp"
#ifdef __CUDACC_RTC__
DOJO_SHIM_BEGIN
namespace _thrst {

template <class _I, class _R, class _S, class _Q>
pair<_R, _S> partition_copy(const device_policy& p, _I first, _I last, _R yes, _S no, _Q is) {
  const size_t n = size_t(last - first);
  const size_t a = __dojo_par::select(raw(first), raw(yes), n, __dojo_par::KeepsIf<_Q>{is, true}, p.stream);
  const size_t b = __dojo_par::select(raw(first), raw(no), n, __dojo_par::KeepsIf<_Q>{is, false}, p.stream);
  return pair<_R, _S>(yes + ptrdiff_t(a), no + ptrdiff_t(b));
}
template <class _I, class _Q> _I stable_partition(const device_policy& p, _I first, _I last, _Q is) {
  typedef value_at<_I> _T;
  const size_t n = size_t(last - first);
  __dojo_par::Scratch<_T> all(n, p.stream);
  const size_t a = __dojo_par::select(raw(first), all.at, n, __dojo_par::KeepsIf<_Q>{is, true}, p.stream);
  __dojo_par::select(raw(first), all.at + a, n, __dojo_par::KeepsIf<_Q>{is, false}, p.stream);
  __dojo_par::each(n, do_copy<const _T*, decltype(raw(first))>{all.at, raw(first)}, p.stream);
  return first + ptrdiff_t(a);
}
template <class _I, class _R, class _S, class _Q> pair<_R, _S> partition_copy(_I first, _I last, _R yes, _S no, _Q is) {
  return partition_copy(device_policy(), first, last, yes, no, is);
}
template <class _I, class _R, class _S, class _Q> pair<_R, _S> stable_partition_copy(_I first, _I last, _R yes, _S no, _Q is) {
  return partition_copy(device_policy(), first, last, yes, no, is);
}
template <class _I, class _Q> _I stable_partition(_I first, _I last, _Q is) { return stable_partition(device_policy(), first, last, is); }
template <class _I, class _Q> _I partition(const device_policy& p, _I first, _I last, _Q is) { return stable_partition(p, first, last, is); }
template <class _I, class _Q> _I partition(_I first, _I last, _Q is) { return stable_partition(device_policy(), first, last, is); }
template <class _I, class _Q> bool is_partitioned(_I first, _I last, _Q is) {
  const long n = count_if(first, last, is);
  return count_if(first, first + n, is) == n;
}

}  // namespace _thrst
DOJO_SHIM_END
#endif
