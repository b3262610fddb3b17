// all_of, any_of, none_of.
#pragma once
#include "all.hpp"
#ifdef __CUDACC_RTC__
DOJO_SHIM_BEGIN
namespace _thrst {

template <class P, class I, class Q> bool all_of(const P& p, I first, I last, Q is) { return count_if(p, first, last, is) == last - first; }
template <class P, class I, class Q> bool any_of(const P& p, I first, I last, Q is) { return count_if(p, first, last, is) > 0; }
template <class P, class I, class Q> bool none_of(const P& p, I first, I last, Q is) { return count_if(p, first, last, is) == 0; }
template <class I, class Q> bool all_of(I first, I last, Q is) { return all_of(where(first), first, last, is); }
template <class I, class Q> bool any_of(I first, I last, Q is) { return any_of(where(first), first, last, is); }
template <class I, class Q> bool none_of(I first, I last, Q is) { return none_of(where(first), first, last, is); }

}  // namespace _thrst
DOJO_SHIM_END
#endif
