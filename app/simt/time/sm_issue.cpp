// One issue of a warp: what the operation costs, and when the warp's next one may go.
#include <algorithm>

#include "simt/time/sm_state.hpp"

namespace dojo::simt {
namespace {

using ptx::Pipe;
using ptx::ShapeOp;

/// In machine code SYNCS, and not what else ptxas made of the line.
bool waits_at_mbarrier(const StreamOp& s) {
  return s.act == Act::signal_wait && (s.entry->estimated || s.op->write_barrier < 6);
}

bool fences(Act a) { return a == Act::fence || a == Act::release || a == Act::acquire_release; }

}  // namespace

void Sm::issue(Quarter& q, int position, int64_t t) {
  TimedWarp& w = warps_[size_t(q.warps[size_t(position)])];
  const ShapeOp& op = *w.op.op;
  account(q, w, t);
  read_registers(q, op, q.last == position, t);
  q.last = position;
  if (w.place == in_.reached && w.block == 0 && r_.reached.size() <= w.stream.step())
    r_.reached.resize(w.stream.step() + 1, t);
  ++r_.issued;
  ++operations_;
  pipes_.take(q.pipe_free, op, t);
  r_.pipe_busy[size_t(pipes_.counted(op.pipe))] += pipes_.work(op);

  set_scoreboards(w, execute(w, t), t);
  const Delay delay = delay_after(w, t);
  const bool barrier =
      (w.op.act == Act::barrier || w.op.act == Act::cluster_barrier) && op.pipe == Pipe::barrier;
  const bool waits_for_cluster = w.op.act == Act::cluster_barrier && (op.cluster || w.op.entry->estimated);
  const int64_t cluster = waits_for_cluster ? in_.cluster_barrier_cycles : 0;
  if (advance(q, position, t, delay) && barrier) arrive_at_barrier(q, position, t, cluster);
}

// ---- Accounting -------------------------------------------------------------------------------------------

// From the last issue on a warp waits for its dependences (`why`), then for its pipe (`throttle`), then for
// the dispatcher, then for other warps; the last cycle is its own.
void Sm::account(const Quarter& q, const TimedWarp& w, int64_t t) {
  const int64_t from = w.issued_at + 1;
  const int64_t until_ready = std::clamp(w.ready, from, t);
  const int64_t until_free = std::clamp(w.throttled, until_ready, t);
  const int64_t held = std::max<int64_t>(0, std::min(t, q.now) - std::max(until_free, q.held_from));
  const auto add = [&](auto& to) {
    using Cycles = std::remove_reference_t<decltype(to[0])>;
    to[size_t(w.why)] += Cycles(until_ready - from);
    to[size_t(w.throttle)] += Cycles(until_free - until_ready);
    to[size_t(Stall::dispatch_stall)] += Cycles(held);
    to[size_t(Stall::not_selected)] += Cycles(t - until_free - held);
    to[size_t(Stall::selected)] += 1;
  };
  add(r_.stalls);
  if (StallCycles* line = line_of(w)) add(*line);
}

Sm::StallCycles* Sm::line_of(const TimedWarp& w) {
  if (!in_.line_stalls || w.op.op->ptx < 0) return nullptr;
  const ShapeTable::Entry& e = *w.op.entry;
  if (e.index != line_function_) {
    line_function_ = e.index;
    lines_ = &r_.lines[e.index];
    if (lines_->empty()) lines_->resize(e.function->code.size());
  }
  return size_t(w.op.op->ptx) < lines_->size() ? &(*lines_)[size_t(w.op.op->ptx)] : nullptr;
}

// ---- Cost of the operation --------------------------------------------------------------------------------

/// A bank of the register file reads one register per cycle, and instructions are dispatched in order: an
/// instruction that reads three registers of one bank holds up the next, whichever warp's it is. Operands
/// that the reuse cache kept from the instruction before count only if that was the warp's own. Banks may lag
/// behind by `register_lag` cycles when the next instruction is dispatched (tests/microbench/registers.cu:
/// what follows pairs and fours of one bank).
void Sm::read_registers(Quarter& q, const ShapeOp& op, bool straight_on, int64_t t) {
  q.now = q.held_from = t + 1;
  for (size_t b = 0; b < q.bank_free.size(); ++b) {
    const int reads = op.reads.all[b] - (straight_on ? op.reads.kept[b] : 0);
    if (reads == 0) continue;
    r_.register_reads[b] += reads;
    q.bank_free[b] = std::max(q.bank_free[b], t) + reads;
    q.now = std::max(q.now, q.bank_free[b] - m_.latency.register_lag);
  }
}

Sm::Result Sm::execute(TimedWarp& w, int64_t t) {
  const ShapeOp& op = *w.op.op;
  const auto& lat = m_.latency;
  Result r{t + 1, Stall::wait};
  switch (op.pipe) {
    case Pipe::lsu:
    case Pipe::tex:
      r.done = memory_.access(w.op, t, &r.why, &w.stores);
      break;
    case Pipe::constant:
      r = {memory_.constant(w.op.lsu_wavefronts, t), Stall::short_scoreboard};
      break;
    case Pipe::alu:
      r.done = t + lat.alu;
      break;
    case Pipe::fma:
    case Pipe::fmaheavy:
      r.done = t + lat.fma;
      break;
    case Pipe::fp64:
      r = {t + lat.fp64, Stall::short_scoreboard};
      break;
    case Pipe::xu:
      r = {t + lat.xu, Stall::short_scoreboard};
      break;
    case Pipe::tensor:
      r.done = t + lat.tensor;
      break;
    case Pipe::uniform:
      r.done = t + lat.alu + lat.uniform;
      break;
    case Pipe::branch:
    case Pipe::control:
    case Pipe::barrier:
      break;
  }
  if (waits_at_mbarrier(w.op)) r = {t + lat.shuffle, Stall::short_scoreboard};
  if (op.pipe != Pipe::lsu && op.pipe != Pipe::tex && (op.load || op.store || op.atomic))
    r.done = memory_.access(w.op, t, &r.why, &w.stores);
  return r;
}

/// Machine code names its scoreboards: one that the result frees, one that the read of the operands frees. Of
/// an estimated shape every operation has one.
void Sm::set_scoreboards(TimedWarp& w, const Result& result, int64_t t) {
  const ShapeOp& op = *w.op.op;
  if (op.bulk && op.load) w.signalled.copy(w.op.mbarrier, result.done);
  if (w.op.act == Act::copy && op.load) w.copies.latest = std::max(w.copies.latest, result.done);
  // In machine code LDGDEPBAR, and not what else ptxas made of the line.
  if (w.op.act == Act::copy_group && (w.op.entry->estimated || op.pipe == Pipe::lsu)) w.copies.commit();
  if (w.op.entry->estimated) {
    if (w.done.size() < w.op.entry->longest) {
      w.done.assign(w.op.entry->longest, 0);
      w.done_why.assign(w.op.entry->longest, Stall::wait);
    }
    if (w.op.act == Act::copy) return;
    w.done[w.op.index] = result.done;
    if (result.why == Stall::long_scoreboard) remember_load(w, result.done);
    w.done_why[w.op.index] = result.why;
    return;
  }
  if (op.write_barrier < 6) {
    auto& board = w.board[op.write_barrier];
    if (result.done >= board) board = result.done, w.board_why[op.write_barrier] = result.why;
  }
  if (op.read_barrier < 6) {
    auto& board = w.board[op.read_barrier];
    const bool queued = op.pipe == Pipe::lsu || op.pipe == Pipe::constant || op.pipe == Pipe::tex;
    const int64_t read = std::max(t, queued ? memory_.unit_free(op.pipe) : t) + m_.latency.read_operands;
    if (read >= board) board = read, w.board_why[op.read_barrier] = Stall::short_scoreboard;
  }
}

Sm::Delay Sm::delay_after(TimedWarp& w, int64_t t) {
  const ShapeOp& op = *w.op.op;
  const auto& lat = m_.latency;
  Delay d{w.op.stall ? w.op.stall : op.stall ? op.stall : 1, Stall::wait};
  const auto at_least = [&](int64_t cycles, Stall why) { d = {std::max(d.cycles, cycles), why}; };
  const bool estimated_fence =
      w.op.entry->estimated && (w.op.act == Act::fence || op.load || op.store || op.atomic);
  if (fences(w.op.act) && (op.fence || estimated_fence))
    at_least(fence_end(w, t) - t, Stall::membar);
  else if (w.op.act == Act::sleep)
    at_least(lat.sleep, Stall::sleeping);
  else if (w.op.taken)
    at_least(lat.branch, Stall::branch_resolving);
  else if (op.turns > 1 && !op.meets && op.pipe == Pipe::fmaheavy)
    d.cycles += lat.wide_product;
  else if (op.meets)
    at_least(lat.meet, Stall::branch_resolving);
  return d;
}

/// A fence waits until the warp's stores have arrived, and makes a trip to the L2 behind the SM's other
/// requests (tests/microbench/tails.cu). Beside another fence of its quarter in flight it takes longer,
/// however many there are (`fences` of tests/microbench/contention.cu). The quarter is taken from the warp's
/// place in its block, on which it depends. Not modelled: warps that read without a pause, where a fence
/// waits 1.6 to 3.5 times as long as an atomic (tests/microbench/fences.cu).
int64_t Sm::fence_end(const TimedWarp& w, int64_t t) {
  const auto& lat = m_.latency;
  int64_t& until = fence_until_[size_t(w.place % PipeRules::kQuarters)];
  const int64_t end = std::max(t + (t < until ? lat.fence_beside : lat.fence) + memory_.behind(t),
                               w.stores.arrived + lat.fence - lat.l2);
  until = std::max(until, end);
  return end;
}

// ---- The warp's next operation ----------------------------------------------------------------------------

namespace {

void wait_until(TimedWarp& w, int64_t t, Stall why) {
  if (t > w.ready) w.ready = t, w.why = why;
}

}  // namespace

bool Sm::advance(Quarter& q, int position, int64_t t, Delay delay) {
  TimedWarp& w = warps_[size_t(q.warps[size_t(position)])];
  const bool had_operation = w.op.entry != nullptr;
  w.issued_at = t;
  w.throttled = 0;
  if (!w.stream.next(w.op)) {
    const int64_t drained = std::max(t, in_.until_arrived ? w.stores.arrived : w.stores.sent);
    r_.stalls[size_t(Stall::drain)] += drained - t;
    r_.issued_end = std::max(r_.issued_end, t + 1);
    finish(q, position, drained);
    return false;
  }
  w.ready = t + std::max<int64_t>(1, delay.cycles);
  w.why = delay.cycles > 1 ? delay.why : Stall::wait;
  if (w.op.met) w.ready += m_.latency.part, w.why = Stall::branch_resolving;
  if (w.op.entry->estimated)
    wait_for_sources(w, had_operation);
  else
    wait_for_scoreboards(w);
  wait_for_copies(w);
  wait_for_signal(w);
  q.ready[size_t(position)] = int32_t(std::min(w.ready, kNever));
  return true;
}

void Sm::wait_for_scoreboards(TimedWarp& w) const {
  for (int k = 0; k < 6; ++k)
    if (w.op.op->wait_mask >> k & 1) wait_until(w, w.board[size_t(k)], w.board_why[size_t(k)]);
}

/// cp.async.wait_group and wait_all; in machine code DEPBAR, and not what else ptxas made of the line.
void Sm::wait_for_copies(TimedWarp& w) const {
  const ShapeOp& op = *w.op.op;
  if (w.op.act != Act::copy_wait || (!w.op.entry->estimated && op.pipe != Pipe::control)) return;
  const auto& operands = w.op.entry->function->code[size_t(op.ptx)].operands;
  const bool all = operands.empty() || operands[0].kind != ptx::OperandKind::imm;
  wait_until(w, all ? w.copies.latest : w.copies.all_but(size_t(operands[0].value)), Stall::long_scoreboard);
}

/// Of the polls that fail only those of warps that did not park are in the trace: the first look waits.
void Sm::wait_for_signal(TimedWarp& w) const {
  if (waits_at_mbarrier(w.op)) wait_until(w, w.signalled.wait(w.op.mbarrier), Stall::long_scoreboard);
}

void Sm::remember_load(TimedWarp& w, int64_t until) {
  const int32_t ptx = w.op.op->ptx;
  w.loads_function = w.op.entry->index;
  const auto known =
      std::find_if(w.loads.begin(), w.loads.end(), [&](const TimedWarp::Load& l) { return l.ptx == ptx; });
  if (known != w.loads.end())
    known->until = until;
  else
    w.loads.push_back({ptx, until});
}

void Sm::wait_for_sources(TimedWarp& w, bool had_operation) const {
  const ShapeOp& op = *w.op.op;
  if (w.op.first && had_operation) {
    w.done.assign(w.op.entry->longest, 0);
    w.done_why.assign(w.op.entry->longest, Stall::wait);
  }
  if (!w.loads.empty()) {
    // What a call's caller or callee loaded is assumed to be needed at once.
    const bool other_function = w.loads_function != w.op.entry->index;
    for (const TimedWarp::Load& l : w.loads)
      if (other_function || std::find(op.sources.begin(), op.sources.end(), ~l.ptx) != op.sources.end())
        wait_until(w, l.until, Stall::long_scoreboard);
    std::erase_if(w.loads, [&](const TimedWarp::Load& l) { return l.until <= w.ready; });
  }
  for (int32_t s : op.sources)
    if (s >= 0 && size_t(s) < w.done.size()) wait_until(w, w.done[size_t(s)], w.done_why[size_t(s)]);
}

void Sm::arrive_at_barrier(Quarter& q, int position, int64_t t, int64_t cluster_cycles) {
  TimedWarp& w = warps_[size_t(q.warps[size_t(position)])];
  Slot& slot = slots_[size_t(slot_of_block_[size_t(w.block)])];
  w.waiting = true;
  w.why = Stall::barrier;
  q.ready[size_t(position)] = int32_t(kNever);
  // One unit per SM takes the arrivals one after the other.
  barrier_free_ = std::max(barrier_free_, t) + m_.latency.barrier_warp;
  if (++slot.waiting == slot.live) release(slot, barrier_free_ + m_.latency.barrier + cluster_cycles);
}

}  // namespace dojo::simt
