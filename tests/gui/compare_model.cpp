// Two runs against each other.
#include <doctest/doctest.h>

#include "../near.hpp"
#include "fixtures.hpp"
#include "gui/model/plots/compare.hpp"
#include "gui/model/slow_motion.hpp"

using namespace dojo;
using namespace dojo::gui;

namespace {
RunReport timed(double value, double lo, double hi, int n, Source source) {
  RunReport r;
  r.time_us = {value, lo, hi, n, source};
  return r;
}
}  // namespace

TEST_CASE("compare: a ratio with its interval, or why there is none") {
  auto r =
      compare_times(timed(100, 95, 105, 20, Source::measured), timed(150, 147, 156, 20, Source::measured));
  REQUIRE(r.known);
  CHECK(r.value == dojo::tolerance::within(1.5));
  CHECK(r.lo == dojo::tolerance::within(147.0 / 105));
  CHECK(r.hi == dojo::tolerance::within(156.0 / 95));
  CHECK(r.text == "B takes 1.50 × A's time (1.40 to 1.64).");
  r = compare_times(timed(100, 90, 110, 20, Source::measured), timed(101, 95, 106, 20, Source::measured));
  CHECK(r.text.find("no difference can be told") != std::string::npos);
  r = compare_times(timed(20, 20, 20, 1, Source::modelled), timed(10, 10, 10, 1, Source::modelled));
  CHECK(r.known);
  CHECK(r.lo == r.hi);
  CHECK(r.text == "B takes 0.50 × A's time, modelled: exact for the model, no spread.");
  r = compare_times(timed(20, 20, 20, 1, Source::modelled), timed(10, 9, 11, 20, Source::measured));
  CHECK_FALSE(r.known);
  CHECK(r.text.find("modelled") != std::string::npos);
  CHECK(compare_times(RunReport{}, timed(1, 1, 1, 1, Source::modelled)).text == "A has no time.");
}

TEST_CASE("an access as a table: a row for each active lane, with bank and wavefront or sector") {
  const auto t = test::make_trace();
  const StepTrace::Access *shared = nullptr, *global = nullptr;
  for (auto& a : t->accesses) {
    if (a.space == StepTrace::Space::shared && a.wavefronts == 2) shared = &a;
    if (a.space == StepTrace::Space::global && a.sectors == 32) global = &a;
  }
  REQUIRE(shared);
  REQUIRE(global);
  const Table s = access_table(*t, *shared);
  REQUIRE(s.rows.size() == 32);
  CHECK(s.columns == std::vector<std::string>{"lane", "offset", "bytes", "bank", "wavefront"});
  CHECK(s.rows[3] == std::vector<std::string>{"3", "24", "4", "6", "0"});
  const Table g = access_table(*t, *global);
  REQUIRE(g.rows.size() == 32);
  CHECK(g.rows[1][3] == std::to_string((0x10000 + 128) / 32));
}
