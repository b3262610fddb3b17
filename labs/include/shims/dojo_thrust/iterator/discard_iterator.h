// A place for results that nobody reads.
#pragma once
#include "../all.hpp"
#ifdef __CUDACC_RTC__
DOJO_SHIM_BEGIN
namespace _thrst {

struct discarded {
  template <class _T> const discarded& operator=(const _T&) const { return *this; }
};
struct raw_discard {
  discarded operator[](ptrdiff_t) const { return {}; }
};
template <class _S = void> struct discard_iterator {
  ptrdiff_t at = 0;
  discard_iterator operator+(ptrdiff_t n) const { return {at + n}; }
  ptrdiff_t operator-(const discard_iterator& o) const { return at - o.at; }
};
inline discard_iterator<> make_discard_iterator() { return {}; }
template <class _S> raw_discard raw(discard_iterator<_S>) { return {}; }

}  // namespace _thrst
DOJO_SHIM_END
#endif
