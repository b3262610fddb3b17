#include "simt/time/schedule.hpp"

#include <algorithm>
#include <cmath>

#include "simt/time/schedule_run.hpp"

namespace dojo::simt {
namespace {

// Sharpness of the bend between "there is room" and "the SM is full". (max(1, load) would be infinity.)
constexpr double kBend = 4;

}  // namespace

Schedule::Schedule(const ScheduleRules& r, std::span<const ScheduledLaunch> l)
    : rules_(r), launches_(l), sms_(size_t(r.sms)) {
  out_.resize(l.size());
  next_.assign(l.size(), 0);
  left_.resize(l.size());
  untriggered_.resize(l.size());
  open_.assign(l.size(), false);
  started_.assign(l.size(), false);
  finished_.assign(l.size(), false);
  progress_.resize(l.size());
  for (size_t i = 0; i < l.size(); ++i) {
    busy_sms_ = std::max(busy_sms_, double(std::min<uint64_t>(l[i].blocks, uint64_t(r.sms))));
    left_[i] = untriggered_[i] = l[i].blocks;
    out_[i].blocks.resize(l[i].blocks);
    coupled_ = coupled_ || !l[i].waits.empty();
  }
  if (!coupled_) return;
  posts_.resize(l.size());
  for (size_t i = 0; i < l.size(); ++i) {
    progress_[i].assign(l[i].blocks, 0);
    posts_[i].resize(l[i].blocks);
  }
  for (const auto& launch : l)
    for (const auto& block : launch.waits)
      for (const auto& w : block)
        if (w.by_launch < l.size() && w.by_block < l[w.by_launch].blocks)
          posts_[w.by_launch][w.by_block].push_back(w.by_at);
  for (auto& launch : posts_)
    for (auto& p : launch) std::sort(p.begin(), p.end());
}

void Schedule::check_ready(double t) {
  for (uint32_t i = 0; i < launches_.size(); ++i) {
    if (started_[i]) continue;
    double at = t;
    bool ok = true;
    for (uint32_t a : launches_[i].after) {
      ok = ok && finished_[a];
      if (ok) at = std::max(at, out_[a].end_us);
    }
    for (uint32_t a : launches_[i].after_start) ok = ok && untriggered_[a] == 0;
    if (!ok) continue;
    started_[i] = true;
    out_[i].start_us = at;
    push(at + launches_[i].before_us, Event::ready, i);
  }
}

void Schedule::complete(uint32_t launch, double t) {
  finished_[launch] = true;
  const ScheduledLaunch& l = launches_[launch];
  out_[launch].end_us = std::max(t, out_[launch].start_us + l.before_us + l.at_least_us) + l.tail_us;
  check_ready(t);
}

void Schedule::give(uint32_t launch, uint32_t sm, double t) {
  SmState& s = sms_[sm];
  s.occupied += launches_[launch].slot;
  ++s.blocks;
  const double at = std::max(t, next_dispatch_);
  next_dispatch_ = at + rules_.block_us;
  begins_.push_back({launch, next_[launch]++, sm});
  push(at, Event::begin, sm, uint32_t(begins_.size() - 1));
}

/// Hands out blocks while there is room: launches by priority, then in order; SMs with most room first, in
/// turn.
void Schedule::dispatch(double t, int only) {
  constexpr double eps = 1e-9;
  for (;;) {
    int launch = -1;
    for (uint32_t i = 0; i < launches_.size(); ++i)
      if (open_[i] && next_[i] < launches_[i].blocks &&
          (launch < 0 || launches_[i].priority < launches_[size_t(launch)].priority))
        launch = int(i);
    if (launch < 0) return;
    const double slot = launches_[size_t(launch)].slot;
    int best = -1;
    const uint32_t all = uint32_t(sms_.size());
    const int only_first = launches_[size_t(launch)].sms;
    const uint32_t n = only_first > 0 ? std::min(uint32_t(only_first), all) : all;
    if (only >= 0 && full_for_ > 0 && slot >= full_for_) {  // only this SM may have room
      const SmState& s = sms_[size_t(only)];
      if (uint32_t(only) >= n || s.occupied + slot > 1 + eps || s.blocks >= rules_.blocks_per_sm) return;
      give(uint32_t(launch), uint32_t(only), t);
      continue;
    }
    for (uint32_t k = 0; k < n; ++k) {
      const uint32_t sm = (turn_ + k) % n;
      const SmState& s = sms_[sm];
      if (s.occupied + slot > 1 + eps || s.blocks >= rules_.blocks_per_sm) continue;
      if (best < 0 || s.occupied < sms_[size_t(best)].occupied - eps) best = int(sm);
      if (s.occupied <= eps) break;
    }
    if (best < 0) {
      if (n == all) full_for_ = slot;
      return;
    }
    turn_ = (uint32_t(best) + 1) % all;
    give(uint32_t(launch), uint32_t(best), t);
  }
}

std::vector<ScheduledTimes> Schedule::run() {
  check_ready(0);
  while (!events_.empty()) {
    const Event e = events_.top();
    events_.pop();
    switch (e.kind) {
      case Event::ready:
        open_[e.a] = true;
        if (launches_[e.a].blocks == 0) complete(e.a, e.time);
        dispatch(e.time);
        break;
      case Event::begin:
        begin(begins_[e.b], e.time);
        break;
      case Event::stop:
        if (sms_[e.a].version == e.b) stops(e.a, e.time);
        break;
      case Event::free_slot: {
        SmState& s = sms_[e.a];
        s.occupied -= launches_[e.b].slot;
        if (--s.blocks == 0) s.occupied = 0;
        dispatch(e.time, int(e.a));
        if (s.occupied + 1e-9 < 1 && s.blocks < rules_.blocks_per_sm) full_for_ = 0;
        break;
      }
    }
  }
  // Blocks that never came to their end wait for points that no block passes. They are followed a little
  // beyond the last that happens.
  constexpr double beyond = 1.05;
  double last = 0;
  bool waits = false;
  for (const auto& l : out_)
    for (const auto& b : l.blocks) last = std::max(last, b.end_us);
  for (const SmState& s : sms_)
    for (const Resident& r : s.residents)
      if (r.waiting_since >= 0) last = std::max(last, r.waiting_since), waits = true;
  if (waits) last *= beyond;
  for (const SmState& s : sms_)
    for (const Resident& r : s.residents)
      if (r.waiting_since >= 0) out_[r.launch].blocks[r.block].waiting.push_back({r.waiting_since, last});
  for (size_t i = 0; i < out_.size(); ++i) {
    if (finished_[i]) continue;
    for (auto& b : out_[i].blocks)
      if (b.end_us < b.start_us || b.end_us == 0) b.end_us = std::max(last, b.start_us);
    out_[i].end_us = last + launches_[i].tail_us;
  }
  return std::move(out_);
}

double slowdown(double total) {
  return total <= 0 ? 1 : std::sqrt(std::sqrt(1 + total * total * total * total));
}

double load_for(double factor, int count) {
  if (factor <= 1 || count < 1) return 0;
  return std::pow(std::pow(factor, kBend) - 1, 1 / kBend) / count;
}

std::vector<ScheduledTimes> schedule(const ScheduleRules& r, std::span<const ScheduledLaunch> l) {
  return Schedule(r, l).run();
}

}  // namespace dojo::simt
