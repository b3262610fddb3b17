#include "simt/time/sm.hpp"

#include <algorithm>
#include <cmath>

#include "simt/time/sm_state.hpp"

namespace dojo::simt {

const char* to_string(Stall s) {
  constexpr const char* names[] = {"selected",
                                   "not_selected",
                                   "wait",
                                   "short_scoreboard",
                                   "long_scoreboard",
                                   "barrier",
                                   "math_pipe_throttle",
                                   "mio_throttle",
                                   "lg_throttle",
                                   "tex_throttle",
                                   "branch_resolving",
                                   "dispatch_stall",
                                   "membar",
                                   "sleeping",
                                   "no_instruction",
                                   "drain"};
  return names[size_t(s)];
}

SmResult simulate_sm(const SmInputs& in) { return Sm(in).run(); }

Sm::Sm(const SmInputs& in) : in_(in), m_(*in.model), pipes_(m_), memory_(in, r_) {
  const double cycles_per_ns = m_.run_mhz / 1000;
  const double sms = std::max(1, in.active_sms);
  turnaround_cycles_ = std::llround(m_.launch.turnaround_ns * cycles_per_ns);
  dispatch_cycles_ = m_.launch.block_ns * cycles_per_ns * sms;
}

SmResult Sm::run() {
  for (int i = 0; i < in_.resident; ++i) start_block(0);
  for (;;) {
    int64_t t = kNever;
    Quarter* q = next_quarter(&t);
    if (!q) {
      if (!release_all()) break;
      continue;
    }
    if (!issue_one(*q, t)) q->now = t;
    q->find_first();
  }
  r_.drained = std::max(r_.end, memory_.drained());
  return std::move(r_);
}

// ---- Blocks and warps -------------------------------------------------------------------------------------

void Sm::start_block(int64_t at) {
  if (next_block_ >= in_.blocks.size()) return;
  if (next_block_ > 0 && operations_ > in_.max_ops) return;
  const BlockTrace& b = *in_.blocks[next_block_];
  const int block = int(next_block_++);
  const size_t slot = free_slot();
  const int64_t start = dispatch(at);
  slots_[slot] = {0, 0, block};
  r_.blocks.push_back({start, start});
  slot_of_block_.push_back(int(slot));
  for (size_t place = 0; place < b.warps.size(); ++place)
    if (start_warp(b.warps[place], int(place), block, start)) ++slots_[slot].live;
  if (slots_[slot].live == 0) {  // nothing to run: it is over as it starts
    slots_[slot].block = -1;
    start_block(start + turnaround_cycles_);
  }
}

size_t Sm::free_slot() {
  size_t slot = 0;
  while (slot < slots_.size() && slots_[slot].block >= 0) ++slot;
  if (slot == slots_.size()) slots_.push_back({});
  return slot;
}

int64_t Sm::dispatch(int64_t at) {
  const int64_t start = std::max(at, int64_t(std::ceil(next_dispatch_)));
  next_dispatch_ = std::max(next_dispatch_, double(start)) + dispatch_cycles_;
  return start;
}

bool Sm::start_warp(const WarpTrace& trace, int place, int block, int64_t start) {
  int index;
  if (free_warps_.empty()) {
    index = int(warps_.size());
    warps_.emplace_back();
  } else {
    index = free_warps_.back();
    free_warps_.pop_back();
  }
  TimedWarp& w = warps_[size_t(index)];
  w = {};
  w.stream = OpStream(*in_.shapes, trace);
  w.block = block;
  w.place = place;
  w.issued_at = start - 1;
  w.ready = start;
  if (!w.stream.next(w.op)) {
    free_warps_.push_back(index);
    return false;
  }
  quarter_for(block).add(index, start);
  return true;
}

/// The quarter with the fewest warps; ties from another quarter on with every block, so that first warps that
/// outlive the others don't meet in one (an H100 runs eight blocks of which one warp stays as if it were
/// alone: tests/microbench/slots.cu).
Quarter& Sm::quarter_for(int block) {
  const size_t quarters = quarters_.size();
  size_t least = size_t(block) % quarters;
  for (size_t k = 1; k < quarters; ++k) {
    const size_t q = (size_t(block) + k) % quarters;
    if (quarters_[q].count < quarters_[least].count) least = q;
  }
  return quarters_[least];
}

void Sm::finish(Quarter& q, int position, int64_t t) {
  const int index = q.warps[size_t(position)];
  TimedWarp& w = warps_[size_t(index)];
  r_.warp_cycles += t + 1 - r_.blocks[size_t(w.block)].start;
  const int block = w.block;
  w.block = -1;
  w.waiting = false;
  free_warps_.push_back(index);
  q.remove(position);
  q.last = -1;
  Slot& slot = slots_[size_t(slot_of_block_[size_t(block)])];
  SmBlock& b = r_.blocks[size_t(block)];
  b.end = std::max(b.end, t + 1);
  if (--slot.live == 0) {
    slot.block = -1;
    r_.end = std::max(r_.end, b.end);
    start_block(b.end + turnaround_cycles_);
  } else if (slot.waiting == slot.live) {
    release(slot, t + m_.latency.barrier);  // those that are left wait for no other warp
  }
}

void Sm::release(Slot& slot, int64_t t) {
  const int slot_index = int(&slot - slots_.data());
  for (Quarter& q : quarters_)
    for (int i = 0; i < q.count; ++i) {
      TimedWarp& w = warps_[size_t(q.warps[size_t(i)])];
      if (!w.waiting || slot_of_block_[size_t(w.block)] != slot_index) continue;
      w.waiting = false;
      w.ready = std::max(t, w.ready);
      q.ready[size_t(i)] = int32_t(w.ready);
      q.first = std::min(q.first, w.ready);
    }
  slot.waiting = 0;
}

bool Sm::release_all() {
  bool any = false;
  for (Slot& s : slots_) {
    if (s.block < 0 || !s.waiting) continue;
    int64_t last = 0;
    for (const TimedWarp& w : warps_)
      if (w.block == s.block) last = std::max(last, w.issued_at);
    release(s, last + m_.latency.barrier);
    any = true;
  }
  return any;
}

// ---- Which warp issues ------------------------------------------------------------------------------------

Quarter* Sm::next_quarter(int64_t* t) {
  Quarter* next = nullptr;
  *t = kNever;
  for (Quarter& q : quarters_) {
    const int64_t at = std::max(q.now, q.first);
    if (q.first < kNever && at < *t) *t = at, next = &q;
  }
  return next;
}

bool Sm::issue_one(Quarter& q, int64_t t) {
  for (int position; (position = pick(q, t)) >= 0;) {
    TimedWarp& w = warps_[size_t(q.warps[size_t(position)])];
    Stall why = Stall::math_pipe_throttle;
    const int64_t at = throttle(q, w, t, &why);
    if (at <= t) {
      issue(q, position, t);
      return true;
    }
    w.throttled = at;
    w.throttle = why;
    q.ready[size_t(position)] = int32_t(at);
  }
  return false;
}

/// The warp that issued last goes on while it can do so at once. Then the oldest block's warps come first (of
/// eight blocks whose work exceeds an SM's rate, an H200 finishes one after the other:
/// tests/microbench/fair.cu), round robin within the block (6 chains of multiply-adds of one block take an
/// H100 1.6 times as long as one, so that none of them waits for the others: `chain fma` of
/// tests/microbench/issue.cu).
int Sm::pick(const Quarter& q, int64_t t) const {
  const auto ready = [&](int i) { return q.ready[size_t(i)] <= t; };
  const auto warp = [&](int i) -> const TimedWarp& { return warps_[size_t(q.warps[size_t(i)])]; };
  if (q.last >= 0 && q.last < q.count && ready(q.last) && t <= q.now) return q.last;
  int first = 0;
  while (first < q.count && !ready(first)) ++first;
  if (first == q.count) return -1;
  for (int i = std::max(first, q.last + 1); i < q.count && warp(i).block == warp(first).block; ++i)
    if (ready(i)) return i;
  return first;
}

int64_t Sm::throttle(const Quarter& q, const TimedWarp& w, int64_t t, Stall* why) const {
  using ptx::Pipe;
  const ptx::ShapeOp& op = *w.op.op;
  const int64_t free = q.pipe_free[size_t(pipes_.taker(q.pipe_free, op.pipe))];
  if (free > t) {
    *why = op.pipe == Pipe::lsu   ? Stall::mio_throttle
           : op.pipe == Pipe::tex ? Stall::tex_throttle
                                  : Stall::math_pipe_throttle;
    return free;
  }
  if (op.pipe == Pipe::lsu || op.pipe == Pipe::constant || op.pipe == Pipe::tex)
    return memory_.throttle(op, t, why);
  return t;
}

}  // namespace dojo::simt
