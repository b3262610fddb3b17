// Applies what blocks leave, in block order: their text, their reductions, and their accesses, which go to
// the modelled caches.
#include <algorithm>

#include "simt/machine/machine_core.hpp"
#include "simt/ops/atomics.hpp"

namespace dojo::simt {

void Machine::commit(Grid& g, uint64_t linear, Commit&& c) {
  constexpr size_t many = 256;  // blocks' logs that may wait while one thread applies them
  const auto room = [&] { return waiting_.size() < many && waiting_accesses_ < config_.most_accesses; };
  std::unique_lock guard(lock_);
  waiting_accesses_ += c.log.size();
  waiting_.emplace(linear, std::move(c));
  if (applying_) {
    // Another thread applies the logs, this block's too: go on with the next block.
    turn_.wait(guard, [&] { return !applying_ || room(); });
    if (applying_) return;
  }
  applying_ = true;
  while (!waiting_.empty() && waiting_.begin()->first == next_commit_) {
    auto first = waiting_.extract(waiting_.begin());
    waiting_accesses_ -= first.mapped().log.size();
    guard.unlock();
    apply_commit(g, first.key(), first.mapped());
    guard.lock();
    ++next_commit_;
    if (room()) turn_.notify_all();
  }
  applying_ = false;
  turn_.notify_all();
  // While this block's log waits for a slow block, which is another thread's since every thread goes upwards,
  // no more logs are made.
  while (waiting_accesses_ >= config_.most_accesses && linear >= next_commit_ && !dirty_)
    turn_.wait_for(guard, std::chrono::milliseconds(20));
}

void Machine::select(Grid& g) {
  if (selected_ == g.launch) return;
  settle_accesses();
  config_.hierarchy->select_launch(g.launch, !g.sample.whole());
  selected_ = g.launch;
}

void Machine::apply_commit(Grid& g, uint64_t linear, Commit& c) {
  printed_ += c.printed;
  if (serial_) flush_printed(printed_);
  const Region* into = nullptr;
  for (const Block::RedLog& r : c.reds) {
    const uint64_t bytes = uint64_t(ptx::bits(r.type) / 8);
    if (!into || !into->contains(r.address, bytes)) into = memory_.find(r.address);
    if (into && !into->freed && into->data && into->contains(r.address, bytes))
      apply_red(into->data + (r.address - into->base), r);
  }
  if (!config_.hierarchy || !c.detail) {
    if (c.trace) keep_trace(*g.trace, std::move(*c.trace));
    return;
  }
  select(g);
  pending_trace_ = g.trace;
  const size_t together = config_.hierarchy->side_by_side(c.log);
  if (together == 1) settle_accesses();
  BlockAccesses b;
  b.sm = c.sm, b.log = std::move(c.log), b.summary = &g.trace->blocks[linear], b.trace = std::move(c.trace),
  b.entered = std::move(c.entered);
  b.want_hits = b.trace && !b.trace->shortened;
  pending_.push_back(std::move(b));
  if (pending_.size() >= together) settle_accesses();
}

namespace {

/// Lines of an access follow each other: gives each event the hits of its own lines. The next iteration of
/// a loop may follow at once, with the same instruction.
void enter_hits(BlockTrace& trace, std::span<const LineAccess> log, std::span<const LineHits> hits,
                std::vector<size_t>& next) {
  next.resize(trace.warps.size());
  unsigned lines = 0;  // of the event, so far
  for (size_t i = 0; i < log.size(); ++i) {
    const LineAccess& a = log[i];
    if (a.warp >= next.size() || a.kind == LineAccess::invalidate) continue;
    auto& events = trace.warps[a.warp].events;
    size_t& at = next[a.warp];
    while (at < events.size() && (events[at].inst != a.inst || !events[at].sectors)) ++at;
    if (at == events.size()) continue;
    MemoryEvent& e = events[at];
    if (!lines) e.half_line = uint32_t(a.line * 2 + !(a.sectors & 3));
    e.l1_hit_sectors = uint16_t(e.l1_hit_sectors + hits[i].l1);
    e.l2_hit_sectors = uint16_t(e.l2_hit_sectors + hits[i].l2);
    e.l2_far |= hits[i].far;
    e.l2_coming |= hits[i].coming;
    e.askers = std::max(e.askers, hits[i].askers);
    const bool more = i + 1 < log.size() && log[i + 1].warp == a.warp && log[i + 1].inst == a.inst &&
                      log[i + 1].kind != LineAccess::invalidate;
    if (++lines < e.wavefronts && more) continue;
    lines = 0;
    ++at;
  }
}

}  // namespace

void Machine::keep_trace(LaunchTrace& t, BlockTrace&& trace) {
  constexpr uint64_t far_more = 2;
  const auto work = [&](const BlockTrace& b) { return uint64_t(t.blocks[b.block].warp_instructions); };
  const bool heaviest =
      std::ranges::all_of(t.detailed, [&](const BlockTrace& b) { return work(trace) > far_more * work(b); });
  if (!trace.spare || (heaviest && !trace.shortened)) t.detailed.push_back(std::move(trace));
}

void Machine::settle_accesses() {
  if (pending_.empty()) return;
  config_.hierarchy->replay(pending_);
  for (BlockAccesses& b : pending_) {
    if (!b.trace) continue;
    if (b.want_hits) enter_hits(*b.trace, b.log, b.hits, b.entered);
    keep_trace(*pending_trace_, std::move(*b.trace));
  }
  std::lock_guard guard(lock_);
  for (BlockAccesses& b : pending_)
    if (spare_logs_.size() < 2048) b.log.clear(), spare_logs_.push_back(std::move(b.log));
  pending_.clear();
}

void Machine::settle_parts(Exec& x) {
  if (!x.block || !config_.hierarchy) return;
  // A warp's access is an entry or a few of the log, but 32 reductions where each lane adds a float.
  const bool few = std::max(x.block->log.size(), x.block->reds.size()) < config_.most_accesses;
  if (few && (!serial_ || ++polls_ % 16)) return;
  if (!serial_) give_up_attempt();  // so many accesses of one block: in order they can be taken as they come
  std::vector<Block*> blocks = resident_;
  if (blocks.empty()) blocks.push_back(x.block);
  uint64_t accesses = 0;
  for (const Block* b : blocks) accesses += b->log.size();
  if (accesses >= config_.most_accesses) {
    settle_accesses();
    std::stable_sort(blocks.begin(), blocks.end(),
                     [](const Block* a, const Block* b) { return a->grid->launch < b->grid->launch; });
    for (size_t first = 0, end = 0; first < blocks.size(); first = end) {
      while (end < blocks.size() && blocks[end]->grid == blocks[first]->grid) ++end;
      std::vector<BlockAccesses> parts(end - first);
      for (size_t i = first; i < end; ++i) {
        BlockAccesses& part = parts[i - first];
        part.sm = blocks[i]->sm, part.log = std::move(blocks[i]->log), part.summary = &blocks[i]->summary;
        part.want_hits = blocks[i]->trace && !blocks[i]->trace->shortened;
      }
      select(*blocks[first]->grid);
      config_.hierarchy->replay(parts, !resident_.empty());
      for (size_t i = first; i < end; ++i) {
        BlockAccesses& part = parts[i - first];
        if (part.want_hits) enter_hits(*blocks[i]->trace, part.log, part.hits, blocks[i]->entered);
        part.log.clear();
        blocks[i]->log = std::move(part.log);
      }
    }
  }
  if (config_.keep_whole) shorten_traces(blocks);
}

namespace {
uint64_t trace_bytes(const Block& b) {
  uint64_t bytes = 0;
  for (size_t w = 0; b.trace && w < b.trace->warps.size(); ++w)
    bytes += b.trace->warps[w].steps.size() * sizeof(TraceStep) +
             b.trace->warps[w].events.size() * sizeof(MemoryEvent);
  return bytes;
}
}  // namespace

uint64_t Machine::traced_bytes(const Exec& x) const {
  uint64_t bytes = 0;
  for (const Block* b : resident_) bytes += trace_bytes(*b);
  if (!resident_.empty() || !x.block) return bytes;
  uint64_t left = 0;
  for (auto& g : grids_) left += g->blocks - g->finished;
  return trace_bytes(*x.block) * std::clamp<uint64_t>(left, 1, std::max<size_t>(1, execs_.size()));
}

void Machine::shorten_traces(std::span<Block* const> blocks) {
  constexpr size_t kept = 4;  // steps that a wake may still ask about
  uint64_t bytes = 0;
  for (const Block* b : blocks) bytes += trace_bytes(*b);
  if (bytes < config_.most_trace_bytes) return;
  for (Block* b : blocks) {
    if (!b->trace || config_.keep_whole(b->grid->launch, b->linear)) continue;
    for (Wake& wake : b->trace->wakes) {
      const WarpTrace& w = b->trace->warps[wake.warp];
      if (!wake.around.empty() || wake.step + 2 > w.passed() || wake.step < w.left_out + 1) continue;
      const auto at = w.steps.begin() + (wake.step - w.left_out);
      wake.around.assign(at - 1, at + 2);
    }
    for (WarpTrace& w : b->trace->warps) {
      w.events = {};
      if (w.steps.size() <= kept) continue;
      w.left_out += uint32_t(w.steps.size() - kept);
      w.steps = {w.steps.end() - kept, w.steps.end()};
    }
    b->trace->shortened = true;
  }
}

}  // namespace dojo::simt
