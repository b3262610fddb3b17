#include "simt/timing_program.hpp"

#include <algorithm>
#include <bit>

namespace dojo::simt {

ShapeTable::ShapeTable(const ptx::Module& m, uint32_t kernel, std::shared_ptr<const ptx::CodeShape> shape)
    : module_(m), entries_(m.functions.size()) {
  if (kernel < entries_.size() && shape) {
    entries_[kernel] = std::make_unique<Entry>();
    entries_[kernel]->shape = std::move(shape);
  }
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
    for (size_t i = 0; i < f.code.size(); ++i) {
      const auto& parts = f.code[i].parts;
      if (parts.empty()) continue;
      if (parts[0] == "nanosleep") e->acts[i] = Act::sleep;
      else if (parts[0] == "membar" || parts[0] == "fence") e->acts[i] = Act::fence;
      else if ((parts[0] == "bar" || parts[0] == "barrier") && !(parts.size() > 1 && parts[1] == "warp") &&
               std::find(parts.begin(), parts.end(), "arrive") == parts.end())
        e->acts[i] = Act::barrier;
    }
    for (const auto& b : e->shape->blocks) e->longest = std::max(e->longest, b.ops.size());
  }
  return *e;
}

OpStream::OpStream(ShapeTable& t, const WarpTrace& w) : table_(&t), trace_(&w) { block_ = nullptr; }

/// Goes to the next visit that has operations of its own. What follows it and is predicated into it only lends
/// its memory events.
bool OpStream::enter() {
  const auto& steps = trace_->steps;
  while (next_step_ < steps.size()) {
    step_ = next_step_;
    const TraceStep& s = steps[step_];
    entry_ = &table_->at(s.function);
    event_ = cursor_ = event_end_;
    event_end_ += s.events;
    ++next_step_;
    const auto& blocks = entry_->shape->blocks;
    if (s.block >= blocks.size()) continue;
    while (next_step_ < steps.size() && steps[next_step_].function == s.function) {
      const uint32_t b = steps[next_step_].block;
      if (b >= blocks.size() || blocks[b].predicated_into < 0) break;
      event_end_ += steps[next_step_].events;
      ++next_step_;
    }
    block_ = &blocks[s.block];
    const bool same = s.block == last_block_ && s.function == last_function_;
    run_ = same ? run_ + 1 : 0;
    const uint32_t came_from = same || last_function_ == s.function ? last_block_ : ~0u;
    last_block_ = s.block;
    last_function_ = s.function;
    op_ = 0;
    // A branch to here that is a predicated exit in the machine code: these lanes have left already.
    if (std::find(block_->exits_from.begin(), block_->exits_from.end(), came_from) != block_->exits_from.end())
      continue;
    if (!block_->ops.empty()) return true;
  }
  return false;
}

bool OpStream::next(StreamOp& out) {
  if (!trace_) return false;
  for (;;) {
    if (!block_ || op_ >= block_->ops.size()) {
      if (!enter()) {
        trace_ = nullptr;
        return false;
      }
    }
    while (op_ < block_->ops.size()) {
      const ptx::ShapeOp& op = block_->ops[op_];
      if (op.period > 1 && run_ % op.period != op.phase) {
        ++op_;
        continue;
      }
      out = {};
      out.op = &op;
      out.entry = entry_;
      out.index = op_;
      out.first = op_ == 0;
      ++op_;
      out.lanes = uint16_t(std::popcount(trace_->steps[step_].mask));
      if (op.ptx >= 0 && size_t(op.ptx) < entry_->acts.size()) out.act = entry_->acts[size_t(op.ptx)];
      if (op.memory >= 0) {
        // Events are in PTX order; machine code keeps close to it.
        const auto& events = trace_->events;
        const uint32_t n = event_end_ - event_;
        bool found = false;
        for (uint32_t k = 0; k < n && !found; ++k) {
          uint32_t at = cursor_ + k;
          if (at >= event_end_) at -= n;
          const MemoryEvent& e = events[at];
          if (e.inst != uint32_t(op.memory)) continue;
          found = true;
          out.lanes = e.lanes;
          out.wavefronts = e.wavefronts;
          out.sectors = e.sectors;
          out.l1_hits = e.l1_hit_sectors;
          out.l2_hits = e.l2_hit_sectors;
          cursor_ = at + 1 < event_end_ ? at + 1 : event_;
        }
        out.active = found;
      }
      if (op.pipe == ptx::Pipe::branch && op_ >= block_->ops.size()) {
        const auto& steps = trace_->steps;
        out.taken_back = next_step_ < steps.size() && steps[next_step_].block != last_block_ + 1;
      }
      return true;
    }
  }
}

uint64_t OpStream::count() const {
  OpStream copy = *this;
  StreamOp op;
  uint64_t n = 0;
  while (copy.next(op)) ++n;
  return n;
}

}  // namespace dojo::simt
