#include "gui/plot/decimate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "core/host_work.hpp"

namespace dojo::gui {

bool stopped_early(const RunReport& run, const LaunchReport& l) {
  return (run.status == Status::finding || run.status == Status::timeout) && !counted(l);
}

BlockState state_of(const RunReport& run, const LaunchReport& l, const BlockSpan& b) {
  if (!stopped_early(run, l) || b.waiting.empty() || b.waiting.back()[1] < b.end_us) return BlockState::ended;
  return b.waiting.back()[0] < b.waiting.back()[1] ? BlockState::waits : BlockState::runs;
}

std::array<float, 2> longest_without_wait(const Timeline& t, int sm, float start, float end) {
  const auto before = [](const std::array<float, 3>& w, float row) { return w[0] < row; };
  auto w = std::lower_bound(t.waits.begin(), t.waits.end(), float(sm), before);
  std::array<float, 2> best{start, start};
  float free = start;  // nothing waits from here on
  for (; w != t.waits.end() && int((*w)[0]) == sm && (*w)[1] < end; ++w) {
    if ((*w)[1] - free > best[1] - best[0]) best = {free, (*w)[1]};
    free = std::max(free, (*w)[2]);
  }
  if (end - free > best[1] - best[0]) best = {free, end};
  return best;
}

namespace {

void add_launch(Timeline& t, const RunReport& run, uint16_t index) {
  constexpr float never = std::numeric_limits<float>::infinity();
  const LaunchReport& launch = run.launches[index];
  if (stopped_early(run, launch)) {
    t.stopped = true;
    t.not_begun += launch.grid.count() - std::min<uint64_t>(launch.grid.count(), launch.blocks.size());
  }
  for (auto& b : launch.blocks) {
    if (b.sm < 0 || b.sm > 65534) continue;
    const BlockState state = state_of(run, launch, b);
    const bool ended = state == BlockState::ended;
    t.runs += state == BlockState::runs, t.waits_for_ever += state == BlockState::waits;
    t.spans.push_back({float(b.start_us), ended ? float(b.end_us) : never, uint16_t(b.sm), index,
                       uint32_t(b.block), state});
    t.sms = std::max(t.sms, b.sm + 1);
    t.end_us = std::max(t.end_us, b.end_us);
    t.settled_us = std::max(t.settled_us, ended ? b.end_us : b.start_us);
    for (size_t k = 0; k < b.waiting.size(); ++k) {
      const auto& w = b.waiting[k];
      const bool for_ever = state == BlockState::waits && k + 1 == b.waiting.size();
      if (for_ever) t.settled_us = std::max(t.settled_us, w[0]);
      t.waits.push_back({float(b.sm), float(w[0]), for_ever ? never : float(w[1])});
    }
  }
}

void sort_by_start(Timeline& t) {
  std::sort(t.waits.begin(), t.waits.end());  // by SM, then by time
  std::sort(t.spans.begin(), t.spans.end(), [](const Span& a, const Span& b) {
    return a.sm != b.sm ? a.sm < b.sm : a.start != b.start ? a.start < b.start : a.block < b.block;
  });
  t.row.assign(size_t(t.sms) + 1, 0);
  for (auto& s : t.spans) ++t.row[size_t(s.sm) + 1];
  std::partial_sum(t.row.begin(), t.row.end(), t.row.begin());
}

/// A block takes the lowest slot that is free when it starts.
void give_slots(Timeline& t) {
  t.lane.assign(t.spans.size(), 0);
  t.lanes.assign(size_t(t.sms), 1);
  double busy = 0;
  t.first_idle_us = t.end_us;
  std::vector<float> free_at;
  for (int sm = 0; sm < t.sms; ++sm) {
    free_at.clear();
    float covered = 0, last = 0;
    for (uint32_t i = t.row[size_t(sm)]; i < t.row[size_t(sm) + 1]; ++i) {
      auto& s = t.spans[i];
      size_t k = 0;
      while (k < free_at.size() && free_at[k] > s.start + 1e-6f) ++k;
      if (k == free_at.size()) free_at.push_back(0);
      free_at[k] = s.end;
      t.lane[i] = uint16_t(k);
      const float end = std::min(s.end, float(t.end_us));
      if (end > last) {
        covered += end - std::max(s.start, last);
        last = end;
      }
    }
    t.lanes[size_t(sm)] = uint16_t(std::max<size_t>(1, free_at.size()));
    busy += covered;
    t.first_idle_us = std::min(t.first_idle_us, double(last));
  }
  t.idle_share = t.end_us > 0 && t.sms > 0 ? 1 - busy / (t.end_us * t.sms) : 0;
}

/// Rows are drawn slot by slot: orders spans so within their row.
void sort_by_slot(Timeline& t) {
  std::vector<uint32_t> order(t.spans.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    return t.spans[a].sm != t.spans[b].sm ? t.spans[a].sm < t.spans[b].sm : t.lane[a] < t.lane[b];
  });
  std::vector<Span> spans(t.spans.size());
  std::vector<uint16_t> lane(t.spans.size());
  for (size_t i = 0; i < order.size(); ++i) spans[i] = t.spans[order[i]], lane[i] = t.lane[order[i]];
  t.spans.swap(spans);
  t.lane.swap(lane);
  t.by_start.resize(t.spans.size());
  std::iota(t.by_start.begin(), t.by_start.end(), 0u);
  for (int sm = 0; sm < t.sms; ++sm)
    std::sort(t.by_start.begin() + t.row[size_t(sm)], t.by_start.begin() + t.row[size_t(sm) + 1],
              [&](uint32_t a, uint32_t b) { return t.spans[a].start < t.spans[b].start; });
}

}  // namespace

Timeline lay_out(const RunReport& run, int sms) {
  Timeline t;
  size_t n = 0;
  for (auto& l : run.launches) n += l.blocks.size();
  if (n == 0) return t;
  t.spans.reserve(n);
  t.sms = sms;
  for (size_t l = 0; l < run.launches.size(); ++l) add_launch(t, run, uint16_t(l));
  sort_by_start(t);
  give_slots(t);
  sort_by_slot(t);
  return t;
}

std::vector<Stretch> decimate(const Timeline& t, double from, double to, double pixels, bool per_lane,
                              double min_px) {
  std::vector<Stretch> out;
  if (t.spans.empty() || !(to > from) || pixels < 1) return out;
  const float px = float((to - from) / pixels);  // microseconds a pixel
  const float narrow = float(min_px) * px;
  for (int sm = 0; sm < t.sms; ++sm) {
    uint32_t b = t.row[size_t(sm)], e = t.row[size_t(sm) + 1];
    uint16_t lanes = per_lane ? t.lanes[size_t(sm)] : uint16_t(1);
    bool open = false;
    Stretch cur;
    for (uint32_t k = b; k < e; ++k) {
      // Slot by slot, or, when the slots share one row, in order of time.
      uint32_t i = per_lane ? k : t.by_start[k];
      auto& s = t.spans[i];
      if (s.end < from || s.start > to) continue;
      uint16_t lane = per_lane ? t.lane[i] : uint16_t(0);
      bool thin = s.end - s.start < narrow;
      bool joins = open && cur.lane == lane && cur.launch == s.launch && s.start <= cur.end + px &&
                   (per_lane ? thin : true);
      if (joins) {
        cur.end = std::max(cur.end, s.end);
        ++cur.blocks;
        continue;
      }
      if (open) out.push_back(cur);
      cur = {s.start, s.end, s.sm, s.launch, i, 1, lane, lanes};
      // A wide block never takes others in when slots are drawn apart.
      open = true;
      if (per_lane && !thin) {
        out.push_back(cur);
        open = false;
      }
    }
    if (open) out.push_back(cur);
  }
  return out;
}

int64_t span_at(const Timeline& t, int sm, double us, double lane01, bool per_lane) {
  if (sm < 0 || sm >= t.sms || t.row.empty()) return -1;
  int64_t best = -1;
  int want = int(lane01 * t.lanes[size_t(sm)]);
  for (uint32_t i = t.row[size_t(sm)]; i < t.row[size_t(sm) + 1]; ++i) {
    auto& s = t.spans[i];
    if (s.start > us || s.end < us) continue;
    if (!per_lane || t.lane[i] == want) return i;
  }
  return best;
}

std::string share_text(double share) {
  if (share == 0 || share == 1) return share == 0 ? "0 %" : "100 %";
  if (share < 1 && share > 0.9995) return "over 99.9 %";
  if (share > 0 && share < 0.0005) return "under 0.1 %";
  return fmt::format("{:.1f} %", 100 * share);
}

}  // namespace dojo::gui
