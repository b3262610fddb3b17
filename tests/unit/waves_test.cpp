#include <doctest/doctest.h>

#include <chrono>
#include <cmath>

#include "../near.hpp"
#include "core/error.hpp"
#include "core/waves.hpp"

using namespace dojo;

namespace {
WhatIf example() {
  WhatIf w;  // A[12 x 8] . B[8 x 8], then . D[8 x 8], in tiles of 4 x 4, on 4 SMs
  w.first = {3, 2, 1};
  w.second = {3, 2, 1};
  return w;
}
}  // namespace

TEST_CASE("waves: the 12 x 8 example takes four waves in stream order, three by rows") {
  const WhatIf w = example();
  CHECK(waves_apart(w) == 4);
  CHECK(waves_together(w) == 3);
  const Forecast apart = forecast(w, WaitPolicy::stream), by_row = forecast(w, WaitPolicy::row),
                 by_tile = forecast(w, WaitPolicy::tile);
  CHECK(apart.time_us == dojo::tolerance::within(4));
  CHECK(apart.utilization == dojo::tolerance::within(0.75));
  CHECK(by_row.time_us == dojo::tolerance::within(3));
  CHECK(by_row.utilization == dojo::tolerance::within(1));
  CHECK(by_row.waiting_us == 0);
  CHECK(by_tile.time_us == dojo::tolerance::within(3));
  CHECK(ideal_us(w) == dojo::tolerance::within(3));
}

TEST_CASE("waves: no tile starts before what it reads is there, and places hold one tile at a time") {
  WhatIf w = example();
  w.first = {5, 7, 2.5};
  w.second = {5, 3, 1.25};
  w.sms = 3;
  w.blocks_per_sm = 2;
  w.wait_us = 0.125;
  w.post_us = 0.25;
  for (WaitPolicy p : {WaitPolicy::stream, WaitPolicy::tile, WaitPolicy::row}) {
    const Forecast f = forecast(w, p);
    REQUIRE(f.spans.size() == 50);
    std::vector<double> free(6, 0.0), row(5, 0.0);
    double first_end = 0, work = 0;
    for (const TileSpan& s : f.spans) {
      CHECK(s.start >= free[size_t(s.slot)]);
      free[size_t(s.slot)] = s.end;
      if (s.kernel == 0) {
        row[size_t(s.row)] = std::max(row[size_t(s.row)], s.end);
        first_end = std::max(first_end, s.end);
      } else {
        // All but the last part of a tile may come before the last tile of its row.
        const double needs = p == WaitPolicy::stream ? first_end : row[size_t(s.row)];
        CHECK(s.end >= needs + (p == WaitPolicy::tile ? w.second.tile_us / 7 : w.second.tile_us));
      }
      work += s.kernel ? w.second.tile_us : w.first.tile_us;
    }
    CHECK(f.time_us >= ideal_us(w));
    CHECK(f.utilization == dojo::tolerance::within(work / (6 * f.time_us)));
  }
}

TEST_CASE("waves: a row that is complete late makes tiles wait on their places") {
  WhatIf w = example();
  w.first = {1, 6, 1};
  w.second = {1, 6, 1};
  const Forecast f = forecast(w, WaitPolicy::row);
  CHECK(f.time_us == dojo::tolerance::within(4));  // nothing of the second before both waves of the first
  CHECK(f.waiting_us == dojo::tolerance::within(2));
}

TEST_CASE("waves: the modelled MLP has the published wins and losses") {
  auto change = [](int m, WaitPolicy p) {
    const WhatIf w = mlp(m, 128, 256, 132, 540);
    return forecast(w, p, false).time_us / forecast(w, WaitPolicy::stream, false).time_us - 1;
  };
  // Published, H100, 128 x 256 tiles: RowSync 0, 0, 0, -12, -16, +5 % at 128 ... 2048; TileSync +8 % at 512,
  // -7 % at 1536.
  CHECK(std::fabs(change(256, WaitPolicy::row)) < 0.01);
  CHECK(std::fabs(change(512, WaitPolicy::row)) < 0.01);
  CHECK(change(1024, WaitPolicy::row) < -0.10);
  CHECK(change(1536, WaitPolicy::row) < -0.15);
  CHECK(std::fabs(change(2048, WaitPolicy::row)) < 0.01);
  CHECK(change(512, WaitPolicy::tile) > 0.05);
  CHECK(change(1536, WaitPolicy::tile) < -0.05);
}

TEST_CASE("waves: empty grids and nonsense") {
  WhatIf w = example();
  w.second = {0, 0, 1};
  CHECK(forecast(w, WaitPolicy::row).time_us == dojo::tolerance::within(2));
  w.first = {0, 4, 1};
  CHECK(forecast(w, WaitPolicy::tile).time_us == 0);
  w.second = {2, 2, 1};
  CHECK(forecast(w, WaitPolicy::tile).time_us == dojo::tolerance::within(1));
  w.sms = 0;
  CHECK_THROWS_AS(forecast(w, WaitPolicy::row), Error);
  w.sms = 4;
  w.second.tile_us = -1;
  CHECK_THROWS_AS(forecast(w, WaitPolicy::row), Error);
  w.second = {4000, 4000, 1};
  CHECK_THROWS_AS(forecast(w, WaitPolicy::row), Error);
}
