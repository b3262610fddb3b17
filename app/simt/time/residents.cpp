// Blocks that are on an SM: their common pace, the points where each stops next, waits and whom they wake.
#include <algorithm>
#include <cmath>
#include <limits>

#include "simt/time/schedule_run.hpp"

namespace dojo::simt {
namespace {

constexpr double kNoStop = std::numeric_limits<double>::infinity();
constexpr double kSpinLoad = 0.02;  // what a block that only spins takes from its neighbours

/// How much longer a block takes beside so many that empty the L1.
double beside(const BlockKind& k, int emptying) {
  const double share = double(std::min(emptying, BlockKind::many) - 1) / (BlockKind::many - 1);
  return k.one_empties + (k.many_empty - k.one_empties) * share;
}

}  // namespace

void Schedule::move_to(SmState& s, double t) {
  if (t <= s.now) return;
  s.virtual_now += (t - s.now) / s.pace;
  s.now = t;
}

void Schedule::add_load(SmState& s, const BlockKind& k, double times) {
  s.load += times * k.load * (1 - k.shared);
  shared_load_ += times * k.load * k.shared;
}

/// Where the load on what all SMs share has changed: their blocks go on at another pace.
void Schedule::plan_all(double t) {
  if (std::abs(shared_load_ - planned_load_) <= 0.02 * std::max(shared_load_, planned_load_)) return;
  planned_load_ = shared_load_;
  for (uint32_t sm = 0; sm < sms_.size(); ++sm) {
    if (sms_[sm].residents.empty()) continue;
    move_to(sms_[sm], t);
    plan(sm);
  }
}

/// Posts the SM's next stop: the first of its blocks to end or to reach a wait.
void Schedule::plan(uint32_t sm) {
  SmState& s = sms_[sm];
  ++s.version;
  double first = kNoStop, without_l1 = 1;
  for (const Resident& r : s.residents) {
    if (r.waiting_since >= 0) continue;
    first = std::min(first, r.done_at);
    if (s.emptying) without_l1 = std::max(without_l1, beside(kind(r.launch, r.block), s.emptying));
  }
  s.pace = without_l1 * slowdown((s.load + shared_load_ / busy_sms_) /
                                 without_l1);  // who takes longer alone leaves more to the others
  if (first == kNoStop) return;
  push(s.now + std::max(0.0, first - s.virtual_now) * s.pace, Event::stop, sm, s.version);
}

bool Schedule::passed(const WaitPoint& w) const {
  if (w.by_launch >= launches_.size()) return true;
  if (w.by_block == WaitPoint::whole_launch) return finished_[w.by_launch];
  if (w.by_block >= launches_[w.by_launch].blocks) return true;
  return progress_[w.by_launch][w.by_block] >= w.by_at - 1e-12;
}

/// Work, in microseconds alone, at which the block stops next: at its next wait, at a point others wait for,
/// where it lets dependent launches go, or at its end.
double Schedule::next_stop(const Resident& r) const {
  const double work = kind(r.launch, r.block).work;
  double stop = work;
  if (!r.triggered && launches_[r.launch].trigger < 1)
    stop = std::max(r.progress, launches_[r.launch].trigger * work);
  if (!coupled_) return stop;
  const auto& waits = launches_[r.launch].waits;
  if (!waits.empty() && r.next_wait < waits[r.block].size())
    stop = std::min(stop, std::max(r.progress, waits[r.block][r.next_wait].at * work));
  const auto& posts = posts_[r.launch][r.block];
  const auto post = std::upper_bound(posts.begin(), posts.end(), r.progress / std::max(work, 1e-300) + 1e-12);
  if (post != posts.end()) stop = std::min(stop, *post * work);
  return stop;
}

void Schedule::begin(const Begin& b, double t) {
  SmState& s = sms_[b.sm];
  move_to(s, t);
  BlockSpan& span = out_[b.launch].blocks[b.block];
  span.block = b.block;
  span.sm = int(b.sm);
  span.start_us = t;
  Resident r;
  r.launch = b.launch;
  r.block = b.block;
  r.virtual_from = s.virtual_now;
  r.done_at = s.virtual_now + next_stop(r);
  add_load(s, kind(b.launch, b.block), 1);
  s.residents.push_back(r);
  plan(b.sm);
  plan_all(t);
}

void Schedule::finish_block(uint32_t sm, Resident r, double t) {
  BlockSpan& span = out_[r.launch].blocks[r.block];
  span.end_us = t;
  if (!r.triggered) --untriggered_[r.launch];
  if (coupled_) progress_[r.launch][r.block] = 2;
  if (--left_[r.launch] == 0)
    complete(r.launch, t);
  else if (untriggered_[r.launch] == 0)
    check_ready(t);
  push(t + rules_.turnaround_us, Event::free_slot, sm, r.launch);
}

void Schedule::stops(uint32_t sm, double t) {
  SmState& s = sms_[sm];
  move_to(s, t);
  bool moved = false;
  for (size_t i = 0; i < s.residents.size();) {
    Resident& r = s.residents[i];
    const double slack = 1e-9 * std::max(1.0, s.virtual_now);
    if (r.waiting_since >= 0 || r.done_at > s.virtual_now + slack) {
      ++i;
      continue;
    }
    const BlockKind& k = kind(r.launch, r.block);
    r.progress = next_stop(r);
    if (!r.triggered && launches_[r.launch].trigger < 1 &&
        r.progress >= launches_[r.launch].trigger * k.work) {
      r.triggered = true;
      if (--untriggered_[r.launch] == 0) check_ready(t);
    }
    if (coupled_) {
      progress_[r.launch][r.block] = k.work > 0 ? r.progress / k.work : 1;
      moved = true;
      const auto& waits = launches_[r.launch].waits;
      bool blocked = false;
      if (!waits.empty())
        while (r.next_wait < waits[r.block].size() &&
               waits[r.block][r.next_wait].at * k.work <= r.progress + 1e-12) {
          if (!passed(waits[r.block][r.next_wait])) {
            blocked = true;
            break;
          }
          ++r.next_wait;
        }
      if (blocked) {
        r.waiting_since = t;
        s.emptying += waits[r.block][r.next_wait].empties_l1;
        add_load(s, k, kSpinLoad - 1);
        ++i;
        continue;
      }
    }
    if (r.progress >= k.work * (1 - 1e-12)) {
      add_load(s, k, -1);
      if (s.residents.size() == 1) s.load = 0;  // no drift
      const Resident done = r;
      s.residents.erase(s.residents.begin() + long(i));
      finish_block(sm, done, t);
      continue;
    }
    r.done_at = s.virtual_now + next_stop(r) - r.progress;
    ++i;
  }
  plan(sm);
  plan_all(t);
  if (!moved) return;
  // Another block may have waited for this.
  for (uint32_t other = 0; other < sms_.size(); ++other) {
    SmState& o = sms_[other];
    bool woke = false;
    for (Resident& r : o.residents) {
      if (r.waiting_since < 0) continue;
      const auto& waits = launches_[r.launch].waits[r.block];
      if (!passed(waits[r.next_wait])) continue;
      move_to(o, t);
      woke = true;
      const BlockKind& k = kind(r.launch, r.block);
      o.emptying -= waits[r.next_wait].empties_l1;
      ++r.next_wait;
      if (t > r.waiting_since) out_[r.launch].blocks[r.block].waiting.push_back({r.waiting_since, t});
      r.waiting_since = -1;
      add_load(o, k, 1 - kSpinLoad);
      r.done_at = o.virtual_now + next_stop(r) - r.progress;
    }
    if (woke) plan(other);
  }
}

}  // namespace dojo::simt
