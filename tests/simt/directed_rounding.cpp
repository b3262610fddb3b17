// Float arithmetic under a directed rounding, in loops of our own, against the processor's rounding mode; and
// conversions in quick loops against what PTX says of them.
#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "simt/ops/quick/directed.hpp"

using namespace dojo::simt;

namespace {

/// Numbers around which rounding goes wrong, and random bits.
std::vector<float> hard_floats() {
  std::vector<float> out = {0.f, -0.f, 1.f, -1.f, 3.f, 0.1f, -0.1f, INFINITY, -INFINITY, NAN};
  for (uint32_t bits : {1u, 2u, 0x007fffffu, 0x00800000u, 0x00800001u, 0x7f7fffffu, 0x7f000000u, 0x3f7fffffu,
                        0x3f800001u, 0x4b800000u, 0x4b7fffffu})
    for (uint32_t sign : {0u, 0x80000000u}) out.push_back(std::bit_cast<float>(bits | sign));
  std::mt19937 random(36);
  for (int i = 0; i < 60; ++i) out.push_back(std::bit_cast<float>(uint32_t(random())));
  return out;
}

template <RoundedOp Op, Round R>
int differences(int* compared) {
  const std::vector<float> all = hard_floats();
  int wrong = 0;
  for (float a : all)
    for (float b : all)
      for (size_t k = 0; k < (Op == RoundedOp::fma ? all.size() : 1); ++k) {
        const float c = all[k];
        const float expected = canonical(rounded(Op, R, a, b, c)),
                    got = Directed<Op, R, false, false>::f(a, b, c);
        const bool same = std::bit_cast<uint32_t>(expected) == std::bit_cast<uint32_t>(got);
        if (!same && ++wrong < 5)
          MESSAGE("op " << int(Op) << " mode " << int(R) << ": " << a << ", " << b << ", " << c << " give "
                        << got << ", not " << expected);
        ++*compared;
      }
  return wrong;
}
template <RoundedOp Op>
int differences(int* compared) {
  return differences<Op, Round::zero>(compared) + differences<Op, Round::down>(compared) +
         differences<Op, Round::up>(compared);
}

}  // namespace

TEST_CASE("directed rounding of floats is the processor's, to the bit, on hard and on random operands") {
  int compared = 0;
  CHECK(differences<RoundedOp::add>(&compared) == 0);
  CHECK(differences<RoundedOp::sub>(&compared) == 0);
  CHECK(differences<RoundedOp::mul>(&compared) == 0);
  CHECK(differences<RoundedOp::fma>(&compared) == 0);
  CHECK(compared > 1000000);
}
