#include "simt/time/sm.hpp"

#include <algorithm>
#include <cmath>

#include "simt/time/warps.hpp"

namespace dojo::simt {

const char* to_string(Stall s) {
  constexpr const char* names[] = {
      "selected",           "not_selected",   "wait",        "short_scoreboard", "long_scoreboard", "barrier",
      "math_pipe_throttle", "mio_throttle",   "lg_throttle", "branch_resolving", "dispatch_stall",  "membar",
      "sleeping",           "no_instruction", "drain"};
  return names[size_t(s)];
}

namespace {

using ptx::Pipe;
using ptx::ShapeOp;

constexpr int kQuarters = PipeRules::kQuarters;
constexpr int64_t kWide =
    2;  // more than its control word says, behind a product of 64 bits (`chains wide` of issue.cu)
constexpr int64_t kReadsBehind =
    2;  // cycles that a bank of registers may be behind with its reads when the next instruction is
        // dispatched, whichever it is (registers.cu: by what follows pairs and fours of one bank)
constexpr int64_t kReadOperands = 12;  // until an access has read its registers (read scoreboard)

bool fences(Act a) { return a == Act::fence || a == Act::release || a == Act::acquire_release; }

class Sm {
 public:
  explicit Sm(const SmInputs& in) : in_(in), m_(*in.model), pipes_(m_), memory_(in, r_) {
    const double cycles_per_ns = m_.run_mhz / 1000;
    const double sms = std::max(1, in.active_sms);
    turnaround_ = std::llround(m_.launch.turnaround_ns * cycles_per_ns);
    between_ = m_.launch.block_ns * cycles_per_ns * sms;
  }

  SmResult run();

 private:
  void start_block(int64_t at);
  void issue(Quarter&, int position, int64_t t);
  void advance(Quarter&, int position, int64_t t, int64_t fixed, Stall why);
  int pick(const Quarter&, int64_t t) const;
  int64_t throttle(const Quarter&, const TimedWarp&, int64_t t, Stall* why) const;
  void finish(Quarter&, int position, int64_t t);
  void release(Slot&, int64_t t);
  void account(const Quarter&, const TimedWarp&, int64_t t);
  void read_registers(Quarter&, const ShapeOp&, bool straight_on, int64_t t);

  const SmInputs& in_;
  const DeviceModel& m_;
  double between_;
  int64_t turnaround_ = 0;
  const PipeRules pipes_;

  std::vector<TimedWarp> warps_;
  std::array<Quarter, kQuarters> quarters_;
  std::vector<Slot> slots_;
  size_t next_block_ = 0;
  uint64_t given_ = 0;
  double next_dispatch_ = 0;
  int64_t barrier_free_ = 0;
  std::array<int64_t, kQuarters> fence_open_{};  // until when a fence of the quarter is on its way
  std::vector<int> free_warps_;
  std::vector<int> slot_of_block_;
  uint32_t line_function_ = ~0u;
  std::vector<std::array<uint32_t, size_t(Stall::count)>>* lines_ = nullptr;
  SmResult r_;
  SmMemory memory_;
};

void Sm::start_block(int64_t at) {
  if (next_block_ >= in_.blocks.size()) return;
  if (next_block_ > 0 && given_ > in_.max_ops) return;
  const BlockTrace& b = *in_.blocks[next_block_];
  const int block = int(next_block_++);
  size_t slot = 0;
  while (slot < slots_.size() && slots_[slot].block >= 0) ++slot;
  if (slot == slots_.size()) slots_.push_back({});
  const int64_t start = std::max(at, int64_t(std::ceil(next_dispatch_)));
  next_dispatch_ = std::max(next_dispatch_, double(start)) + between_;
  slots_[slot] = {0, 0, block};
  r_.blocks.push_back({start, start});
  slot_of_block_.push_back(int(slot));
  for (const WarpTrace& trace : b.warps) {
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
    w.place = int(&trace - b.warps.data());
    w.issued_at = start - 1;
    w.ready = start;
    if (!w.stream.next(w.op)) {
      free_warps_.push_back(index);
      continue;
    }
    ++slots_[slot].live;
    // To the quarter with the fewest, from another one on with every block: first warps that outlive the
    // others don't meet in one (an H100 takes eight blocks of which one warp stays as if it were alone:
    // slots.cu).
    size_t least = size_t(block) % kQuarters;
    for (size_t k = 1; k < kQuarters; ++k) {
      const size_t q = (size_t(block) + k) % kQuarters;
      if (quarters_[q].count < quarters_[least].count) least = q;
    }
    quarters_[least].add(index, start);
  }
  if (slots_[slot].live == 0) {  // nothing to run: it is over as it starts
    slots_[slot].block = -1;
    start_block(start + turnaround_);
  }
}

/// Earliest cycle from t on at which the warp's pipe takes its operation.
int64_t Sm::throttle(const Quarter& q, const TimedWarp& w, int64_t t, Stall* why) const {
  const ShapeOp& op = *w.op.op;
  const Pipe pipe = op.pipe;
  const int64_t free = q.pipe_free[size_t(pipes_.taker(q.pipe_free, pipe))];
  if (free > t) {
    *why = pipe == Pipe::lsu ? Stall::mio_throttle : Stall::math_pipe_throttle;
    return free;
  }
  if (pipe == Pipe::lsu || pipe == Pipe::constant) return memory_.throttle(op, t, why);
  return t;
}

/// A bank of the register file gives one register a cycle, and instructions are dispatched in order: an
/// instruction that asks one bank for three holds up the next, whichever warp's it is. What the instruction
/// before kept counts only if that is the warp's own.
void Sm::read_registers(Quarter& q, const ShapeOp& op, bool straight_on, int64_t t) {
  q.now = q.held_from = t + 1;
  for (size_t b = 0; b < q.bank_free.size(); ++b) {
    const int reads = op.reads.all[b] - (straight_on ? op.reads.kept[b] : 0);
    if (reads == 0) continue;
    r_.register_reads[b] += reads;
    q.bank_free[b] = std::max(q.bank_free[b], t) + reads;
    q.now = std::max(q.now, q.bank_free[b] - kReadsBehind);
  }
}

void Sm::account(const Quarter& q, const TimedWarp& w, int64_t t) {
  const int64_t from = w.issued_at + 1;
  const int64_t until_ready = std::clamp(w.ready, from, t);
  const int64_t until_free = std::clamp(w.throttled, until_ready, t);
  r_.stalls[size_t(w.why)] += until_ready - from;
  r_.stalls[size_t(w.throttle)] += until_free - until_ready;
  const int64_t held = std::max<int64_t>(0, std::min(t, q.now) - std::max(until_free, q.held_from));
  r_.stalls[size_t(Stall::dispatch_stall)] += held;
  r_.stalls[size_t(Stall::not_selected)] += t - until_free - held;
  r_.stalls[size_t(Stall::selected)] += 1;
  if (!in_.line_stalls || w.op.op->ptx < 0) return;
  const ShapeTable::Entry& e = *w.op.entry;
  if (e.index != line_function_) {
    line_function_ = e.index;
    lines_ = &r_.lines[e.index];
    if (lines_->empty()) lines_->resize(e.function->code.size());
  }
  if (size_t(w.op.op->ptx) >= lines_->size()) return;
  auto& line = (*lines_)[size_t(w.op.op->ptx)];
  line[size_t(w.why)] += uint32_t(until_ready - from);
  line[size_t(w.throttle)] += uint32_t(until_free - until_ready);
  line[size_t(Stall::dispatch_stall)] += uint32_t(held);
  line[size_t(Stall::not_selected)] += uint32_t(t - until_free - held);
  line[size_t(Stall::selected)] += 1;
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
    start_block(b.end + turnaround_);
  } else if (slot.waiting == slot.live) {
    release(slot, t + m_.latency.barrier);  // those that are left wait for nobody else
  }
}

/// After an issue at t: fetches the next operation and finds when its dependences let it go.
void Sm::advance(Quarter& q, int position, int64_t t, int64_t fixed, Stall why) {
  TimedWarp& w = warps_[size_t(q.warps[size_t(position)])];
  const bool had = w.op.entry != nullptr;
  w.issued_at = t;
  w.throttled = 0;
  if (!w.stream.next(w.op)) {
    const int64_t drained = std::max(t, in_.until_arrived ? w.stores.arrived : w.stores.sent);
    r_.stalls[size_t(Stall::drain)] += drained - t;
    r_.issued_end = std::max(r_.issued_end, t + 1);
    finish(q, position, drained);
    return;
  }
  w.ready = t + std::max<int64_t>(1, fixed);
  w.why = fixed > 1 ? why : Stall::wait;
  if (w.op.met) w.ready += m_.latency.part, w.why = Stall::branch_resolving;
  auto wait_for = [&](int64_t until, Stall reason) {
    if (until > w.ready) w.ready = until, w.why = reason;
  };
  const ShapeOp& op = *w.op.op;
  if (w.op.entry->estimated) {
    if (w.op.first && had) {
      wait_for(w.pending, w.pending_why);
      w.pending = 0;
      for (size_t i = 0; i < w.done.size(); ++i)
        if (w.done_why[i] == Stall::long_scoreboard && w.done[i] > w.pending) w.pending = w.done[i];
      w.done.assign(w.op.entry->longest, 0);
      w.done_why.assign(w.op.entry->longest, Stall::wait);
    }
    if (w.pending && !op.load) {
      // What earlier blocks loaded is taken to be needed by the first operation here that is no load.
      wait_for(w.pending, Stall::long_scoreboard);
      w.pending = 0;
    }
    for (int32_t s : op.sources)
      if (s >= 0 && size_t(s) < w.done.size()) wait_for(w.done[size_t(s)], w.done_why[size_t(s)]);
  } else {
    for (int k = 0; k < 6; ++k)
      if (op.wait_mask >> k & 1) wait_for(w.board[size_t(k)], w.board_why[size_t(k)]);
  }
  q.ready[size_t(position)] = int32_t(std::min(w.ready, kNever));
}

void Sm::issue(Quarter& q, int position, int64_t t) {
  TimedWarp& w = warps_[size_t(q.warps[size_t(position)])];
  const ShapeOp& op = *w.op.op;
  account(q, w, t);
  read_registers(q, op, q.last == position, t);
  q.last = position;
  if (w.place == in_.reached && w.block == 0 && r_.reached.size() <= w.stream.step())
    r_.reached.resize(w.stream.step() + 1, t);
  ++r_.issued;
  ++given_;
  pipes_.take(q.pipe_free, op, t);
  r_.pipe_busy[size_t(pipes_.counted(op.pipe))] += pipes_.work(op);

  const auto& lat = m_.latency;
  int64_t done = t + 1;
  Stall why = Stall::wait;
  switch (op.pipe) {
    case Pipe::lsu:
      done = memory_.access(w.op, t, &why, &w.stores);
      break;
    case Pipe::constant:
      done = memory_.constant(w.op.passes, t), why = Stall::short_scoreboard;
      break;
    case Pipe::alu:
      done = t + lat.alu;
      break;
    case Pipe::fma:
    case Pipe::fmaheavy:
      done = t + lat.fma;
      break;
    case Pipe::fp64:
      done = t + lat.fp64, why = Stall::short_scoreboard;
      break;
    case Pipe::xu:
      done = t + lat.xu, why = Stall::short_scoreboard;
      break;
    case Pipe::tensor:
      done = t + lat.tensor;
      break;
    case Pipe::uniform:
      done = t + lat.alu + 2;
      break;
    case Pipe::branch:
    case Pipe::control:
    case Pipe::barrier:
      break;
  }
  if (op.pipe != Pipe::lsu && (op.load || op.store || op.atomic))
    done = memory_.access(w.op, t, &why, &w.stores);
  int64_t fixed = w.op.stall ? w.op.stall : op.stall ? op.stall : 1;
  Stall fixed_why = Stall::wait;
  if (w.op.entry->estimated) {
    if (w.done.size() < w.op.entry->longest) {
      w.done.assign(w.op.entry->longest, 0);
      w.done_why.assign(w.op.entry->longest, Stall::wait);
    }
    w.done[w.op.index] = done;
    w.done_why[w.op.index] = why;
  } else {
    if (op.write_barrier < 6) {
      auto& b = w.board[op.write_barrier];
      if (done >= b) b = done, w.board_why[op.write_barrier] = why;
    }
    if (op.read_barrier < 6) {
      auto& b = w.board[op.read_barrier];
      const int64_t read =
          std::max(t, op.pipe == Pipe::lsu || op.pipe == Pipe::constant ? memory_.unit_free(op.pipe) : t) +
          kReadOperands;
      if (read >= b) b = read, w.board_why[op.read_barrier] = Stall::short_scoreboard;
    }
  }
  const bool estimated_fence =
      w.op.entry->estimated && (w.op.act == Act::fence || op.load || op.store || op.atomic);
  if (fences(w.op.act) && (op.fence || estimated_fence)) {
    // A fence goes behind the warp's stores and comes back; beside another one of its quarter that is on its
    // way it takes longer, however many there are (`fences` of contention.cu). (By the warp's place in the
    // block: which quarter a warp is on depends on that.) It goes the way of the SM's other requests, behind
    // them (tails.cu; of fences.cu, whose warps read without a pause, it would go that way twice: what an
    // atomic waits more there, a fence waits 1.6 to 3.5 times).
    int64_t& open = fence_open_[size_t(w.place % kQuarters)];
    const int64_t end = std::max(t + (t < open ? lat.fence_beside : lat.fence) + memory_.behind(t),
                                 w.stores.arrived + lat.fence - lat.l2);
    open = std::max(open, end);
    fixed = std::max(fixed, end - t), fixed_why = Stall::membar;
  } else if (w.op.act == Act::sleep) {
    fixed = std::max<int64_t>(fixed, 64), fixed_why = Stall::sleeping;
  } else if (w.op.taken) {
    fixed = std::max<int64_t>(fixed, lat.branch), fixed_why = Stall::branch_resolving;
  } else if (op.turns > 1 && !op.meets && op.pipe == Pipe::fmaheavy) {
    fixed += kWide;
  } else if (op.meets) {
    fixed = std::max<int64_t>(fixed, lat.meet), fixed_why = Stall::branch_resolving;
  }
  const bool barrier = w.op.act == Act::barrier && op.pipe == Pipe::barrier;
  const int block = w.block;
  const int before = q.count;
  const int index = q.warps[size_t(position)];
  advance(q, position, t, fixed, fixed_why);
  if (!barrier || q.count != before || q.warps[size_t(position)] != index) return;
  TimedWarp& now = warps_[size_t(index)];
  Slot& slot = slots_[size_t(slot_of_block_[size_t(block)])];
  now.waiting = true;
  now.why = Stall::barrier;
  q.ready[size_t(position)] = int32_t(kNever);
  barrier_free_ =
      std::max(barrier_free_, t) + lat.barrier_warp;  // one unit for the SM takes arrivals in turn
  if (++slot.waiting == slot.live) release(slot, barrier_free_ + lat.barrier);
}

/// Position of the warp that issues next, if it can; -1: none is ready. The warp that issued last goes on
/// while it can do so at once. Then the oldest block's warps come first (what eight blocks have to do that
/// ask more of an SM than it can give, an H200 finishes one block after the other: fair.cu), and they take
/// turns (6 chains of multiply-adds of one block take an H100 1.6 times as long as one, so that none of them
/// waits for the others: `chain fma` of issue.cu).
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

SmResult Sm::run() {
  for (int i = 0; i < in_.resident; ++i) start_block(0);
  for (;;) {
    // The quarter that is furthest behind goes next; ties in order.
    Quarter* q = nullptr;
    int64_t t = kNever;
    for (Quarter& x : quarters_) {
      const int64_t at = std::max(x.now, x.first);
      if (x.first < kNever && at < t) t = at, q = &x;
    }
    if (!q || t >= kNever) {
      // Every warp waits at a barrier that some never reach (a partial barrier): let them through.
      bool any = false;
      for (Slot& s : slots_)
        if (s.block >= 0 && s.waiting) {
          int64_t last = 0;
          for (const TimedWarp& w : warps_)
            if (w.block == s.block) last = std::max(last, w.issued_at);
          release(s, last + m_.latency.barrier);
          any = true;
        }
      if (!any) break;
      continue;
    }
    bool issued = false;
    for (int position; !issued && (position = pick(*q, t)) >= 0;) {
      TimedWarp& w = warps_[size_t(q->warps[size_t(position)])];
      Stall why = Stall::math_pipe_throttle;
      const int64_t at = throttle(*q, w, t, &why);
      if (at > t) {
        w.throttled = at;
        w.throttle = why;
        q->ready[size_t(position)] = int32_t(at);
        continue;
      }
      issue(*q, position, t);
      issued = true;
    }
    if (!issued) q->now = t;
    q->find_first();
  }
  r_.drained = std::max(r_.end, memory_.drained());
  return std::move(r_);
}

}  // namespace

SmResult simulate_sm(const SmInputs& in) { return Sm(in).run(); }

}  // namespace dojo::simt
