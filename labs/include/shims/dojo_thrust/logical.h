// all_of, any_of, none_of.
#pragma once
#include "all.hpp"
#ifdef __CUDACC_RTC__
DOJO_SHIM_BEGIN
namespace _thrst {

template <class _P, class _I, class _Q> bool all_of(const _P& p, _I first, _I last, _Q is) { return count_if(p, first, last, is) == last - first; }
template <class _P, class _I, class _Q> bool any_of(const _P& p, _I first, _I last, _Q is) { return count_if(p, first, last, is) > 0; }
template <class _P, class _I, class _Q> bool none_of(const _P& p, _I first, _I last, _Q is) { return count_if(p, first, last, is) == 0; }
template <class _I, class _Q> bool all_of(_I first, _I last, _Q is) { return all_of(where(first), first, last, is); }
template <class _I, class _Q> bool any_of(_I first, _I last, _Q is) { return any_of(where(first), first, last, is); }
template <class _I, class _Q> bool none_of(_I first, _I last, _Q is) { return none_of(where(first), first, last, is); }

}  // namespace _thrst
DOJO_SHIM_END
#endif
