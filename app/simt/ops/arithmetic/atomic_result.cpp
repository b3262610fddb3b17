// The new value of a word under each atomic operation, by type. Source: the PTX ISA, "atom"; NaNs, small
// floats and -0 as an H100 does (tests/truth).
#include <bit>
#include <cmath>

#include "simt/ops/arithmetic/small_float.hpp"
#include "simt/ops/atomics.hpp"

namespace dojo::simt {

namespace {

using ptx::Type;

template <class T>
T minmax(T a, T b, bool max) {
  return max ? (a > b ? a : b) : (a < b ? a : b);
}

/// The lesser or greater of two halves: of the other where one is a NaN; -0 below +0.
uint32_t half_minmax(uint32_t a, uint32_t b, bool max, bool brain) {
  a &= 0xffff, b &= 0xffff;
  const float x = brain ? brain_float(a) : half_float(a), y = brain ? brain_float(b) : half_float(b);
  if (x != x) return y != y ? 0x7fff : b;
  if (y != y) return a;
  if (x == y) return max == bool(a & 0x8000) ? b : a;
  return (x < y) != max ? a : b;
}

uint32_t add_halves(uint32_t a, uint32_t b, bool brain) {
  auto one = [&](uint32_t u, uint32_t v) {
    return brain ? float_brain(brain_float(u) + brain_float(v)) : float_half(half_float(u) + half_float(v));
  };
  return one(a & 0xffff, b & 0xffff) | one(a >> 16, b >> 16) << 16;
}

}  // namespace

uint64_t atomic_result(AtomicOp op, Type t, uint64_t old, uint64_t b, uint64_t c) {
  switch (op) {
    case a_exch:
      return b;
    case a_cas:
      return old == b ? c : old;
    case a_and:
      return old & b;
    case a_or:
      return old | b;
    case a_xor:
      return old ^ b;
    case a_inc:
      return old >= b ? 0 : old + 1;
    case a_dec:
      return old == 0 || old > b ? b : old - 1;
    case a_min:
    case a_max: {
      const bool max = op == a_max;
      switch (t) {
        case Type::s32:
          return uint32_t(minmax(int32_t(old), int32_t(b), max));
        case Type::s64:
          return uint64_t(minmax(int64_t(old), int64_t(b), max));
        case Type::u64:
        case Type::b64:
          return minmax(old, b, max);
        case Type::f16:
        case Type::bf16:
          return half_minmax(uint32_t(old), uint32_t(b), max, t == Type::bf16);
        case Type::f16x2:
        case Type::bf16x2: {
          const bool brain = t == Type::bf16x2;
          return half_minmax(uint32_t(old), uint32_t(b), max, brain) |
                 half_minmax(uint32_t(old) >> 16, uint32_t(b) >> 16, max, brain) << 16;
        }
        case Type::f32: {
          float r = max ? std::fmax(std::bit_cast<float>(uint32_t(old)), std::bit_cast<float>(uint32_t(b)))
                        : std::fmin(std::bit_cast<float>(uint32_t(old)), std::bit_cast<float>(uint32_t(b)));
          return std::bit_cast<uint32_t>(r);
        }
        default:
          return minmax(uint32_t(old), uint32_t(b), max);
      }
    }
    case a_add_global:
      if (t == Type::f64) {
        const double x = std::bit_cast<double>(old), y = std::bit_cast<double>(b);
        if (x != x) return old;
        if (y != y) return b;
      }
      if (t == Type::f32) {
        auto flush = [](uint64_t v) { return v & 0x7f800000 ? v & 0xffffffff : v & 0x80000000; };
        return flush(atomic_result(a_add, t, flush(old), flush(b), 0));
      }
      return atomic_result(a_add, t, old, b, 0);
    case a_add:
      switch (t) {
        case Type::f32: {
          float r = std::bit_cast<float>(uint32_t(old)) + std::bit_cast<float>(uint32_t(b));
          return r != r ? 0x7fffffffu : std::bit_cast<uint32_t>(r);
        }
        case Type::f64: {
          const double x = std::bit_cast<double>(old), y = std::bit_cast<double>(b);
          if (x != x || y != y) return (x != x ? old : b) | 0x0008000000000000ull;
          return std::bit_cast<uint64_t>(x + y);
        }
        case Type::f16:
          return float_half(half_float(uint32_t(old)) + half_float(uint32_t(b)));
        case Type::bf16:
          return float_brain(brain_float(uint32_t(old)) + brain_float(uint32_t(b)));
        case Type::f16x2:
          return add_halves(uint32_t(old), uint32_t(b), false);
        case Type::bf16x2:
          return add_halves(uint32_t(old), uint32_t(b), true);
        case Type::u64:
        case Type::s64:
        case Type::b64:
          return old + b;
        default:
          return uint32_t(old + b);
      }
  }
  return old;
}

}  // namespace dojo::simt
