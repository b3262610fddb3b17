// What orders blocks within a launch: a fence and a write to a flag on one side, a strong read of that flag
// on the other. Kept loose on purpose: where the pattern is there, nothing is reported.
#include <algorithm>
#include <functional>

#include "simt/machine_core.hpp"
#include "simt/shadow.hpp"

namespace dojo::simt {

void note_strong_write(Exec& x, uint64_t address, uint32_t lane, bool ends_waits) {
  SyncState& sync = x.machine->sync();
  SyncState::Flag& f = sync.flags[address / 4];
  Block& b = *x.block;
  Release r;
  r.ticket = b.ticket;
  r.thread = thread_index(x, int(lane));
  r.stamp = x.warp->sync_stamp - b.first_stamp + 1;
  r.barrier_stamp = b.barrier_stamp - b.first_stamp + 1;
  r.fence_stamp = b.fence_stamp;
  auto it = sync.acquired.find(b.ticket);
  r.acquired = it == sync.acquired.end() ? 0 : uint32_t(it->second.size());
  f.by_ticket[r.ticket].push_back(uint32_t(f.releases.size()));
  f.releases.push_back(r);
  if (ends_waits)
    sync.writers[address / 4] = {x.grid->launch, x.warp->index,
                                 x.warp->trace ? uint32_t(x.warp->trace->steps.size()) : 0, b.linear};
}

void note_strong_read(Exec& x, uint64_t address, uint32_t lane, uint64_t write_tag) {
  SyncState& sync = x.machine->sync();
  SyncState::Flag& f = sync.flags[address / 4];
  Block& b = *x.block;
  if (write_tag && !(write_tag & Tag::strong_bit)) {
    // The flag was set by a plain store: it published what a fence before it covers.
    const uint32_t ticket = uint32_t(Tag::ticket(write_tag));
    auto& mine = f.by_ticket[ticket];
    if (mine.empty() || f.releases[mine.back()].stamp != Tag::stamp(write_tag)) {
      Release r;
      r.ticket = ticket;
      r.thread = Tag::thread(write_tag);
      r.stamp = r.barrier_stamp = uint32_t(Tag::stamp(write_tag));
      auto fence = sync.fences.find(ticket);
      r.fence_stamp = fence == sync.fences.end() ? 0 : fence->second;
      auto it = sync.acquired.find(ticket);
      r.acquired = it == sync.acquired.end() ? 0 : uint32_t(it->second.size());
      mine.push_back(uint32_t(f.releases.size()));
      f.releases.push_back(r);
    }
  }
  std::vector<Acquire>& list = sync.acquired[b.ticket];
  const Acquire a{address / 4, uint32_t(f.releases.size()), thread_index(x, int(lane)),
                  x.warp->sync_stamp - b.first_stamp + 1};
  if (!list.empty() && list.back().address == a.address && list.back().thread == a.thread)
    list.back() = a;
  else
    list.push_back(a);
}

void note_fence(Exec& x) {
  if (x.machine && x.ordered) x.machine->sync().fences[x.block->ticket] = x.block->fence_stamp;
}

namespace {

struct Search {
  SyncState& sync;
  uint64_t other;
  int budget = 20000;

  bool published(const Release& r) const {
    const uint64_t stamp = Tag::stamp(other);
    if (r.ticket != Tag::ticket(other) || r.fence_stamp < stamp) return false;
    const uint32_t thread = Tag::thread(other);
    return r.thread == thread || stamp < r.barrier_stamp || (r.thread / 32 == thread / 32 && stamp < r.stamp);
  }
  /// Did one of a block's first `n` acquisitions, at which `usable` says yes, see a release that covers the
  /// access?
  bool reached(uint32_t ticket, uint32_t n, const std::function<bool(const Acquire&)>& usable, int depth) {
    auto it = sync.acquired.find(ticket);
    if (it == sync.acquired.end()) return false;
    const auto& list = it->second;
    for (uint32_t i = 0; i < std::min<uint32_t>(n, uint32_t(list.size())); ++i) {
      const Acquire& a = list[i];
      if (!usable(a)) continue;
      if (--budget < 0) return true;  // too tangled to tell: not reported
      auto flag = sync.flags.find(a.address);
      if (flag == sync.flags.end()) continue;
      const auto& f = flag->second;
      if (auto direct = f.by_ticket.find(uint32_t(Tag::ticket(other))); direct != f.by_ticket.end())
        for (uint32_t k : direct->second)
          if (k < a.version && published(f.releases[k])) return true;
      if (depth >= 3) continue;
      // Through a third block that had acquired before it released.
      for (auto& [through, releases] : f.by_ticket) {
        if (through == ticket || through == Tag::ticket(other)) continue;
        for (uint32_t k : releases) {
          if (k >= a.version || !f.releases[k].acquired) continue;
          if (--budget < 0) return true;
          if (reached(
                  through, f.releases[k].acquired, [](const Acquire&) { return true; }, depth + 1))
            return true;
        }
      }
    }
    return false;
  }
};

}  // namespace

bool ordered_by_flags(Exec& x, uint64_t other, uint32_t thread, uint64_t pair) {
  SyncState& sync = x.machine->sync();
  if (sync.acquired.empty()) return false;
  if (sync.tangled.count(pair)) return true;
  const Block& b = *x.block;
  const uint32_t barrier = b.barrier_stamp - b.first_stamp + 1, own = x.warp->sync_stamp - b.first_stamp + 1;
  Search search{sync, other};
  const bool found = search.reached(
      b.ticket, ~0u,
      [&](const Acquire& a) {
        return a.thread == thread || a.stamp < barrier || (a.thread / 32 == thread / 32 && a.stamp < own);
      },
      0);
  if (search.budget < 0) sync.tangled.insert(pair);
  return found;
}

void note_wake(Exec& x, Block& b, Warp& w, uint64_t address) {
  if (!b.trace || !w.trace) return;
  SyncState& sync = x.machine->sync();
  auto it = sync.writers.find(address / 4);
  if (it == sync.writers.end()) return;
  if (it->second.launch == b.grid->launch && it->second.block == b.linear) return;
  auto& wakes = b.trace->wakes;
  // A loop that looks again and again waits for the last writer it saw.
  if (!wakes.empty() && wakes.back().warp == w.index && wakes.back().by_launch == it->second.launch &&
      wakes.back().by_block == it->second.block)
    return;
  b.grid->trace->spin_coupled = true;
  Wake wake;
  wake.warp = w.index;
  wake.step = uint32_t(w.trace->steps.size());
  wake.by_launch = it->second.launch;
  wake.by_block = it->second.block;
  wake.by_warp = it->second.warp;
  wake.by_step = it->second.step;
  wakes.push_back(wake);
}

}  // namespace dojo::simt
