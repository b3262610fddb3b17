#pragma once
// Each element minus the one before it; the first as it is. Not in place.
#ifdef __CUDACC_RTC__
#include "all.hpp"
DOJO_SHIM_BEGIN
namespace _thrst {
template <class I, class R, class F> struct do_difference {
  I in;
  R out;
  F f;
  void operator()(size_t i) const { out[i] = i ? f(in[i], in[i - 1]) : in[i]; }
};
template <class P, class I, class R, class F> R adjacent_difference(const P& p, I first, I last, R out, F f) {
  run(p, size_t(last - first), do_difference<decltype(raw(first)), decltype(raw(out)), F>{raw(first), raw(out), f});
  return out + (last - first);
}
template <class I, class R> R adjacent_difference(I first, I last, R out) {
  return adjacent_difference(where(first), first, last, out, minus<>());
}
template <class I, class R, class F> R adjacent_difference(I first, I last, R out, F f) {
  return adjacent_difference(where(first), first, last, out, f);
}
}  // namespace _thrst
DOJO_SHIM_END
#endif
