// Elements in the order of a map: element i is elements[map[i]], to read and to write.
#pragma once
#include "../all.hpp"
#ifdef __CUDACC_RTC__
DOJO_SHIM_BEGIN
namespace _thrst {

template <class _E, class _M> struct raw_permutation {
  _E elements;
  _M map;
  decltype(auto) operator[](ptrdiff_t i) const { return elements[map[i]]; }
};
template <class _E, class _M> struct permutation_iterator {
  _E elements;
  _M map;
  permutation_iterator(_E e, _M m) : elements(e), map(m) {}
  permutation_iterator operator+(ptrdiff_t n) const { return {elements, map + n}; }
  ptrdiff_t operator-(const permutation_iterator& o) const { return map - o.map; }
  decltype(auto) operator*() const { return elements[*map]; }
  decltype(auto) operator[](ptrdiff_t i) const { return elements[map[i]]; }
};
template <class _E, class _M> permutation_iterator<_E, _M> make_permutation_iterator(_E e, _M m) { return {e, m}; }
template <class _E, class _M> auto raw(permutation_iterator<_E, _M> p) {
  return raw_permutation<decltype(raw(p.elements)), decltype(raw(p.map))>{raw(p.elements), raw(p.map)};
}

}  // namespace _thrst
DOJO_SHIM_END
#endif
