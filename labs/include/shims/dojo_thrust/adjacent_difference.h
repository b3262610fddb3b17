#pragma once
// Each element minus the one before it; the first as it is. Not in place.
#ifdef __CUDACC_RTC__
#include "all.hpp"
DOJO_SHIM_BEGIN
namespace _thrst {
template <class _I, class _R, class _F> struct do_difference {
  _I in;
  _R out;
  _F f;
  void operator()(size_t i) const { out[i] = i ? f(in[i], in[i - 1]) : in[i]; }
};
template <class _P, class _I, class _R, class _F> _R adjacent_difference(const _P& p, _I first, _I last, _R out, _F f) {
  run(p, size_t(last - first), do_difference<decltype(raw(first)), decltype(raw(out)), _F>{raw(first), raw(out), f});
  return out + (last - first);
}
template <class _I, class _R> _R adjacent_difference(_I first, _I last, _R out) {
  return adjacent_difference(where(first), first, last, out, minus<>());
}
template <class _I, class _R, class _F> _R adjacent_difference(_I first, _I last, _R out, _F f) {
  return adjacent_difference(where(first), first, last, out, f);
}
}  // namespace _thrst
DOJO_SHIM_END
#endif
