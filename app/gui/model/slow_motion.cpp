#include "gui/model/slow_motion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>

namespace dojo::gui {

using Trace = StepTrace;

void SlowMotion::set(std::shared_ptr<const Trace> t) {
  trace_ = std::move(t);
  ++serial_;
  playing = false;
  stopped_at.clear();
  pinned.clear();
  if (scope_ >= 0 && (!trace_ || scope_ >= int(trace_->warps))) scope_ = -1;
  shared_float_ = true;
  if (trace_) {
    // Shared memory shows as what is stored into it and loaded from it.
    int real = 0, whole = 0;
    for (auto& s : trace_->steps)
      for (uint32_t k = 0; k < s.access_count; ++k) {
        if (trace_->accesses[s.access - 1 + k].space != Trace::Space::shared) continue;
        auto& c = trace_->code[s.code];
        auto& list = trace_->accesses[s.access - 1 + k].store ? c.reads : c.writes;
        if (!list.empty()) ++(trace_->registers[list.back()].shown == Trace::Shown::float32 ? real : whole);
      }
    shared_float_ = real >= whole;
  }
  arrange();
  if (!trace_) return;
  if (!trace_->notes.empty()) to_step(trace_->notes.front().step);
}

/// Puts the steps in order and finds the segments of one warp on one line.
void SlowMotion::arrange() {
  order_.clear();
  stop_begin_.clear();
  at_ = 0;
  if (!trace_ || trace_->steps.empty()) {
    restart();
    return;
  }
  const auto& steps = trace_->steps;
  order_.resize(steps.size());
  for (size_t k = 0; k < steps.size(); ++k) order_[k] = uint32_t(k);
  auto line_of = [&](const Trace::Step& s) {
    return std::pair(trace_->code[s.code].line, &trace_->code[s.code].file);
  };
  if (order_kind_ == Order::turns) {
    // Between two releases no warp depends on another through a barrier: any order is one that could have
    // been. Each warp runs one line, then the next warp does.
    std::vector<uint32_t> turn(steps.size());
    struct Last {
      uint32_t epoch = ~0u, turn = 0;
      std::pair<int, const std::string*> line;
      bool any = false;
    };
    std::vector<Last> last(trace_->warps);
    for (size_t k = 0; k < steps.size(); ++k) {
      auto& l = last[steps[k].warp];
      const auto line = line_of(steps[k]);
      if (!l.any || l.epoch != steps[k].epoch)
        l = {steps[k].epoch, 0, line, true};
      else if (line.first != l.line.first || *line.second != *l.line.second)
        ++l.turn, l.line = line;
      turn[k] = l.turn;
    }
    std::stable_sort(order_.begin(), order_.end(), [&](uint32_t a, uint32_t b) {
      const auto &x = steps[a], &y = steps[b];
      if (x.epoch != y.epoch) return x.epoch < y.epoch;
      if (turn[a] != turn[b]) return turn[a] < turn[b];
      return x.warp < y.warp;
    });
  }
  stop_begin_.resize(order_.size());
  for (size_t k = 0; k < order_.size(); ++k) {
    const auto& s = steps[order_[k]];
    stop_begin_[k] = uint32_t(k);
    if (k == 0) continue;
    const auto& b = steps[order_[k - 1]];
    const auto la = line_of(s), lb = line_of(b);
    if (b.warp == s.warp && la.first == lb.first && *la.second == *lb.second &&
        !(b.flags & Trace::at_barrier))
      stop_begin_[k] = stop_begin_[k - 1];
  }
  restart();
  size_t first = 0;
  while (first + 1 < order_.size() && !is_stop(first)) ++first;
  show(first);
}

void SlowMotion::restart() {
  applied_ = 0;
  warps_.assign(trace_ ? trace_->warps : 0, {});
  last_step_.assign(warps_.size(), 0);
  const size_t words = trace_ ? trace_->shared_bytes / 4 : 0;
  shared_.assign(words, 0);
  shared_known_.assign(words, false);
  const size_t regs = trace_ ? trace_->registers.size() : 0;
  values_.assign(warps_.size(), {});
  known_.assign(warps_.size(), std::vector<uint32_t>(regs, 0));
  if (!trace_) return;
  const uint64_t threads = trace_->threads.count();
  for (size_t w = 0; w < warps_.size(); ++w) {
    const uint64_t n = threads > w * 32 ? std::min<uint64_t>(32, threads - w * 32) : 0;
    warps_[w].live = n == 32 ? ~0u : (1u << n) - 1;
    warps_[w].mask = warps_[w].live;
  }
}

std::string SlowMotion::state_text(const Warp& w) {
  if (w.done) return "done";
  if (w.waiting) return w.barrier >= 0 ? "at barrier " + std::to_string(w.barrier) : "waits";
  if (!w.begun) return "not begun";
  return w.line ? "line " + std::to_string(w.line) : "code without a line";
}

void SlowMotion::apply(size_t k) {
  const auto& t = *trace_;
  const auto& s = t.steps[order_[k]];
  auto& w = warps_[s.warp];
  w.begun = true;
  w.mask = s.mask;
  w.live = s.live;
  w.line = t.code[s.code].line;
  w.done = s.live == 0;
  last_step_[s.warp] = uint32_t(order_[k]) + 1;
  auto& values = values_[s.warp];
  if (values.empty()) values.resize(t.registers.size() * 32);
  for (uint32_t i = 0; i < s.writes; ++i) {
    const auto& write = t.writes[s.first_write + i];
    known_[s.warp][write.reg] |= write.mask;
    for (uint32_t l = 0; l < 32; ++l)
      if (write.mask >> l & 1) values[write.reg * 32 + l] = value_of(t, write, l);
  }
  for (uint32_t i = 0; i < s.shared; ++i) {
    const auto& write = t.shared_writes[s.first_shared + i];
    if (write.word >= shared_.size()) continue;
    shared_[write.word] = write.value;
    shared_known_[write.word] = true;
  }
  // A store of what was there already is a store too.
  for (uint32_t i = 0; i < s.access_count; ++i) {
    const auto& a = t.accesses[s.access - 1 + i];
    if (a.space != Trace::Space::shared || !(a.store || a.atomic)) continue;
    for (uint32_t l = 0; l < 32; ++l)
      if (a.mask >> l & 1)
        for (uint64_t b = address_of(t, a, l) / 4, e = (address_of(t, a, l) + a.bytes - 1) / 4; b <= e; ++b)
          if (b < shared_known_.size()) shared_known_[b] = true;
  }
}

void SlowMotion::show(size_t k) {
  if (order_.empty()) {
    at_ = 0;
    return;
  }
  at_ = std::min(k, order_.size() - 1);
  if (applied_ > at_ + 1) restart();
  while (applied_ <= at_) apply(applied_++);
  const auto& now = trace_->steps[order_[at_]];
  const uint32_t e = now.epoch;
  for (size_t w = 0; w < warps_.size(); ++w) {
    auto& row = warps_[w];
    row.current = w == now.warp;
    row.waiting = 0;
    row.barrier = -1;
    if (!last_step_[w]) continue;
    const auto& s = trace_->steps[last_step_[w] - 1];
    if (s.waiting && e < s.until) {
      row.waiting = s.waiting;
      if (s.flags & Trace::at_barrier) row.barrier = s.barrier;
    }
  }
  stop_first_ = grain_ == Grain::line ? stop_begin_[at_] : uint32_t(at_);
  fresh_.clear();
  for (size_t i = stop_first_; i <= at_; ++i) {
    const auto& s = trace_->steps[order_[i]];
    for (uint32_t n = 0; n < s.shared; ++n) fresh_.insert(trace_->shared_writes[s.first_shared + n].word);
  }
}

bool SlowMotion::is_stop(size_t k) const {
  if (scope_ >= 0 && trace_->steps[order_[k]].warp != scope_) return false;
  return grain_ == Grain::instruction || k + 1 == order_.size() || stop_begin_[k + 1] != stop_begin_[k];
}

bool SlowMotion::forward() {
  stopped_at.clear();
  for (size_t k = at_ + 1; k < order_.size(); ++k)
    if (is_stop(k)) {
      show(k);
      return true;
    }
  return false;
}

bool SlowMotion::back() {
  stopped_at.clear();
  for (size_t k = std::min(at_, order_.size()); k-- > 0;)
    if (is_stop(k)) {
      show(k);
      return true;
    }
  return false;
}

void SlowMotion::seek(size_t k) {
  if (order_.empty()) return;
  stopped_at.clear();
  k = std::min(k, order_.size() - 1);
  size_t to = k;
  while (to + 1 < order_.size() && !is_stop(to)) ++to;
  while (to > 0 && !is_stop(to)) --to;
  show(to);
}

void SlowMotion::to_step(size_t recorded) {
  if (order_.empty()) return;
  recorded = std::min(recorded, order_.size() - 1);
  const auto it = std::find(order_.begin(), order_.end(), uint32_t(recorded));
  if (scope_ >= 0 && trace_->steps[recorded].warp != scope_) scope_ = -1;
  seek(size_t(it - order_.begin()));
}

std::string SlowMotion::reason(size_t k) const {
  // Of the whole stop that ends at k.
  const size_t from = grain_ == Grain::line ? stop_begin_[k] : k;
  for (size_t i = from; i <= k; ++i) {
    const auto& s = trace_->steps[order_[i]];
    if (breakpoints.count(trace_->code[s.code].line)) return "a breakpoint";
    if (stops.count(Stop::finding))
      for (auto& n : trace_->notes)
        if (n.step == order_[i]) return "a finding";
    if (stops.count(Stop::conflict) && has_conflict(*trace_, s)) return "a bank conflict";
    if (stops.count(Stop::divergence) && s.flags & Trace::diverged) return "lanes that part";
    if (stops.count(Stop::barrier) && s.flags & Trace::at_barrier) return "a barrier";
    if (stops.count(Stop::waste) && has_waste(*trace_, s)) return "sectors half used or less";
  }
  return {};
}

bool SlowMotion::run_on(bool forwards) {
  size_t k = at_;
  for (;;) {
    if (forwards ? k + 1 >= order_.size() : k == 0) break;
    forwards ? ++k : --k;
    if (!is_stop(k)) continue;
    if (std::string why = reason(k); !why.empty()) {
      show(k);
      stopped_at = why;
      return true;
    }
  }
  seek(forwards ? order_.size() : 0);
  stopped_at = forwards ? "the end" : "the start";
  return false;
}

void SlowMotion::set_order(Order o) {
  if (o == order_kind_) return;
  order_kind_ = o;
  const uint32_t keep = order_.empty() ? 0 : order_[at_];
  arrange();
  to_step(keep);
}

void SlowMotion::set_grain(Grain g) {
  grain_ = g;
  if (!order_.empty()) seek(at_);
}

void SlowMotion::set_warp(int w) {
  scope_ = trace_ && w < int(trace_->warps) ? w : -1;
  if (!order_.empty()) seek(at_);
}

bool SlowMotion::tick(double now) {
  if (!playing) {
    due_ = 0;
    return false;
  }
  if (due_ == 0) due_ = now + 1 / per_second;
  bool moved = false;
  for (int k = 0; k < 200 && playing && now >= due_; ++k) {
    due_ = std::max(due_ + 1 / per_second, now - 1);
    if (!forward()) {
      playing = false;
      stopped_at = "the end";
    } else if (std::string why = reason(at_); !why.empty()) {
      playing = false;
      stopped_at = why;
    }
    moved = true;
  }
  return moved;
}

double SlowMotion::next_tick(double now) const { return playing ? std::max(0.0, due_ - now) : 1e9; }

const Trace::Step* SlowMotion::step() const { return order_.empty() ? nullptr : &trace_->steps[order_[at_]]; }
int SlowMotion::line() const { return step() ? trace_->code[step()->code].line : 0; }
const std::string& SlowMotion::file() const {
  static const std::string none;
  return step() ? trace_->code[step()->code].file : none;
}
uint32_t SlowMotion::epoch() const { return step() ? step()->epoch : 0; }
bool SlowMotion::shared_fresh(uint32_t word) const { return fresh_.count(word) > 0; }

}  // namespace dojo::gui
