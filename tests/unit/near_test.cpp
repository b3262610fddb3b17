// The comparisons that all other tests rely on: they fail when they should.
#include "../near.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <sstream>

using dojo::tolerance::near;
using dojo::tolerance::within;

namespace {
std::string message(double value, const dojo::tolerance::Tolerated& t) {
  CHECK_FALSE(value == t);
  std::ostringstream s;
  s << t;
  return s.str();
}
constexpr double kNan = std::numeric_limits<double>::quiet_NaN(),
                 kInfinity = std::numeric_limits<double>::infinity();
}  // namespace

TEST_CASE("a relative comparison accepts the stated fraction of the expected value and nothing more") {
  CHECK(100.0 == within(100, 0));
  CHECK(115.0 == within(100, 0.15));
  CHECK(85.0 == within(100, 0.15));
  CHECK_FALSE(115.1 == within(100, 0.15));
  CHECK_FALSE(84.9 == within(100, 0.15));
  CHECK(-115.0 == within(-100, 0.15));
  CHECK_FALSE(100.0 == within(-100, 0.15));
  // Below one the tolerance shrinks with the value.
  CHECK(0.33 == within(0.27, 0.25));
  CHECK_FALSE(0.0 == within(0.27, 0.25));
  CHECK_FALSE(0.5 == within(0.27, 0.25));
  CHECK_FALSE(0.0 == within(0.1, 0.3));
  CHECK_FALSE(1e-9 == within(2e-9));
}

TEST_CASE("an expected zero takes an absolute comparison; a relative one accepts only zero") {
  CHECK(0.0 == within(0, 0.5));
  CHECK_FALSE(1e-300 == within(0, 0.5));
  CHECK(1e-9 == near(0));
  CHECK_FALSE(1e-5 == near(0));
}

TEST_CASE("an absolute comparison accepts the stated bound, whatever the size") {
  CHECK(100.5 == near(100, 0.5));
  CHECK(99.5 == near(100, 0.5));
  CHECK_FALSE(100.51 == near(100, 0.5));
  CHECK_FALSE(0.51 == near(0, 0.5));
}

TEST_CASE("without a bound only rounding is accepted") {
  CHECK(1.0 / 3 * 3 == within(1));
  CHECK(double(0.1f) == within(0.1));
  CHECK_FALSE(1.00001 == within(1));
}

TEST_CASE("NaN equals nothing, and an infinity only itself") {
  CHECK_FALSE(kNan == within(1, 10));
  CHECK_FALSE(kNan == near(1, kInfinity));
  CHECK_FALSE(kNan == near(kNan, 1));
  CHECK_FALSE(1.0 == within(kNan, 10));
  CHECK(kInfinity == within(kInfinity, 0.1));
  CHECK_FALSE(-kInfinity == within(kInfinity, 0.1));
  CHECK_FALSE(1.0 == within(kInfinity, 0.1));
  CHECK_FALSE(kInfinity == within(1, 0.1));
}

TEST_CASE("a failed comparison says by how much, and of what") {
  CHECK(message(2.5, within(2, 0.15)) == "25 % above 2 (bound 15 %)");
  CHECK(message(1.5, within(2, 0.15)) == "25 % below 2 (bound 15 %)");
  CHECK(message(3, near(2, 0.25)) == "1 above 2 (bound 0.25)");
  CHECK(message(1, within(0, 0.15)) == "1 above 0 (bound 0)");
  CHECK(message(kNan, within(2, 0.15)) == "no number, for 2");
}
