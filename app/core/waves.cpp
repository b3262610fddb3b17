#include "core/waves.hpp"

#include <algorithm>
#include <functional>
#include <queue>

#include "core/collections/rounding.hpp"
#include "core/error.hpp"

namespace dojo {

const char* to_string(WaitPolicy p) {
  return p == WaitPolicy::stream ? "stream order" : p == WaitPolicy::tile ? "TileSync" : "RowSync";
}

int64_t waves_of(int64_t tiles, int capacity) { return ceil_div(tiles, capacity); }
int64_t waves_apart(const WhatIf& w) {
  return waves_of(w.first.count(), w.capacity()) + waves_of(w.second.count(), w.capacity());
}
int64_t waves_together(const WhatIf& w) { return waves_of(w.first.count() + w.second.count(), w.capacity()); }

double ideal_us(const WhatIf& w) {
  const double work = double(w.first.count()) * w.first.tile_us + double(w.second.count()) * w.second.tile_us;
  const double chain =
      (w.first.count() > 0 ? w.first.tile_us : 0) + (w.second.count() > 0 ? w.second.tile_us : 0);
  return std::max(work / w.capacity(), chain);
}

namespace {

void check(const WhatIf& w) {
  auto need = [](bool ok, const char* what) {
    if (!ok) throw Error(std::string("waves: ") + what);
  };
  for (const TileGrid& g : {w.first, w.second}) {
    need(g.rows >= 0 && g.columns >= 0, "a grid has a negative extent");
    need(g.tile_us > 0 && g.tile_us < 1e12, "a tile's time must be above 0");
  }
  need(w.sms > 0 && w.sms <= 100000 && w.blocks_per_sm > 0 && w.blocks_per_sm <= 64,
       "SMs and blocks an SM must be above 0 (at most 64 blocks)");
  need(w.first.count() + w.second.count() <= 2000000, "more than two million tiles: choose larger tiles");
  need(w.launch_us >= 0 && w.wait_us >= 0 && w.post_us >= 0, "a cost is negative");
}

/// The slots of all SMs: the one that is free first, the lowest number among equals.
class Slots {
 public:
  explicit Slots(int n) {
    for (int i = 0; i < n; ++i) free_.push({0.0, i});
  }
  std::pair<double, int> take() {
    const auto p = free_.top();
    free_.pop();
    return p;
  }
  void give_back(double at, int slot) { free_.push({at, slot}); }

 private:
  std::priority_queue<std::pair<double, int>, std::vector<std::pair<double, int>>, std::greater<>> free_;
};

}  // namespace

Forecast forecast(const WhatIf& w, WaitPolicy policy, bool spans) {
  check(w);
  Forecast out;
  out.policy = policy;
  const bool apart = policy == WaitPolicy::stream;
  const double post = apart ? 0 : w.post_us;
  Slots slots(w.capacity());
  std::vector<double> done(size_t(w.first.count())), row_done(size_t(w.first.rows), 0.0);
  double last_start = 0;
  auto keep = [&](int kernel, int slot, int row, int column, double start, double end, double waiting) {
    out.time_us = std::max(out.time_us, end);
    out.waiting_us += waiting;
    if (spans) out.spans.push_back({slot, kernel, row, column, start, end, waiting});
  };
  for (int r = 0; r < w.first.rows; ++r)
    for (int c = 0; c < w.first.columns; ++c) {
      const auto [start, slot] = slots.take();
      const double end = start + w.first.tile_us + post;
      last_start = std::max(last_start, start);
      done[size_t(r) * size_t(w.first.columns) + size_t(c)] = end;
      row_done[size_t(r)] = std::max(row_done[size_t(r)], end);
      keep(0, slot, r, c, start, end, 0);
      slots.give_back(end, slot);
    }
  const double may_start = apart ? out.time_us + (w.first.count() > 0 ? w.launch_us : 0) : last_start;
  for (int r = 0; r < w.second.rows; ++r) {
    const int read = w.first.rows > 0 ? int(int64_t(r) * w.first.rows / w.second.rows) : -1;
    for (int c = 0; c < w.second.columns; ++c) {
      const auto [free, slot] = slots.take();
      const double start = std::max(free, may_start);
      double t = start + post, waiting = 0;
      auto wait_for = [&](double when) {
        if (when > t) {
          waiting += when - t;
          t = when;
        }
        t += w.wait_us;
      };
      if (policy == WaitPolicy::row && read >= 0) wait_for(row_done[size_t(read)]);
      if (policy == WaitPolicy::tile && read >= 0) {
        const double part = w.second.tile_us / std::max(1, w.first.columns);
        for (int k = 0; k < w.first.columns; ++k) {
          wait_for(done[size_t(read) * size_t(w.first.columns) + size_t(k)]);
          t += part;
        }
        if (w.first.columns == 0) t += w.second.tile_us;
      } else {
        t += w.second.tile_us;
      }
      keep(1, slot, r, c, start, t, waiting);
      slots.give_back(t, slot);
    }
  }
  const double work = double(w.first.count()) * w.first.tile_us + double(w.second.count()) * w.second.tile_us;
  out.utilization = out.time_us > 0 ? work / (out.time_us * w.capacity()) : 0;
  return out;
}

WhatIf mlp(int m, int tile_m, int tile_n, int sms, double tflops) {
  constexpr int inner = 12288, middle = 6144;
  WhatIf w;
  w.sms = sms;
  const double per_sm = tflops * 1e6 / sms;  // operations a microsecond
  w.first = {ceil_div(m, tile_m), ceil_div(middle, tile_n), 2.0 * tile_m * tile_n * inner / per_sm};
  w.second = {ceil_div(m, tile_m), ceil_div(inner, tile_n), 2.0 * tile_m * tile_n * middle / per_sm};
  w.wait_us = kMlpWaitUs;
  return w;
}

}  // namespace dojo
