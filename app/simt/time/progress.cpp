#include "simt/time/progress.hpp"

#include <algorithm>
#include <map>

namespace dojo::simt {
namespace {

/// What an instruction holds a warp up that does nothing else meanwhile, in cycles; 1 on a toy device.
double hold(const DeviceModel& d, const ptx::Instruction& i) {
  if (d.toy || i.parts.empty()) return 1;
  const auto& l = d.latency;
  const auto has = [&](const char* part) {
    return std::find(i.parts.begin(), i.parts.end(), part) != i.parts.end();
  };
  const std::string& op = i.parts[0];
  const bool wide = !has("cta") && !has("shared");  // its order holds beyond the block
  if (op == "membar" || op == "fence") return wide ? l.fence : l.alu;
  const int before = wide && (has("release") || has("acq_rel")) ? l.fence : 0;
  const int after = wide && (has("acquire") || has("acq_rel")) ? l.acquire : 0;
  if (op == "ld" || op == "atom")
    return before + (has("shared") ? l.shared_load : has("param") ? l.alu : l.l2) + after;
  if (op == "st" || op == "red") return before + l.alu;
  if (op == "shfl") return l.shuffle;
  if (op == "bar" || op == "barrier") return l.barrier;
  return l.alu;
}

}  // namespace

std::vector<double> way(const DeviceModel& d, const ptx::Module& m, const WarpTrace& w) {
  std::map<std::pair<uint32_t, uint32_t>, double> of_block;
  std::vector<double> at{0};
  at.reserve(w.steps.size() + 1);
  for (const TraceStep& step : w.steps) {
    const auto [known, fresh] = of_block.try_emplace({step.function, step.block}, 0.0);
    if (const auto& f = m.functions[step.function]; fresh && step.block < f.blocks.size())
      for (uint32_t i = f.blocks[step.block].first; i <= f.blocks[step.block].last; ++i)
        known->second += hold(d, f.code[i]);
    at.push_back(at.back() + known->second);
  }
  const double all = at.back();
  for (double& x : at) x = all > 0 ? x / all : 0;
  return at;
}

double share_before(const std::vector<double>& way, uint32_t step, bool inclusive) {
  return way[std::min<size_t>(size_t(step) + (inclusive ? 1 : 0), way.size() - 1)];
}

int step_of(const ptx::Module& m, const WarpTrace& w, const char* a, const char* b) {
  for (uint32_t i = 0; i < w.steps.size(); ++i) {
    const auto& f = m.functions[w.steps[i].function];
    if (w.steps[i].block >= f.blocks.size()) continue;
    const auto& block = f.blocks[w.steps[i].block];
    for (uint32_t k = block.first; k <= block.last; ++k)
      if (f.code[k].parts.size() > 1 && f.code[k].parts[0] == a && f.code[k].parts[1] == b) return int(i);
  }
  return -1;
}

namespace {

/// How a basic block asks what other blocks wrote, if it does.
enum class Look : uint8_t { none, plain, acquiring };
Look look(const ptx::Function& f, uint32_t block) {
  bool asks = false, orders = false;
  for (uint32_t i = f.blocks[block].first; i <= f.blocks[block].last; ++i) {
    const auto& parts = f.code[i].parts;
    if (parts.empty()) continue;
    const auto has = [&](const char* w) { return std::find(parts.begin(), parts.end(), w) != parts.end(); };
    if (has("cta") || has("shared")) continue;
    const bool acquire = has("acquire") || has("acq_rel");
    if (parts[0] == "atom" || (parts[0] == "ld" && (acquire || has("volatile") || has("relaxed"))))
      asks = true, orders |= acquire;
    if (parts[0] == "membar" || parts[0] == "fence") orders = true;
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
      const auto& parts = f.code[i].parts;
      if (parts.empty()) continue;
      if (parts[0] == "call" && depth < 4)
        for (const auto& o : f.code[i].operands)
          if (const ptx::Function* callee = m.find(o.name);
              callee && callee != &f && callee->defined && may_spin(m, *callee, depth + 1))
            return true;
      if (!b.in_loop || (parts[0] != "ld" && parts[0] != "atom")) continue;
      const auto has = [&](const char* w) { return std::find(parts.begin(), parts.end(), w) != parts.end(); };
      if (has("shared")) continue;
      if (parts[0] == "atom" || has("volatile") || has("acquire") || has("relaxed")) return true;
    }
  }
  return false;
}

}  // namespace dojo::simt
