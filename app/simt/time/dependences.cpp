// What the blocks of a launch wait for: points of other blocks that set a flag, launches whose end or trigger
// they need, and a stop that found them running.
#include <algorithm>
#include <cmath>

#include "simt/time/launches.hpp"
#include "simt/time/progress.hpp"

namespace dojo::simt {

/// How far along its block's way a warp is at each of its steps: by the block alone on an SM, or where that
/// is not known (toy devices, launches that come later, too many that differ) by what its instructions hold
/// it up.
const std::vector<double>& TimeModel::way_of(uint32_t i, const BlockTrace& b, uint32_t warp) {
  constexpr size_t most = 64;
  Alone& a = singles[i];
  const auto& blocks = traces[i].blocks;
  const auto [found, fresh] =
      a.ways.try_emplace({b.block < blocks.size() ? blocks[b.block].signature : ~b.block, warp});
  if (!fresh) return found->second;
  if (!a.inputs.model || a.ways.size() > most) return found->second = way(device, module, b.warps[warp]);
  a.inputs.blocks = {&b};
  a.inputs.reached = int(warp);
  const SmResult r = simulate_sm(a.inputs);
  for (int64_t at : r.reached) found->second.push_back(double(at) / double(std::max<int64_t>(1, r.end)));
  found->second.resize(std::max(found->second.size(), b.warps[warp].steps.size() + 1), 1.0);
  return found->second;
}

/// The share of its block's way that a warp has behind it before a step, or with it.
double TimeModel::passed_at(uint32_t i, const BlockTrace& b, uint32_t warp, uint32_t step, bool inclusive) {
  if (!b.shortened) return share_before(way_of(i, b, warp), step, inclusive);
  return std::min(1.0, (double(step) + (inclusive ? 1 : 0)) / std::max(1.0, double(b.warps[warp].passed())));
}

void TimeModel::dependences(uint32_t i) {
  const LaunchTrace& t = traces[i];
  ScheduledLaunch& s = scheduled[i];
  const auto detailed_block = [](const LaunchTrace& of, uint64_t block) -> const BlockTrace* {
    const auto it = std::lower_bound(of.detailed.begin(), of.detailed.end(), block,
                                     [](const BlockTrace& b, uint64_t v) { return b.block < v; });
    return it != of.detailed.end() && it->block == block ? &*it : nullptr;
  };
  if (t.spin_coupled) s.waits.resize(s.blocks);
  for (const BlockTrace& b : t.detailed) {
    if (b.block >= s.blocks) continue;
    for (const Wake& w : b.wakes) {
      if (w.by_launch >= traces.size() || w.warp >= b.warps.size()) continue;
      if (s.waits.empty()) s.waits.resize(s.blocks);
      WaitPoint p;
      const WarpTrace& asks = b.warps[w.warp];
      p.at = passed_at(i, b, w.warp, w.step, false);
      p.empties_l1 = w.around.empty() ? waits_by_acquire(module, asks, w.step)
                                      : waits_by_acquire(module, {w.around, {}}, 1);
      p.by_launch = w.by_launch;
      p.by_block = w.by_block;
      p.by_at = 1;
      if (const BlockTrace* by = detailed_block(traces[w.by_launch], w.by_block);
          by && w.by_warp < by->warps.size())
        p.by_at = passed_at(w.by_launch, *by, w.by_warp, w.by_step, true);
      s.waits[b.block].push_back(p);
    }
  }
  keep_standing(i);
  // Programmatic dependence: where blocks let the next launch start, and where that one waits for all of
  // them.
  if (!t.detailed.empty() && !t.detailed[0].warps.empty()) {
    const auto share_at = [&](ptx::Side side) {
      const int step = step_of(module, t.detailed[0].warps[0], ptx::Op::griddepcontrol, side);
      return step < 0 ? -1.0 : share_before(way_of(i, t.detailed[0], 0), uint32_t(step), false);
    };
    if (const double trigger = share_at(ptx::Side::arrive); trigger >= 0) s.trigger = trigger;
    const double wait = share_at(ptx::Side::wait);
    if (wait >= 0 && !s.after_start.empty()) {
      if (s.waits.empty()) s.waits.resize(s.blocks);
      for (auto& block : s.waits)
        for (uint32_t a : s.after_start) block.push_back({wait, a, WaitPoint::whole_launch, 1});
    }
  }
  for (auto& block : s.waits)
    std::sort(block.begin(), block.end(), [](const WaitPoint& a, const WaitPoint& b) {
      return std::tie(a.at, a.by_launch, a.by_block, a.by_at) <
             std::tie(b.at, b.by_launch, b.by_block, b.by_at);
    });
}

/// Blocks that a stop found before their end wait there for their own launch, which never ends.
void TimeModel::keep_standing(uint32_t i) {
  if (ends.size() <= i) return;
  ScheduledLaunch& s = scheduled[i];
  for (uint64_t b = 0; b < s.blocks && b < ends[i].size(); ++b) {
    if (ends[i][b] != BlockEnd::running && ends[i][b] != BlockEnd::waiting) continue;
    if (s.waits.empty()) s.waits.resize(s.blocks);
    s.waits[b].push_back({1, i, WaitPoint::whole_launch, 1});
  }
}

}  // namespace dojo::simt
