#include "simt/time/schedule.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>

namespace dojo::simt {
namespace {

// Sharpness of the bend between "there is room" and "the SM is full". (max(1, load) would be infinity.)
constexpr double kBend = 4;
constexpr double kNoStop = std::numeric_limits<double>::infinity();
constexpr double kSpinLoad = 0.02;  // what a block that only spins takes from its neighbours

struct Resident {
  uint32_t launch = 0, next_wait = 0;
  uint64_t block = 0;
  double done_at = 0;   // SM-virtual time of its next stop
  double progress = 0;  // work done up to the last stop, in microseconds alone
  double virtual_from = 0;
  double waiting_since = -1;
  bool triggered = false;
};

struct SmState {
  double now = 0, virtual_now = 0, load = 0;  // load: of what is the SM's own
  double occupied = 0;                        // slots taken, 1 = full
  int blocks = 0;
  double pace = 1;   // virtual time passes so much slower than time
  int emptying = 0;  // blocks that wait and empty the L1
  uint32_t version = 0;
  std::vector<Resident> residents;
};

struct Event {
  double time;
  uint64_t order;
  enum Kind : uint8_t { ready, begin, stop, free_slot } kind;
  uint32_t a = 0, b = 0;  // ready: launch; begin: SM, index into begins; stop: SM, version; free_slot: SM
  bool operator<(const Event& o) const { return time != o.time ? time > o.time : order > o.order; }
};

/// How much longer a block takes beside so many that empty the L1.
double beside(const BlockKind& k, int emptying) {
  const double share = double(std::min(emptying, BlockKind::many) - 1) / (BlockKind::many - 1);
  return k.one_empties + (k.many_empty - k.one_empties) * share;
}

class Schedule {
 public:
  Schedule(const ScheduleRules& r, std::span<const ScheduledLaunch> l)
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
  std::vector<ScheduledTimes> run();

 private:
  struct Begin {
    uint32_t launch;
    uint64_t block;
    uint32_t sm;
  };
  struct Waiter {
    uint32_t sm;
    size_t launch;
    uint64_t block;
  };
  void push(double t, Event::Kind k, uint32_t a, uint32_t b = 0) { events_.push({t, order_++, k, a, b}); }
  const BlockKind& kind(uint32_t launch, uint64_t block) const {
    const ScheduledLaunch& l = launches_[launch];
    return l.kinds[l.kind.empty() ? 0 : l.kind[block]];
  }
  void move_to(SmState&, double t);
  void add_load(SmState&, const BlockKind&, double times);
  void plan_all(double t);
  void plan(uint32_t sm);
  void check_ready(double t);
  void dispatch(double t, int only = -1);
  void give(uint32_t launch, uint32_t sm, double t);
  void begin(const Begin&, double t);
  void stops(uint32_t sm, double t);
  bool passed(const WaitPoint&) const;
  double next_stop(const Resident&) const;
  void finish_block(uint32_t sm, Resident, double t);
  void complete(uint32_t launch, double t);

  const ScheduleRules& rules_;
  std::span<const ScheduledLaunch> launches_;
  std::vector<SmState> sms_;
  std::vector<ScheduledTimes> out_;
  std::vector<uint64_t> next_, left_, untriggered_;
  std::vector<bool> open_, started_, finished_;
  std::vector<std::vector<double>>
      progress_;  // with waits: the share of each block's work that is surely done
  std::vector<std::vector<std::vector<double>>> posts_;  // points of each block that others wait for
  bool coupled_ = false;
  double shared_load_ = 0, planned_load_ = 0;  // of all blocks; when all SMs were planned last
  double busy_sms_ = 1;                        // that share it, when there are blocks for all
  double full_for_ = 0;  // no SM has room for a block of this size or more; 0: not known
  std::priority_queue<Event> events_;
  std::vector<Begin> begins_;
  uint64_t order_ = 0;
  double next_dispatch_ = 0;
  uint32_t turn_ = 0;
};

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
    const uint32_t n = uint32_t(sms_.size());
    if (only >= 0 && full_for_ > 0 && slot >= full_for_) {  // only this SM may have room
      const SmState& s = sms_[size_t(only)];
      if (s.occupied + slot > 1 + eps || s.blocks >= rules_.blocks_per_sm) return;
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
      full_for_ = slot;
      return;
    }
    turn_ = (uint32_t(best) + 1) % n;
    give(uint32_t(launch), uint32_t(best), t);
  }
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
  // Somebody may have waited for this.
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
  // Blocks that never came to their end wait for points that nobody passes. They are followed a little beyond
  // the last that happens.
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

}  // namespace

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
