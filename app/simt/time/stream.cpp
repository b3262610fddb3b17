// A warp's trace as the machine instructions that it executed, one after the other, each with its access to
// memory. The trace has visits of PTX blocks; their machine instructions are in the CodeShape. What ptxas
// moved to another block, unrolled or predicated finds its access in the visits around.
#include "simt/time/stream.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "ptx/executed.hpp"

namespace dojo::simt {

namespace {

/// What an instruction is to the order of memory accesses.
Act act_of(const ptx::Instruction& i) {
  const ptx::Meaning& m = i.meaning;
  using ptx::Op;
  using ptx::Order;
  if (m.op == Op::nanosleep) return Act::sleep;
  if (m.effect == ptx::Effect::copy) return Act::copy;
  if (m.op == Op::cp && i.parts.size() > 2) {
    if (i.parts[2] == "commit_group") return Act::copy_group;
    if (i.parts[2] == "wait_group" || i.parts[2] == "wait_all") return Act::copy_wait;
  }
  if (m.op == Op::mbarrier && i.parts.size() > 1 && (i.parts[1] == "test_wait" || i.parts[1] == "try_wait"))
    return Act::signal_wait;
  if (m.fences()) return m.scope == ptx::Scope::cta ? Act::plain : Act::fence;
  if (m.op == Op::barrier && m.scope == ptx::Scope::cluster) {
    if (m.side == ptx::Side::wait) return Act::cluster_barrier;
    return m.order == Order::relaxed ? Act::plain : Act::fence;  // its arrival releases, unless relaxed
  }
  if (m.barrier()) return m.side == ptx::Side::arrive ? Act::plain : Act::barrier;
  if (!m.is({Op::ld, Op::st, Op::atom, Op::red}) || m.scope == ptx::Scope::cta || m.own_shared())
    return Act::plain;
  switch (m.order) {
    case Order::acq_rel:
      return Act::acquire_release;
    case Order::release:
      return Act::release;
    case Order::acquire:
      return Act::acquire;
    default:
      return Act::plain;
  }
}

}  // namespace

ShapeTable::ShapeTable(const ptx::Module& m, uint32_t kernel, const LaunchTrace& t)
    : module_(m), entries_(m.functions.size()) {
  const auto enter = [&](uint32_t function, const std::shared_ptr<const ptx::CodeShape>& shape) {
    if (function >= entries_.size() || !shape) return;
    entries_[function] = std::make_unique<Entry>();
    entries_[function]->shape = shape;
  };
  enter(kernel, t.shape);
  for (const auto& [function, shape] : t.called_shapes) enter(function, shape);
}

const ShapeTable::Entry& ShapeTable::at(uint32_t function) {
  auto& e = entries_[function];
  const ptx::Function& f = module_.functions[function];
  if (!e) e = std::make_unique<Entry>();
  if (!e->shape) e->shape = std::make_shared<const ptx::CodeShape>(ptx::estimate_shape(module_, f));
  if (!e->function) {
    e->function = &f;
    e->index = function;
    e->estimated = e->shape->estimated;
    e->acts.assign(f.code.size(), Act::plain);
    for (size_t i = 0; i < f.code.size(); ++i) e->acts[i] = act_of(f.code[i]);
    const auto& blocks = e->shape->blocks;
    e->follower.assign(blocks.size(), uint32_t(blocks.size()));
    for (size_t b = blocks.size(); b-- > 1;)
      e->follower[b - 1] = blocks[b].ops.empty() ? e->follower[b] : uint32_t(b);
    for (const auto& b : e->shape->blocks) {
      e->longest = std::max(e->longest, b.ops.size());
      e->unrolled.push_back(std::any_of(b.ops.begin(), b.ops.end(),
                                        [](const ptx::ShapeOp& o) { return o.period != 1 || o.below != 0; }));
    }
  }
  return *e;
}

OpStream::OpStream(ShapeTable& t, const WarpTrace& w) : table_(&t), trace_(&w) {}

/// Goes to the next visit that has operations of its own. Blocks that are predicated into another only lend
/// it their memory events.
bool OpStream::enter() {
  const auto& steps = trace_->steps;
  while (next_step_ < steps.size()) {
    step_ = next_step_++;
    const TraceStep& s = steps[step_];
    entry_ = &table_->at(s.function);
    own_ = next_event_;
    own_end_ = next_event_ += s.events;
    const auto& blocks = entry_->shape->blocks;
    if (s.block >= blocks.size() || blocks[s.block].ops.empty()) continue;
    block_ = &blocks[s.block];
    const uint32_t came_from = last_function_ == s.function ? last_block_ : ~0u;
    const bool again = came_from == s.block;
    met_ = last_function_ == s.function && (s.mask & lanes_) == lanes_ && s.mask != lanes_;
    lanes_ = s.mask;
    last_block_ = s.block;
    last_function_ = s.function;
    op_ = 0;
    first_ = true;

    looked_around_ = false;
    cursor_ = own_;

    visit_ = again ? visit_ + 1 : 0;
    if (visit_ == 0) {
      run_.clear();
      if (entry_->unrolled[s.block]) {
        run_.push_back({step_, own_, own_end_});
        uint32_t at = own_end_;
        for (uint32_t i = step_ + 1; i < steps.size() && steps[i].function == s.function; ++i) {
          const uint32_t end = at + steps[i].events;
          if (steps[i].block == s.block)
            run_.push_back({i, at, end});
          else if (steps[i].block >= blocks.size() || !blocks[steps[i].block].ops.empty())
            break;
          at = end;
        }
      }
    }
    // A branch to here that is a predicated exit in the machine code: these lanes have left already.
    const auto& exits = block_->exits_from;
    if (!exits.empty() && step_ > 0 &&
        std::find(exits.begin(), exits.end(), steps[step_ - 1].block) != exits.end())
      continue;
    return true;
  }
  return false;
}

/// The visit of the run that an operation belongs to when it is met on this one, or kNot: copies of an
/// unrolled loop run on the first visit of their round, each for its own.
uint32_t OpStream::visit_of(const ptx::ShapeOp& op) const {
  if (op.period == 1 && op.below == 0) return visit_ < op.phase ? kNot : visit_;
  // A round begins on the visit whose phase-th successor is one of the operation's own.
  if (!ptx::runs_at(op, visit_ + op.phase, run_.size())) return kNot;
  return visit_ + (op.pipe == ptx::Pipe::branch && op.period ? op.period - 1u : op.phase);
}

/// Makes a visit of the run the one whose step and events are looked at.
void OpStream::focus(uint32_t visit) {
  if (visit >= run_.size() || run_[visit].step == step_) return;
  step_ = run_[visit].step, own_ = run_[visit].own, own_end_ = run_[visit].own_end;
  cursor_ = own_;
  looked_around_ = false;
}

const MemoryEvent* OpStream::find_event(uint32_t inst, uint32_t from, uint32_t to, bool backwards) {
  const auto& events = trace_->events;
  to = std::min<uint32_t>(to, uint32_t(events.size()));
  if (backwards) {
    for (uint32_t i = to; i-- > from;)
      if (events[i].inst == inst) return &events[i];
    return nullptr;
  }
  // Machine code keeps close to the order of the PTX: most often it is the one behind the last.
  const uint32_t start = cursor_ >= from && cursor_ < to ? cursor_ : from;
  for (uint32_t i = start; i < to; ++i)
    if (events[i].inst == inst) return cursor_ = i + 1, &events[i];
  for (uint32_t i = from; i < start; ++i)
    if (events[i].inst == inst) return cursor_ = i + 1, &events[i];
  return nullptr;
}

/// How far the events around this visit go: back to the last visit of the same block and on to the next one.
void OpStream::look_around() {
  constexpr uint32_t far = 512;  // steps to look for moved accesses
  looked_around_ = true;
  const auto& steps = trace_->steps;
  const TraceStep& s = steps[step_];
  const auto same = [&](uint32_t i) { return steps[i].block == s.block && steps[i].function == s.function; };
  around_ = own_;
  for (uint32_t i = step_; i-- > 0 && step_ - i <= far && !same(i);) around_ -= steps[i].events;
  around_end_ = own_end_;
  for (uint32_t i = step_ + 1; i < steps.size() && i - step_ <= far && !same(i); ++i)
    around_end_ += steps[i].events;
}

const MemoryEvent* OpStream::event_of(uint32_t inst) {
  const auto& block_of = entry_->function->block_of;
  const uint32_t home = inst < block_of.size() ? block_of[inst] : last_block_;
  if (home == last_block_) return find_event(inst, own_, own_end_, false);
  if (!looked_around_) look_around();
  const bool before = home < last_block_;
  const MemoryEvent* e =
      before ? find_event(inst, around_, own_, true) : find_event(inst, own_end_, around_end_, false);
  if (!e) e = before ? find_event(inst, own_end_, around_end_, false) : find_event(inst, around_, own_, true);
  return e;
}

/// Finds the visit that the operation runs in, and how often a routine repeats it; false if it does not run.
bool OpStream::begin_visit(const ptx::ShapeOp& op) {
  const uint32_t visit = visit_of(op);
  if (visit == kNot) return false;
  focus(visit);
  if (!op.routine) return true;
  routine_ = find_event(uint32_t(op.ptx), own_, own_end_, false);
  if (routine_) repeat_ = routine_->wavefronts;
  return routine_;
}

/// Moves `op_` to what runs after this operation: the next round of an atomic's loop, the next instruction of
/// a routine, or the next operation.
void OpStream::advance(const ptx::ShapeOp& op) {
  if (op.back) {
    if (rounds_ == 0) {
      const MemoryEvent* e = find_event(uint32_t(op.again), own_, own_end_, false);
      rounds_ = e && e->rounds ? e->rounds : 1;
    }
    if (--rounds_ > 0)
      op_ -= op.back;
    else
      ++op_;
  } else if (repeat_ == 0 || --repeat_ == 0) {
    ++op_;
  }
}

/// A store of global memory that is one machine instruction happens once, whatever copies of it there are.
bool OpStream::is_copy(const ptx::ShapeOp& op, const MemoryEvent& e) {
  const ptx::Meaning& m = entry_->function->code[size_t(op.memory)].meaning;
  if (m.op != ptx::Op::st || op.space != ptx::Space::global || op.width < m.width) return false;
  for (const StoreOfEvent& t : stored_)
    if (t.event == &e) return t.op != &op;
  stored_[next_stored_++ % stored_.size()] = {&e, &op};
  return false;
}

/// What the memory access of this operation needs; inactive when no lane accessed memory.
void OpStream::describe_access(const ptx::ShapeOp& op, StreamOp& out) {
  const MemoryEvent* e = event_of(uint32_t(op.memory));
  if (e && is_copy(op, *e)) e = nullptr;
  out.active = e != nullptr;
  if (!e) return;
  out.lanes = e->lanes;
  out.wavefronts = e->wavefronts;
  out.lsu_wavefronts = e->lsu_wavefronts ? e->lsu_wavefronts : e->wavefronts;
  out.sectors = e->sectors;
  out.packets = e->packets ? e->packets : e->sectors;
  out.l1_hits = e->l1_hit_sectors;
  out.l2_hits = e->l2_hit_sectors;
  out.remote = e->remote;
  out.l2_far = e->l2_far;
  out.l2_coming = e->l2_coming;
  out.askers = e->askers;
  out.half_line = e->half_line;
  out.mbarrier = e->mbarrier;
  if (op.bulk && e->rounds > 1) {  // a lane's copy per round
    const auto of_lane = [&](uint16_t all) { return uint16_t((all + e->rounds - 1) / e->rounds); };
    out.lanes = 1;
    out.wavefronts = of_lane(e->wavefronts), out.sectors = of_lane(e->sectors);
    out.l2_hits = std::min(out.sectors, of_lane(e->l2_hit_sectors));
  }
}

uint16_t OpStream::awaited_mbarrier(const ptx::ShapeOp& op) {
  const MemoryEvent* wait = event_of(uint32_t(op.ptx));
  return wait ? wait->mbarrier : MemoryEvent::no_mbarrier;
}

/// A word of a warp lies in one piece of local memory. It was written by the warp itself, and the L1 has it.
void OpStream::describe_spill(const ptx::ShapeOp& op, StreamOp& out) {
  const uint32_t bytes = uint32_t(out.lanes) * op.width;
  out.sectors = uint16_t((bytes + 31) / 32);
  out.l1_hits = op.load ? out.sectors : 0;
  out.l2_hits = uint16_t(out.sectors - out.l1_hits);
  out.wavefronts = out.lsu_wavefronts = uint16_t((bytes + 127) / 128);
}

/// The operation is the last branch of its block, and the warp goes on elsewhere than behind it. The branch
/// where a region ends does not count: that place is where it leads to.
bool OpStream::leads_elsewhere(const ptx::ShapeOp& op) const {
  const auto ends = [](const ptx::ShapeOp& o) { return o.meets; };
  if (op.pipe != ptx::Pipe::branch || op.meets ||
      !std::all_of(block_->ops.begin() + op_, block_->ops.end(), ends))
    return false;
  const auto& steps = trace_->steps;
  const auto& blocks = entry_->shape->blocks;
  uint32_t i = step_ + 1;
  while (i < steps.size() && (steps[i].block >= blocks.size() || blocks[steps[i].block].ops.empty())) ++i;
  return i < steps.size() && steps[i].block != entry_->follower[last_block_];
}

bool OpStream::next(StreamOp& out) {
  while (trace_) {
    if (!block_ || op_ >= block_->ops.size()) {
      if (!enter()) trace_ = nullptr;
      continue;
    }
    const ptx::ShapeOp& op = block_->ops[op_];
    if (repeat_ == 0 && !begin_visit(op)) {
      ++op_;
      continue;
    }
    out = {};
    out.op = &op;
    out.entry = entry_;
    out.index = op_;
    out.first = std::exchange(first_, false);
    out.met = std::exchange(met_, false);
    if (repeat_ && op.routine) {  // the routine's cycles, spread over its instructions
      const uint32_t n = routine_->wavefronts, done = n - repeat_;
      out.stall = uint16_t(routine_->lsu_wavefronts * (done + 1) / n - routine_->lsu_wavefronts * done / n);
    }
    advance(op);
    out.lanes = uint16_t(std::popcount(trace_->steps[step_].mask));
    if (op.ptx >= 0 && size_t(op.ptx) < entry_->acts.size()) out.act = entry_->acts[size_t(op.ptx)];
    if (op.memory >= 0) describe_access(op, out);
    if (out.act == Act::signal_wait) out.mbarrier = awaited_mbarrier(op);
    if (op.spill) describe_spill(op, out);
    out.taken = leads_elsewhere(op);
    return true;
  }
  return false;
}

uint64_t OpStream::count() const {
  OpStream copy = *this;
  StreamOp op;
  uint64_t n = 0;
  while (copy.next(op)) ++n;
  return n;
}

}  // namespace dojo::simt
