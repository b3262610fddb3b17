// What orders blocks within a launch: a fence and a write to a flag on one side, a strong read of that flag
// on the other. Kept loose on purpose: where the pattern is there, nothing is reported.
#include <algorithm>
#include <array>

#include "simt/checks/shadow.hpp"
#include "simt/state/findings.hpp"
#include "simt/state/supervisor.hpp"

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
  r.acquired = it == sync.acquired.end() ? 0 : it->second.count;
  f.by_ticket[r.ticket].push_back(uint32_t(f.releases.size()));
  f.releases.push_back(r);
  ++sync.noted;
  if (ends_waits)
    sync.writers[address / 4] = {x.grid->launch, x.warp->index, x.warp->trace ? x.warp->trace->passed() : 0,
                                 b.linear};
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
      r.acquired = it == sync.acquired.end() ? 0 : it->second.count;
      mine.push_back(uint32_t(f.releases.size()));
      f.releases.push_back(r);
    }
  }
  SyncState::Acquired& all = sync.acquired[b.ticket];
  std::vector<Acquire>& list = all.by_flag[address / 4];
  Acquire a{all.count, uint32_t(f.releases.size()), thread_index(x, int(lane)),
            x.warp->sync_stamp - b.first_stamp + 1};
  if (!list.empty() && list.back().order + 1 == all.count && list.back().thread == a.thread) {
    a.order = list.back().order;
    list.back() = a;
  } else {
    ++all.count;
    list.push_back(a);
  }
}

void note_fence(Exec& x) {
  if (x.machine && x.ordered) x.machine->sync().fences[x.block->ticket] = x.block->fence_stamp;
}

namespace {

/// Looks for a release of the other access that this block has acquired, itself or through up to three more
/// blocks.
struct Search {
  SyncState& sync;
  uint64_t other;
  static constexpr int kLookup = 16;  ///< what finding a flag or a block costs
  static constexpr int kMost = 20000 * kLookup;
  int budget = kMost;  ///< in releases compared
  static constexpr int kDepth = 3;
  /// How many acquisitions of a block were searched, by depth: fewer are not looked at again from as deep or
  /// deeper.
  std::unordered_map<uint32_t, std::array<uint32_t, kDepth + 1>> seen = {};

  bool published(const Release& r) const {
    const uint64_t stamp = Tag::stamp(other);
    if (r.ticket != Tag::ticket(other) || r.fence_stamp < stamp) return false;
    const uint32_t thread = Tag::thread(other);
    return r.thread == thread || stamp < r.barrier_stamp || (r.thread / 32 == thread / 32 && stamp < r.stamp);
  }
  /// Of a block's releases of a flag, how many came before a version; they are in the order of time.
  static size_t before(const std::vector<uint32_t>& releases, uint32_t version) {
    return size_t(std::lower_bound(releases.begin(), releases.end(), version) - releases.begin());
  }
  static bool any(const Acquire&) { return true; }

  /// Did one of a block's first `n` acquisitions, at which `usable` says yes, see a release that covers the
  /// access?
  template <class Usable>
  bool reached(uint32_t ticket, uint32_t n, const Usable& usable, int depth) {
    auto it = sync.acquired.find(ticket);
    if (it == sync.acquired.end()) return false;
    if (depth) {
      auto& searched = seen[ticket];
      for (int d = 1; d <= depth; ++d)
        if (searched[size_t(d)] >= n) return false;
      searched[size_t(depth)] = n;
    }
    for (auto& [address, list] : it->second.by_flag) {
      if ((budget -= kLookup) < 0) return true;
      // A later acquisition of a flag saw all that an earlier one did.
      auto end =
          std::partition_point(list.begin(), list.end(), [&](const Acquire& a) { return a.order < n; });
      auto last = std::find_if(std::make_reverse_iterator(end), list.rend(),
                               [&](const Acquire& a) { return --budget < 0 || usable(a); });
      if (last == list.rend()) continue;
      if (auto flag = sync.flags.find(address);
          flag != sync.flags.end() && seen_by(flag->second, *last, ticket, depth))
        return true;
    }
    return false;
  }
  /// Does a release of the flag that was there at `a` cover the access, by itself or by what was acquired
  /// before it?
  bool seen_by(const SyncState::Flag& f, const Acquire& a, uint32_t ticket, int depth) {
    if (auto direct = f.by_ticket.find(uint32_t(Tag::ticket(other))); direct != f.by_ticket.end())
      for (size_t k = before(direct->second, a.version); k-- > 0;)  // the last is the likeliest
        if (--budget < 0 || published(f.releases[direct->second[k]])) return true;
    if (depth >= kDepth) return false;
    // Through a third block that had acquired before it released: its last release has all it had acquired.
    for (auto& [through, releases] : f.by_ticket) {
      if (through == ticket || through == Tag::ticket(other)) continue;
      if ((budget -= kLookup) < 0) return true;
      const size_t k = before(releases, a.version);
      const uint32_t acquired = k ? f.releases[releases[k - 1]].acquired : 0;
      if (acquired && reached(through, acquired, any, depth + 1)) return true;
    }
    return false;
  }
};

}  // namespace

bool ordered_by_flags(Exec& x, uint64_t other, uint32_t thread, uint64_t pair) {
  SyncState& sync = x.machine->sync();
  if (Tag::ticket(other) < sync.forgotten) return true;
  if (sync.acquired.empty()) return false;
  if (sync.tangled.count(pair)) return true;
  // The labs' kernels that wait for each other take 18 to 160 comparisons a search. One that takes thousands
  // every time (flags read and written everywhere; found by fuzzing) would take minutes: most of its searches
  // are left out, and nothing is reported for them.
  constexpr int64_t free_cost = 5'000'000, each = 300;
  if (++sync.searches * each + free_cost < sync.searched) return true;
  const Block& b = *x.block;
  const uint32_t barrier = b.barrier_stamp - b.first_stamp + 1, own = x.warp->sync_stamp - b.first_stamp + 1;
  Search search{sync, other};
  const bool found = search.reached(
      b.ticket, ~0u,
      [&](const Acquire& a) {
        return a.thread == thread || a.stamp < barrier || (a.thread / 32 == thread / 32 && a.stamp < own);
      },
      0);
  sync.searched += Search::kMost - search.budget;
  if (search.budget >= 0) return found;
  sync.tangled.insert(pair);  // too long to tell: not reported
  return true;
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
  wake.step = w.trace->passed();
  wake.by_launch = it->second.launch;
  wake.by_block = it->second.block;
  wake.by_warp = it->second.warp;
  wake.by_step = it->second.step;
  wakes.push_back(wake);
}

}  // namespace dojo::simt
