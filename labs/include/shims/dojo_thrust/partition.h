// Partitions: what a predicate is true for comes first. All of them keep the order.
#pragma once
#include "all.hpp"
#ifdef __CUDACC_RTC__
DOJO_SHIM_BEGIN
namespace _thrst {

template <class I, class R, class S, class Q>
pair<R, S> partition_copy(const device_policy& p, I first, I last, R yes, S no, Q is) {
  const size_t n = size_t(last - first);
  const size_t a = __dojo_par::select(raw(first), raw(yes), n, __dojo_par::KeepsIf<Q>{is, true}, p.stream);
  const size_t b = __dojo_par::select(raw(first), raw(no), n, __dojo_par::KeepsIf<Q>{is, false}, p.stream);
  return pair<R, S>(yes + ptrdiff_t(a), no + ptrdiff_t(b));
}
template <class I, class Q> I stable_partition(const device_policy& p, I first, I last, Q is) {
  typedef value_at<I> T;
  const size_t n = size_t(last - first);
  __dojo_par::Scratch<T> all(n, p.stream);
  const size_t a = __dojo_par::select(raw(first), all.at, n, __dojo_par::KeepsIf<Q>{is, true}, p.stream);
  __dojo_par::select(raw(first), all.at + a, n, __dojo_par::KeepsIf<Q>{is, false}, p.stream);
  __dojo_par::each(n, do_copy<const T*, decltype(raw(first))>{all.at, raw(first)}, p.stream);
  return first + ptrdiff_t(a);
}
template <class I, class R, class S, class Q> pair<R, S> partition_copy(I first, I last, R yes, S no, Q is) {
  return partition_copy(device_policy(), first, last, yes, no, is);
}
template <class I, class R, class S, class Q> pair<R, S> stable_partition_copy(I first, I last, R yes, S no, Q is) {
  return partition_copy(device_policy(), first, last, yes, no, is);
}
template <class I, class Q> I stable_partition(I first, I last, Q is) { return stable_partition(device_policy(), first, last, is); }
template <class I, class Q> I partition(const device_policy& p, I first, I last, Q is) { return stable_partition(p, first, last, is); }
template <class I, class Q> I partition(I first, I last, Q is) { return stable_partition(device_policy(), first, last, is); }
template <class I, class Q> bool is_partitioned(I first, I last, Q is) {
  const long n = count_if(first, last, is);
  return count_if(first, first + n, is) == n;
}

}  // namespace _thrst
DOJO_SHIM_END
#endif
