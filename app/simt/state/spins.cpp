#include "simt/state/spins.hpp"

#include <algorithm>
#include <cstring>

#include "simt/state/splits.hpp"

namespace dojo::simt {

namespace {

bool same_steps(const TraceStep& a, const TraceStep& b) {
  return a.function == b.function && a.block == b.block && a.mask == b.mask && a.events == b.events;
}

/// Takes a step out of what is timed and out of the block's weight. Its events stay: the caches' answers are
/// entered in their order.
void leave_out(Exec& x, TraceStep& step, const MemoryEvent* events) {
  const ptx::Function& f = *x.frame->code->fn;
  BlockSummary& sum = x.block->summary;
  if (step.function == x.frame->code->index && step.block < f.blocks.size())
    sum.warp_instructions -= f.blocks[step.block].last - f.blocks[step.block].first + 1;
  for (uint32_t k = 0; k < step.events; ++k)
    if (events[k].sectors && !events[k].remote)
      --sum.global_requests, sum.global_sectors -= events[k].sectors;
  step.block = TraceStep::left_out;
}

/// Leaves out the equal rounds at the trace's end. A warp that parks has gone round its loop to no avail, as
/// often as the spin check needs. On a GPU it waits meanwhile, and what delays it beyond the wait is one
/// look: the one that sees the word's new value, which follows in the trace when the warp goes on.
void leave_out_rounds(Exec& x, WarpTrace& t) {
  constexpr size_t longest = 32;  // steps of a round
  size_t end = t.steps.size(), event = t.events.size();
  for (size_t round = 1; round <= longest; ++round) {
    const auto again = [&](size_t at) {
      return at >= 2 * round && std::equal(t.steps.begin() + long(at - round), t.steps.begin() + long(at),
                                           t.steps.begin() + long(at - 2 * round), same_steps);
    };
    if (!again(end)) continue;
    size_t first = end - 2 * round;
    while (again(first + round)) first -= round;
    for (; end > first; --end) {
      event -= t.steps[end - 1].events;
      leave_out(x, t.steps[end - 1], t.events.data() + event);
    }
    return;
  }
}

}  // namespace

void watch(Exec& x, uint64_t address, uint32_t bytes, const void* value) {
  ++x.touched;
  if (x.watches.size() > 256) return;
  for (uint32_t at = 0; at < bytes; at += 8) {
    Split::Watch w{address + at, 0, uint8_t(std::min<uint32_t>(8, bytes - at))};
    std::memcpy(&w.value, static_cast<const std::byte*>(value) + at, w.bytes);
    x.watches.push_back(w);
  }
}

bool spin_check(const Inst* p, Exec& x, const Inst* next) {
  Split& s = x.warp->splits[size_t(x.split)];
  const bool wrote = x.wrote, many = x.watches.size() > 256, blind = x.blind;
  std::vector<Split::Watch> seen = std::move(x.watches);
  x.watches.clear();
  x.touched = 0;
  x.wrote = x.blind = false;
  if (wrote || many) {
    s.spin_at = nullptr;
    return false;
  }
  // The frame is all that the next time round depends on, besides what is read.
  uint64_t h = x.mask;
  const uint32_t n = x.frame->code->frame_bytes / 8;
  const uint64_t* words = reinterpret_cast<const uint64_t*>(x.r);
  for (uint32_t i = 0; i < n; ++i) h = (h ^ words[i]) * 0x9E3779B97F4A7C15ull, h ^= h >> 29;
  uint64_t reads = x.mask;
  for (const Split::Watch& w : seen) reads = fold(fold(reads, w.address), w.value);
  const bool same_reads = s.spin_at == p && s.spin_reads == reads && !blind;
  s.spin_reads = reads;
  if (s.spin_at != p || s.spin_hash != h) {
    s.spin_at = p;
    s.spin_hash = h;
    if (same_reads) x.slice = -1, x.yielded = true;
    return false;
  }
  std::sort(seen.begin(), seen.end(),
            [](const Split::Watch& a, const Split::Watch& b) { return a.address < b.address; });
  seen.erase(std::unique(seen.begin(), seen.end(),
                         [](const Split::Watch& a, const Split::Watch& b) { return a.address == b.address; }),
             seen.end());
  s.watches = std::move(seen);
  if (x.warp->trace) leave_out_rounds(x, *x.warp->trace);
  suspend(next, x, Wait::parked);
  return true;
}

}  // namespace dojo::simt
