// A run that is stopped before its end: what its blocks left, as far as they ran.
#include <algorithm>

#include "simt/machine/machine_core.hpp"

namespace dojo::simt {

namespace {

/// Nothing of the block can run: it waits at a barrier, for lanes, or for another block.
bool waits(const Block& b) {
  for (const auto& w : b.warps)
    for (const Split& s : w->splits)
      if (w->live && s.wait == Wait::ready) return false;
  return true;
}

}  // namespace

void Machine::hand_over_stopped() {
  if (!config_.stopped || config_.steps) return;
  if (config_.control.cancelled && config_.control.cancelled()) return;
  // Longer traces and logs are an endless loop's: they would take longer to read than the loop took to run.
  constexpr uint64_t longest = 2'000'000;
  serial_ = true;
  attempt_ = false;
  has_commits_ = config_.hierarchy != nullptr;
  StoppedBatch out;
  out.ends.resize(nodes_.size());
  std::vector<Block*> standing = resident_;
  if (standing.empty())
    for (auto& x : execs_)
      for (auto& b : x->block_pool)
        if (b->started && !b->done && b->grid && b->live_threads) standing.push_back(b.get());
  for (size_t i = 0; i < nodes_.size(); ++i) {
    Grid& g = *grids_[i];
    auto& ends = out.ends[i];
    ends.assign(g.blocks, done_[i] ? BlockEnd::ended : BlockEnd::not_begun);
    if (done_[i]) continue;
    g.trace->blocks.resize(g.blocks);
    bool any = false;
    for (uint64_t b = 0; b < g.blocks; ++b)
      if (g.trace->blocks[b].warp_instructions) ends[b] = BlockEnd::ended, any = true;
    for (Block* b : standing) {
      if (b->grid != &g) continue;
      any = true;
      ends[b->linear] = waits(*b) ? BlockEnd::waiting : BlockEnd::running;
      Exec& x = exec(0);
      x.block = b;
      use_grid(x, g, b->detail);
      uint64_t executed = 0;
      for (auto& w : b->warps) executed += w->executed;
      if (executed > longest) b->trace.reset(), b->entered.clear();
      if (b->log.size() > longest) b->log.clear();
      b->reds.clear();
      hand_over_block(x, *b);
    }
    if (any) finish_grid(g);
  }
  resident_.clear();
  out.traces = std::move(traces_);
  config_.stopped(std::move(out));
}

}  // namespace dojo::simt
