#include "gui/model/plots/what_if.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/collections/rounding.hpp"
#include "core/error.hpp"
#include "gui/model/verdict.hpp"

namespace dojo::gui {

namespace {
constexpr int64_t kMostTiles = 60000;  ///< a forecast of so many takes some ten milliseconds
}

const std::vector<WhatIfPreset>& what_if_presets() {
  // 540 TFLOP/s on 132 SMs: what the published implementation's tiles reach on an H100.
  constexpr double h100 = 540e6 / 132;
  static const std::vector<WhatIfPreset> all = {
      {"12 × 8 example",
       "A[12 × 8] · B[8 × 8], then · D[8 × 8], on 4 SMs of one block; a tile takes one unit",
       {}},
      {"MLP, M = 1024",
       "GPT-3's feed-forward pair on an H100, 540 TFLOP/s, 0.7 µs a wait",
       {1024, 6144, 12288, 12288, 128, 256, 132, 1, h100, kMlpWaitUs, 0}},
      {"MLP, M = 1536",
       "The same with 1536 rows: 11 short waves become 9",
       {1536, 6144, 12288, 12288, 128, 256, 132, 1, h100, kMlpWaitUs, 0}},
      {"MLP, M = 2048",
       "The same with 2048 rows: nothing to gain",
       {2048, 6144, 12288, 12288, 128, 256, 132, 1, h100, kMlpWaitUs, 0}},
  };
  return all;
}

void WhatIfModel::update() {
  auto bring = [](int& v, int lo, int hi) { v = std::clamp(v, lo, hi); };
  for (int* v : {&shape.m, &shape.n, &shape.k, &shape.l}) bring(*v, 1, 1 << 16);
  bring(shape.tile_m, 1, 1024);
  bring(shape.tile_n, 1, 1024);
  bring(shape.sms, 1, 256);
  bring(shape.blocks_per_sm, 1, 8);
  if (shape == seen_) return;
  seen_ = shape;
  what_ = {};
  const double per_block = shape.rate / shape.blocks_per_sm, area = 2.0 * shape.tile_m * shape.tile_n;
  what_.first = {ceil_div(shape.m, shape.tile_m), ceil_div(shape.n, shape.tile_n),
                 area * shape.k / per_block};
  what_.second = {ceil_div(shape.m, shape.tile_m), ceil_div(shape.l, shape.tile_n),
                  area * shape.n / per_block};
  what_.sms = shape.sms;
  what_.blocks_per_sm = shape.blocks_per_sm;
  what_.wait_us = shape.wait_us;
  what_.post_us = shape.post_us;
  problem_.clear();
  if (what_.first.count() + what_.second.count() > kMostTiles) {
    problem_ = fmt::format("{} tiles are too many to draw: choose a larger tile.",
                           what_.first.count() + what_.second.count());
    return;
  }
  try {
    for (WaitPolicy p : {WaitPolicy::stream, WaitPolicy::tile, WaitPolicy::row})
      all_[size_t(p)] = forecast(what_, p);
  } catch (const Error& e) {
    problem_ = e.what();
  }
}

std::string WhatIfModel::time(double t) const {
  ReportDevice counted;
  counted.kind = DeviceKind::simt;
  counted.clock_mhz = in_units() ? 1 : 1000;
  return time_on(counted, t);
}

double WhatIfModel::gain(WaitPolicy p) const {
  const double t = of(p).time_us;
  return t > 0 ? of(WaitPolicy::stream).time_us / t : 1;
}

double WhatIfModel::ideal_gain() const {
  const double t = ideal_us(what_);
  return t > 0 ? of(WaitPolicy::stream).time_us / t : 1;
}

std::string WhatIfModel::headline() const {
  return fmt::format("{} + {} tiles, {} slot{}: {} + {} waves, or {}", what_.first.count(),
                     what_.second.count(), what_.capacity(), what_.capacity() == 1 ? "" : "s",
                     waves_of(what_.first.count(), what_.capacity()),
                     waves_of(what_.second.count(), what_.capacity()), waves_together(what_));
}

Table WhatIfModel::table() const {
  const std::string unit = in_units() ? "units" : "us";
  Table t{{"policy", "kernel", "row", "column", "sm", "start_" + unit, "end_" + unit, "waiting_" + unit}, {}};
  if (ok())
    for (const TileSpan& s : chosen().spans)
      t.rows.push_back({to_string(policy), s.kernel ? "second" : "first", std::to_string(s.row),
                        std::to_string(s.column), std::to_string(s.slot % what_.sms),
                        fmt::format("{:.6g}", s.start), fmt::format("{:.6g}", s.end),
                        fmt::format("{:.6g}", s.waiting)});
  return t;
}

}  // namespace dojo::gui
