#include "sobol.hpp"

#include <bit>
#include <random>

namespace dojo::libraries {
namespace {

/// x^e modulo the polynomial of this degree, all over GF(2).
uint32_t power_of_x(uint64_t e, uint32_t polynomial, int degree) {
  const auto times = [&](uint32_t a, uint32_t b) {
    uint64_t product = 0;
    for (int i = 0; i < degree; ++i)
      if (b >> i & 1) product ^= uint64_t(a) << i;
    for (int i = 2 * degree - 2; i >= degree; --i)
      if (product >> i & 1) product ^= uint64_t(polynomial) << (i - degree);
    return uint32_t(product);
  };
  uint32_t result = 1, base = degree == 1 ? 1 : 2;  // x is 1 modulo x + 1
  for (; e; e >>= 1) {
    if (e & 1) result = times(result, base);
    base = times(base, base);
  }
  return result;
}

/// Does x have the full order 2^degree - 1?
bool primitive(uint32_t polynomial, int degree) {
  const uint64_t order = (uint64_t(1) << degree) - 1;
  if (power_of_x(order, polynomial, degree) != 1) return false;
  uint64_t left = order;
  for (uint64_t p = 2; p * p <= left; ++p) {
    if (left % p) continue;
    if (power_of_x(order / p, polynomial, degree) == 1) return false;
    while (left % p == 0) left /= p;
  }
  return left == 1 || left == order || power_of_x(order / left, polynomial, degree) != 1;
}

/// By dimension from the second on: the first m of Joe and Kuo.
const std::vector<uint32_t> initial[] = {
    {1},           {1, 3},           {1, 3, 1},       {1, 1, 1},        {1, 1, 3, 3},
    {1, 3, 5, 13}, {1, 1, 5, 5, 17}, {1, 1, 5, 5, 5}, {1, 1, 7, 11, 19}};

std::vector<uint32_t> directions_of(uint32_t polynomial, int degree, std::vector<uint32_t> m) {
  std::vector<uint32_t> v(32);
  for (int i = 0; i < 32; ++i) {
    if (i < degree) {
      v[size_t(i)] = m[size_t(i)] << (31 - i);
      continue;
    }
    uint32_t next = v[size_t(i - degree)] ^ (v[size_t(i - degree)] >> degree);
    for (int k = 1; k < degree; ++k)
      if (polynomial >> (degree - k) & 1) next ^= v[size_t(i - k)];
    v[size_t(i)] = next;
  }
  return v;
}

}  // namespace

Sobol::Sobol(unsigned dimensions) {
  std::vector<uint32_t> first(32);
  for (int i = 0; i < 32; ++i) first[size_t(i)] = 1u << (31 - i);
  directions_.push_back(first);
  std::mt19937 odd(7);
  int degree = 1;
  for (uint32_t polynomial = 3; directions_.size() < dimensions; polynomial += 2) {
    degree = std::bit_width(polynomial) - 1;
    if (!primitive(polynomial, degree)) continue;
    const size_t d = directions_.size() - 1;
    std::vector<uint32_t> m;
    if (d < std::size(initial))
      m = initial[d];
    else
      for (int i = 0; i < degree; ++i) m.push_back((uint32_t(odd()) & ((2u << i) - 1)) | 1u);
    directions_.push_back(directions_of(polynomial, degree, m));
  }
}

std::vector<uint32_t> Sobol::values(unsigned dimension, uint64_t first, std::size_t count) const {
  const std::vector<uint32_t>& v = directions_[dimension];
  uint32_t x = 0;
  const uint64_t gray = first ^ (first >> 1);
  for (int i = 0; i < 32; ++i)
    if (gray >> i & 1) x ^= v[size_t(i)];
  std::vector<uint32_t> out(count);
  for (size_t i = 0; i < count; ++i) {
    out[i] = x;
    x ^= v[size_t(std::countr_one(first + i) & 31)];
  }
  return out;
}

}  // namespace dojo::libraries
