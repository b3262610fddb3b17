// The vector functions and the directed roundings against plain C++: what the machine computes must be the
// same to the bit on every processor that WarpDojo runs on.
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <random>

#include "simt/ops/arithmetic/rounding.hpp"
#include "simt/ops/arithmetic/small_float.hpp"
#include "simt/ops/quick/by_doubles.hpp"
#include "simt/ops/quick/under_mode.hpp"
#include "simt/simd.hpp"

using namespace dojo::simt;

namespace {

constexpr Round every_mode[] = {Round::near, Round::zero, Round::down, Round::up};

/// One operation of the machine's loops under a mode.
template <RoundedOp Op, class T>
T rounded(Round r, T a, T b, T c) {
  volatile T u = a, v = b, w = c, d;
  {
    const RoundingMode mode(r);
    d = Rounded<Op, T, false, false>::f(u, v, w);
  }
  return d;
}

struct Words {
  std::mt19937_64 engine{20261126};
  uint64_t operator()() { return engine(); }
  /// Numbers of all sizes, and what is special.
  uint32_t any32() {
    static constexpr uint32_t special[] = {0,          0x80000000, 1,          0x7f800000, 0xff800000,
                                           0x7fc00000, 0x3f800000, 0x477fe000, 0x33000001, 0x38800000};
    const uint64_t r = engine();
    return r % 8 == 0 ? special[r / 8 % std::size(special)] : uint32_t(r >> 32);
  }
};

template <class T>
bool same_number(T a, T b) {
  return (a != a && b != b) || (a == b && std::signbit(a) == std::signbit(b));
}

}  // namespace

TEST_CASE("Vector functions give what a loop over the lanes gives") {
  Words random;
  alignas(64) uint32_t a[32], b[32];
  alignas(64) int32_t flags[32];
  alignas(64) uint64_t series[32];
  alignas(32) uint16_t tags[16];
  for (int round = 0; round < 500; ++round) {
    uint32_t bits = 0;
    for (int i = 0; i < 32; ++i) {
      a[i] = random.any32(), b[i] = uint32_t(random()) >> (random() & 31);
      flags[i] = -int32_t(random() & 1);
      bits |= uint32_t(flags[i] != 0) << i;
    }
    CHECK(simd::bits32(flags) == bits);

    for (auto& t : tags) t = random() & 15;
    const uint16_t wanted = random() & 15;
    const auto* at = std::find(tags, tags + 16, wanted);
    CHECK(simd::find16(tags, wanted) == (at == tags + 16 ? -1 : int(at - tags)));

    const uint64_t step = round % 3 ? random() : 0;
    for (uint64_t i = 0; i < 32; ++i) series[i] = 5 + step * i;
    CHECK(simd::arithmetic(series, 5, step));
    series[random() & 31] ^= uint64_t(1) << (random() & 63);
    CHECK_FALSE(simd::arithmetic(series, 5, step));

    const uint32_t mask = uint32_t(random());
    bool all = true;
    for (uint64_t i = 0; i < 32; ++i) all = all && (!(mask >> i & 1) || series[i] == 5 + step * i);
    CHECK(simd::arithmetic_where(series, 5, step, mask) == all);
    CHECK_FALSE(simd::arithmetic_where(series, 5, step, ~0u));
    for (int i = 0; i < 32; i += 8) {
      const simd::U32 lanes = simd::lane_mask(mask, i), loaded = simd::masked_load(b + i, lanes),
                      less = simd::below(simd::load(a + i), simd::load(b + i)),
                      mixed = simd::select(lanes, simd::load(a + i), simd::load(b + i));
      uint32_t stored[8] = {};
      simd::masked_store(stored, lanes, simd::load(a + i));
      bool some = false;
      for (int l = 0; l < 8; ++l) {
        const bool on = mask >> (i + l) & 1;
        some = some || on;
        CHECK(lanes[l] == (on ? ~0u : 0));
        CHECK(loaded[l] == (on ? b[i + l] : 0));
        CHECK(less[l] == (a[i + l] < b[i + l] ? ~0u : 0));
        CHECK(mixed[l] == (on ? a[i + l] : b[i + l]));
        CHECK(stored[l] == (on ? a[i + l] : 0));
      }
      CHECK(simd::any(lanes) == some);
    }
  }
}

TEST_CASE(
    "Halves become floats and floats halves as the software formats say, lane by lane and eight at once") {
  uint32_t h[8];
  for (uint32_t bits = 0; bits < 65536; bits += 8) {
    for (uint32_t l = 0; l < 8; ++l) h[l] = bits + l;
    const simd::F32 eight = simd::halves_to_floats(simd::load(h));
    int wrong = 0;
    for (uint32_t l = 0; l < 8; ++l) {
      const float one = half_float(h[l]);
      wrong += !same_number(double(one), from_small(h[l], f16_format));
      wrong += std::bit_cast<uint32_t>(one) != std::bit_cast<uint32_t>(float(eight[l]));
    }
    CHECK_MESSAGE(wrong == 0, "among the halves from ", bits);
  }
  Words random;
  int wrong = 0;
  for (int i = 0; i < 20000; ++i) {
    float f[8];
    for (float& v : f) v = std::bit_cast<float>(random.any32());
    if (i % 2)  // of a half's size
      for (float& v : f) v = std::bit_cast<float>((random.any32() & 0x87ffffff) | 0x38000000) * 0.25f;
    const simd::U32 eight = simd::floats_to_halves(simd::load<simd::F32>(f));
    for (int l = 0; l < 8; ++l) {
      const uint32_t one = float_half(f[l]);
      wrong += one != to_small(f[l], f16_format, Round::near);
      wrong += f[l] == f[l] && one != eight[l];
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("Directed roundings of floats are those of the exact results") {
  Words random;
  int wrong = 0;
  const auto expect = [&](float got, double exact, Round mode) {
    // The exact result, rounded in software: to_small knows a float as a small format.
    const uint32_t bits = exact != exact ? 0x7fffffffu : to_small(exact, SmallFormat{8, 23, false}, mode);
    wrong += exact == 0 ? got != 0 : !same_number(got, std::bit_cast<float>(bits));  // 0 or -0 by the mode
  };
  for (int i = 0; i < 20000; ++i)
    for (const Round mode : every_mode) {
      // Exponents near each other: then double holds sums and products exactly.
      const auto near_one = [&] { return std::bit_cast<float>((random.any32() & 0x83ffffff) | 0x3c000000); };
      const float a = near_one(), b = near_one();
      expect(rounded<RoundedOp::add>(mode, a, b, 0.f), double(a) + double(b), mode);
      expect(rounded<RoundedOp::sub>(mode, a, b, 0.f), double(a) - double(b), mode);
      expect(rounded<RoundedOp::mul>(mode, a, b, 0.f), double(a) * double(b), mode);
      const double d = std::bit_cast<double>((random() & 0x83ffffffffffffff) | 0x3c00000000000000);
      expect(narrow(d, mode), d, mode);
      const int64_t n = int64_t(random()) >> (11 + random() % 50);  // 53 bits: exact in double
      expect(int_to_float(uint64_t(n), true, mode), double(n), mode);
      wrong += int_to_double(uint64_t(n), true, mode) != double(n);
    }
  CHECK(wrong == 0);
}

template <RoundedOp Op>
int out_of_order(Words& random) {
  int wrong = 0;
  for (int i = 0; i < 20000; ++i) {
    const auto number = [&] {
      return std::bit_cast<double>((random() & 0x8fffffffffffffff) | 0x3000000000000000);
    };
    const double a = Op == RoundedOp::sqrt ? std::fabs(number()) : number(), b = number(), c = number();
    const double near = Op == RoundedOp::div    ? a / b
                        : Op == RoundedOp::fma  ? std::fma(a, b, c)
                        : Op == RoundedOp::sqrt ? std::sqrt(a)
                                                : 1 / a;
    const double down = rounded<Op>(Round::down, a, b, c), up = rounded<Op>(Round::up, a, b, c),
                 zero = rounded<Op>(Round::zero, a, b, c);
    wrong += rounded<Op>(Round::near, a, b, c) != near;
    wrong += near != down && near != up;
    wrong += up != down && up != std::nextafter(down, INFINITY);
    wrong += zero != (near > 0 ? down : up);
  }
  return wrong;
}

TEST_CASE("Quotients, roots and fused sums keep the order of the rounding modes") {
  Words random;
  CHECK(out_of_order<RoundedOp::div>(random) == 0);
  CHECK(out_of_order<RoundedOp::fma>(random) == 0);
  CHECK(out_of_order<RoundedOp::sqrt>(random) == 0);
  CHECK(out_of_order<RoundedOp::rcp>(random) == 0);
}

TEST_CASE("Products, quotients and fused sums by doubles are those of floats, to the bit") {
  Words random;
  const auto same_bits = [](float x, float y) {
    return (x != x && y != y) || std::bit_cast<uint32_t>(x) == std::bit_cast<uint32_t>(y);
  };
  int products = 0, quotients = 0, sums = 0;
  for (int i = 0; i < 300000; ++i) {
    // Of all sizes; near the smallest ones; and with few bits, whose results lie half-way between two floats.
    const auto number = [&] {
      uint32_t bits = random.any32();
      if (i % 3 == 1) bits &= 0x81ffffff;
      if (i % 3 == 2) bits &= 0x9fff0001;
      return std::bit_cast<float>(bits);
    };
    volatile float a = number(), b = i % 3 ? std::ldexp(number(), int(random() % 200)) : number(),
                   c = number();
    volatile float product = a * b, quotient = a / b, fused = std::fma(a, b, c),
                   back = std::fma(a, b, -product);
    products += !same_bits(product_by_doubles(a, b), product);
    quotients += !same_bits(quotient_by_doubles(a, b), quotient);
    sums += !same_bits(fma_by_doubles(a, b, c), fused) || !same_bits(fma_by_doubles(a, b, -product), back);
  }
  CHECK(products == 0);
  CHECK(quotients == 0);
  CHECK(sums == 0);
}
