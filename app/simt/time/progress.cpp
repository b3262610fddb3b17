#include "simt/time/progress.hpp"

#include <algorithm>

namespace dojo::simt {
namespace {

using ptx::Meaning;
using ptx::Op;

/// May a load see what another block wrote meanwhile? (.relaxed, .volatile, .acquire)
bool strong(const Meaning& m) { return m.op == Op::ld && m.order != ptx::Order::weak; }

/// What an instruction holds a warp up that does nothing else meanwhile, in cycles; 1 on a toy device.
double hold(const DeviceModel& d, const ptx::Instruction& i) {
  if (d.toy || i.parts.empty()) return 1;
  const auto& l = d.latency;
  const Meaning& m = i.meaning;
  const bool wide = m.scope != ptx::Scope::cta && !m.own_shared();  // its order holds beyond the block
  const int before = wide && m.releases() ? l.fence : 0;
  const int after = wide && m.acquires() ? l.acquire : 0;
  switch (m.op) {
    case Op::membar:
    case Op::fence:
      return wide ? l.fence : l.alu;
    case Op::ld:
    case Op::atom:
      return before + (m.own_shared() ? l.shared_load : m.space == ptx::Space::param ? l.alu : l.l2) + after;
    case Op::st:
    case Op::red:
      return before + l.alu;
    case Op::shfl:
      return l.shuffle;
    case Op::bar:
    case Op::barrier:
      return l.barrier;
    default:
      return l.alu;
  }
}

}  // namespace

double Holds::of(const TraceStep& step) {
  const auto& f = module_.functions[step.function];
  if (step.block >= f.blocks.size()) return 0;
  auto& known = known_[step.function];
  if (known.empty()) known.assign(f.blocks.size(), -1);
  double& cycles = known[step.block];
  if (cycles < 0) {
    cycles = 0;
    for (uint32_t i = f.blocks[step.block].first; i <= f.blocks[step.block].last; ++i)
      cycles += hold(device_, f.code[i]);
  }
  return cycles;
}

double Holds::of(const BlockTrace& b) {
  double longest = 0;
  for (const WarpTrace& w : b.warps) {
    double all = 0;
    for (const TraceStep& step : w.steps) all += of(step);
    longest = std::max(longest, all);
  }
  return longest;
}

std::vector<double> way(const DeviceModel& d, const ptx::Module& m, const WarpTrace& w) {
  Holds holds(d, m);
  std::vector<double> at{0};
  at.reserve(w.steps.size() + 1);
  for (const TraceStep& step : w.steps) at.push_back(at.back() + holds.of(step));
  const double all = at.back();
  for (double& x : at) x = all > 0 ? x / all : 0;
  return at;
}

double share_before(const std::vector<double>& way, uint32_t step, bool inclusive) {
  return way[std::min<size_t>(size_t(step) + (inclusive ? 1 : 0), way.size() - 1)];
}

int step_of(const ptx::Module& m, const WarpTrace& w, Op op, ptx::Side side) {
  for (uint32_t i = 0; i < w.steps.size(); ++i) {
    const auto& f = m.functions[w.steps[i].function];
    if (w.steps[i].block >= f.blocks.size()) continue;
    const auto& block = f.blocks[w.steps[i].block];
    for (uint32_t k = block.first; k <= block.last; ++k)
      if (f.code[k].meaning.op == op && f.code[k].meaning.side == side) return int(i);
  }
  return -1;
}

namespace {

/// How a basic block asks what other blocks wrote, if it does.
enum class Look : uint8_t { none, plain, acquiring };
Look look(const ptx::Function& f, uint32_t block) {
  bool asks = false, orders = false;
  for (uint32_t i = f.blocks[block].first; i <= f.blocks[block].last; ++i) {
    const Meaning& m = f.code[i].meaning;
    if (m.scope == ptx::Scope::cta || m.own_shared()) continue;
    if (m.op == Op::atom || strong(m)) asks = true, orders |= m.acquires();
    if (m.fences()) orders = true;
  }
  return !asks ? Look::none : orders ? Look::acquiring : Look::plain;
}

}  // namespace

bool waits_by_acquire(const ptx::Module& m, const WarpTrace& w, uint32_t step) {
  step -= w.left_out;
  // The last look that was taken, at the step or before it.
  for (uint32_t back = 0; back < 2 && back <= step; ++back) {
    const uint32_t at = step - back;
    if (at + 1 >= w.steps.size()) continue;
    const auto& f = m.functions[w.steps[at].function];
    const uint32_t asked = w.steps[at].block;
    if (asked >= f.blocks.size() || look(f, asked) == Look::none) continue;
    // It came through. Had it not, the other way would have led to the next look: that one is repeated while
    // it waits.
    for (uint32_t other : f.blocks[asked].successors) {
      if (other == w.steps[at + 1].block) continue;
      for (int steps = 0; steps < 4 && other < f.blocks.size(); ++steps) {
        if (const Look l = look(f, other); l != Look::none) return l == Look::acquiring;
        if (f.blocks[other].successors.size() != 1) break;
        other = f.blocks[other].successors[0];
      }
    }
    return look(f, asked) == Look::acquiring;
  }
  return false;
}

bool may_spin(const ptx::Module& m, const ptx::Function& f, int depth) {
  for (const auto& b : f.blocks) {
    for (uint32_t i = b.first; i <= b.last && i < f.code.size(); ++i) {
      const Meaning& meaning = f.code[i].meaning;
      if (meaning.op == Op::call && depth < 4)
        for (const auto& o : f.code[i].operands)
          if (const ptx::Function* callee = m.find(o.name);
              callee && callee != &f && callee->defined && may_spin(m, *callee, depth + 1))
            return true;
      if (b.in_loop && !meaning.own_shared() && (meaning.op == Op::atom || strong(meaning))) return true;
    }
  }
  return false;
}

}  // namespace dojo::simt
