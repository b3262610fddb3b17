#include <doctest/doctest.h>
#include <cmath>
#include <cstring>
#include <limits>
#include <set>

#include "core/error.hpp"
#include "core/problem.hpp"

using namespace dojo;

namespace {
template <class T>
std::vector<std::byte> bytes(std::initializer_list<T> v) {
  std::vector<std::byte> b(v.size() * sizeof(T));
  std::memcpy(b.data(), v.begin(), b.size());
  return b;
}
const double inf = std::numeric_limits<double>::infinity();
struct Nothing : Problem {
  Instance make(const Step&, const Size&, uint64_t) const override { return {}; }
};
}  // namespace

TEST_CASE("compare: NaN equals NaN, infinities equal themselves, the bound is inclusive") {
  Buffer b;
  b.name = "out";
  b.expected = {1, 2, std::nan(""), inf, -inf};
  b.tolerance = {0.5};
  CheckReport r;
  compare(r, b, bytes<float>({1.5f, 2, NAN, INFINITY, -INFINITY}));
  CHECK(r.wrong == 0);
  CHECK(r.max_abs == 0.5);
  CHECK(r.max_rel == 0.5);
  CheckReport bad;
  compare(bad, b, bytes<float>({NAN, 2.6f, 3, -INFINITY, 0}));
  CHECK(bad.wrong == 5);
  CHECK(bad.mismatches.size() == 5);
  CHECK(bad.mismatches[1].index == 1);
  CHECK(bad.mismatches[1].expected == 2);
}

TEST_CASE("compare: halves, integers and a buffer that came back too short") {
  Buffer b;
  b.elem = Elem::i32;
  b.expected = {-7, 9};
  CheckReport r;
  compare(r, b, bytes<int32_t>({-7, 9}));
  CHECK(r.wrong == 0);
  compare(r, b, bytes<int32_t>({-7}));
  CHECK(r.wrong == 1);
  Buffer h;
  h.elem = Elem::f16;
  h.expected = {1.0};
  CheckReport rh;
  compare(rh, h, bytes<uint16_t>({0x3C00}));
  CHECK(rh.wrong == 0);
}

TEST_CASE("compare: an element that is missing is wrong, whatever is expected") {
  Buffer b;
  b.expected = {1, std::nan("")};
  CheckReport r;
  compare(r, b, bytes<float>({1}));
  CHECK(r.wrong == 1);
  REQUIRE(r.mismatches.size() == 1);
  CHECK(r.mismatches[0].index == 1);
  CHECK(std::isnan(r.mismatches[0].got));
  Instance i;
  i.has_return = true;
  i.return_elem = Elem::f32;
  i.return_expected = std::nan("");
  CHECK(Nothing().check({}, i, {}).wrong == 1);
}

TEST_CASE("only the first mismatches are kept, all are counted") {
  Buffer b;
  b.expected.assign(1000, 1.0);
  CheckReport r;
  std::vector<std::byte> zeros(4000);
  compare(r, b, zeros);
  CHECK(r.wrong == 1000);
  CHECK(r.mismatches.size() < 20);
}

TEST_CASE("the default check looks at outputs, the return value and the printed text") {
  Instance i;
  i.has_return = true;
  i.return_elem = Elem::f32;
  i.return_expected = 3;
  i.return_tolerance = 0.01;
  i.print_checked = true;
  i.printed_expected = "hello\n";
  Outputs o;
  o.returned = bytes<float>({3.005f});
  o.printed = "hello\n";
  CHECK(Nothing{}.check({}, i, o).wrong == 0);
  o.printed = "help\n";
  const CheckReport r = Nothing{}.check({}, i, o);
  CHECK(r.wrong == 1);
  CHECK(r.mismatches.at(0).index == 3);
  o.printed = "hello\n";
  o.returned = {};
  CHECK(Nothing{}.check({}, i, o).wrong == 1);
}

TEST_CASE("problems register by name") {
  CHECK(register_problem("test-nothing", std::make_unique<Nothing>()));
  CHECK_NOTHROW(problem_for("test-nothing"));
  CHECK_THROWS_AS(problem_for("test-absent"), Error);
}

TEST_CASE("Random gives the same stream everywhere, within its ranges") {
  Random a(1), b(1), c(2);
  const uint64_t first = a.next();
  CHECK(first == b.next());
  CHECK(first != c.next());
  std::set<int64_t> seen;
  for (int k = 0; k < 2000; ++k) {
    const float u = a.uniform(-1, 1);
    CHECK(u >= -1);
    CHECK(u < 1);
    const int64_t n = a.below(10);
    CHECK(n >= 0);
    CHECK(n < 10);
    seen.insert(n);
  }
  CHECK(seen.size() == 10);
  CHECK(a.below(0) == 0);
}
