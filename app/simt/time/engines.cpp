#include "simt/time/engines.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace dojo::simt {
namespace {
constexpr double kNoEvent = std::numeric_limits<double>::infinity();
constexpr double kSlack = 1e-9;  // microseconds
}  // namespace

/// `s` starts no earlier than `earlier` lets it.
void Engines::wait_for(State& s, const State& earlier) {
  const double handover = s.is_copy() != earlier.is_copy() ? rules_.handover_us : 0;
  s.ready = std::max(s.ready, earlier.end + handover);
}

uint32_t Engines::add(Work work) {
  const uint32_t number = count();
  State s;
  s.ready = std::max(now_, work.issued_us + work.lead_us);
  s.work = std::move(work);
  s.left = s.is_copy() ? s.work.link_us : s.work.us;
  s.fixed = s.work.us - s.left;
  for (uint32_t a : s.work.after) {
    if (all_[a].done) {
      wait_for(s, all_[a]);
    } else {
      all_[a].next.push_back(number);
      ++s.open;
    }
  }
  if (s.open == 0) ready_.push_back(number);
  all_.push_back(std::move(s));
  return number;
}

/// Starts what is ready and finds its engine free, copies in the order in which they became ready.
void Engines::start_ready() {
  std::sort(ready_.begin(), ready_.end(), [&](uint32_t a, uint32_t b) {
    return all_[a].ready != all_[b].ready ? all_[a].ready < all_[b].ready : a < b;
  });
  std::erase_if(ready_, [&](uint32_t i) {
    State& s = all_[i];
    if (s.ready > now_ + kSlack) return false;
    if (s.is_copy()) {
      int& runs = engine_runs_[engine_of(s)];
      if (runs >= 0) return false;
      runs = int(i);
    }
    running_.push_back(i);
    return true;
  });
}

void Engines::set_rates() {
  std::sort(running_.begin(), running_.end(), [&](uint32_t a, uint32_t b) {
    const State &x = all_[a], &y = all_[b];
    if (x.work.priority != y.work.priority) return x.work.priority < y.work.priority;
    return x.ready != y.ready ? x.ready < y.ready : a < b;
  });
  const bool both = engine_runs_[0] >= 0 && engine_runs_[1] >= 0;
  for (size_t i = 0; i < running_.size(); ++i) {
    State& s = all_[running_[i]];
    s.rate = s.is_copy() && both && s.fixed <= 0 ? rules_.both_share : 1;
    if (s.work.kind == Work::Kind::kernel) {
      double slots = 1, busy = 1;
      for (size_t k = 0; k < i; ++k) {
        const State& other = all_[running_[k]];
        if (other.work.kind != Work::Kind::kernel || other.work.batch == s.work.batch) continue;
        slots -= other.rate * other.work.slots;
        busy -= other.rate * other.work.busy;
      }
      if (s.work.slots > 0) s.rate = std::min(s.rate, std::max(0.0, slots) / s.work.slots);
      if (s.work.busy > 0) s.rate = std::min(s.rate, std::max(0.0, busy) / s.work.busy);
      if (s.rate < 1e-6) s.rate = 0;
    }
    if (s.rate < 1) s.slowed = true;
    if (s.start < 0 && s.rate > 0) s.start = std::fabs(now_ - s.ready) < kSlack ? s.ready : now_;
  }
}

void Engines::complete(uint32_t number) {
  State& s = all_[number];
  s.done = true;
  s.end = s.slowed ? now_ : s.start + s.work.us;  // to the bit where nothing held it up
  last_end_ = std::max(last_end_, s.end);
  if (s.is_copy()) engine_runs_[engine_of(s)] = -1;
  for (uint32_t n : s.next) {
    wait_for(all_[n], s);
    if (--all_[n].open == 0) ready_.push_back(n);
  }
}

/// To the next start or end; false when nothing is left.
bool Engines::step() {
  start_ready();
  set_rates();
  double next = kNoEvent;
  for (uint32_t i : ready_)
    if (all_[i].ready > now_ + kSlack) next = std::min(next, all_[i].ready);
  for (uint32_t i : running_) {
    const State& s = all_[i];
    if (s.rate > 0) next = std::min(next, now_ + (s.fixed > 0 ? s.fixed : s.left / s.rate));
  }
  if (next == kNoEvent) return false;
  const double before = now_, passed = next - before;
  now_ = next;
  std::vector<uint32_t> ended;
  for (uint32_t i : running_) {
    State& s = all_[i];
    double& left = s.fixed > 0 ? s.fixed : s.left;
    // Late on the clock, what is left can be less than the clock's last digit: then its end is now.
    const bool due = s.rate > 0 && before + (s.fixed > 0 ? left : left / s.rate) <= next;
    left -= passed * (s.fixed > 0 && s.is_copy() ? 1 : s.rate);
    if (due || left < kSlack) left = 0;
    if (s.fixed <= 0 && s.left <= 0) ended.push_back(i);
  }
  std::erase_if(running_,
                [&](uint32_t i) { return std::find(ended.begin(), ended.end(), i) != ended.end(); });
  for (uint32_t i : ended) complete(i);
  return true;
}

double Engines::finish(uint32_t work) {
  while (!all_[work].done && step()) {
  }
  return all_[work].end;
}

double Engines::finish_all() {
  while (step()) {
  }
  return last_end_;
}

}  // namespace dojo::simt
