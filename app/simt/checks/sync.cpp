// What orders threads beside barriers: a fence and a write to a flag on one side, a strong read of that flag
// and a fence on the other. The rule, and where it is loose on purpose: docs/findings.md.
#include <algorithm>
#include <array>

#include "simt/checks/shadow.hpp"
#include "simt/state/findings.hpp"
#include "simt/state/supervisor.hpp"

namespace dojo::simt {

namespace {
uint32_t barrier_of(const Block& b) { return b.barrier_stamp - b.first_stamp + 1; }
uint32_t sync_of(const Exec& x) { return x.warp->sync_stamp - x.block->first_stamp + 1; }
uint32_t epoch_of(const Exec& x) { return x.warp->epoch - x.block->first_stamp + 1; }
uint64_t warp_key(uint32_t ticket, uint32_t thread) { return uint64_t(ticket) << 5 | thread / 32; }
}  // namespace

void next_epoch(Exec& x) { x.block->stamp = std::max(x.block->stamp, ++x.warp->epoch); }

namespace {

/// The running block adds to a word that `last` wrote last.
void note_arrival(Exec& x, uint64_t word, const SyncState::Writer& last) {
  SyncState& sync = x.machine->sync();
  // Barriers have few words. Counters of many, as the rows of a table, are none.
  constexpr size_t most_words = 4096, most_arrivals = size_t(1) << 20;
  if (sync.arrivals >= most_arrivals || (sync.rounds.size() >= most_words && !sync.rounds.contains(word)))
    return;
  SyncState::Rounds& rounds = sync.rounds[word];
  if (rounds.launch != x.grid->launch) rounds = {.launch = x.grid->launch};
  const auto [found, first] = rounds.arrivals.try_emplace(x.block->linear);
  sync.arrivals += first;
  auto& arrival = found->second;
  if (arrival.looked && arrival.round == rounds.round) {
    rounds.ended = last;
    ++rounds.round;
  }
  arrival = {rounds.round, false};
}

/// The write that a look of the block at a word waits for; null: none.
const SyncState::Writer* awaited(SyncState& sync, const Block& b, uint64_t word) {
  const auto last = sync.writers.find(word);
  if (last == sync.writers.end()) return nullptr;
  const auto rounds = sync.rounds.find(word);
  if (rounds == sync.rounds.end() || rounds->second.launch != b.grid->launch) return &last->second;
  const auto own = rounds->second.arrivals.find(b.linear);
  if (own == rounds->second.arrivals.end()) return &last->second;
  own->second.looked = true;
  return own->second.round < rounds->second.round ? &rounds->second.ended : &last->second;
}

}  // namespace

void note_writer(Exec& x, uint64_t address, bool sets) {
  SyncState::Writer& w = x.machine->sync().writers[address / 4];
  if (!sets) note_arrival(x, address / 4, w);
  const bool again = w.sets > 0 && w.launch == x.grid->launch && w.block == x.block->linear;
  w = {x.grid->launch, x.warp->index, x.warp->trace ? x.warp->trace->passed() : 0, x.block->linear,
       sets ? (again ? w.sets + 1 : 1) : 0};
}

void note_look(Exec& x, const Span& span) {
  SyncState& sync = x.machine->sync();
  const uint32_t launch = x.grid->launch;
  if (!sync.stepwise.contains(launch)) {
    bool found = false;
    DOJO_FOR_LANES(l, span.mask) {
      const auto it = sync.writers.find(span.at(l) / 4);
      found |= it != sync.writers.end() && it->second.sets > 1 && it->second.launch == launch &&
               it->second.block != x.block->linear;
    }
    if (!found) return;
    sync.stepwise.insert(launch);
  }
  const uint64_t address = span.at(uint32_t(std::countr_zero(span.mask)));
  const auto [last, first] = sync.last_look.try_emplace(x.warp, address);
  if (!first && last->second == address) return;  // it waits: the spin check must see that nothing changes
  last->second = address;
  x.slice = -1;
}

void note_strong_write(Exec& x, const Inst* p, uint64_t flag, uint32_t lane) {
  SyncState& sync = x.machine->sync();
  const AccessTraits& traits = x.machine->traits(p->access);
  SyncState::Flag& f = sync.flags[flag];
  Block& b = *x.block;
  Release r;
  r.ticket = b.ticket;
  r.thread = thread_index(x, int(lane));
  r.epoch = epoch_of(x);
  r.barrier = barrier_of(b);
  r.sync = sync_of(x);
  r.scope = traits.scope;
  auto it = sync.acquired.find(b.ticket);
  r.acquired = it == sync.acquired.end() ? 0 : it->second.count;
  if (!traits.swaps && f.held.ticket == r.ticket && f.held.thread == r.thread) {
    if (!traits.takes_lock) r.lock = f.held.epoch;
    f.held = {};
  }
  f.by_ticket[r.ticket].push_back(uint32_t(f.releases.size()));
  f.releases.push_back(r);
  ++sync.noted;
}

void note_strong_read(Exec& x, const Inst* p, uint64_t flag, uint32_t lane, uint64_t write_tag) {
  SyncState& sync = x.machine->sync();
  const AccessTraits& traits = x.machine->traits(p->access);
  SyncState::Flag& f = sync.flags[flag];
  Block& b = *x.block;
  if (write_tag && !(write_tag & Tag::strong_bit)) {
    // The flag was set by a plain store: it publishes what a fence before it covers.
    const uint32_t ticket = uint32_t(Tag::ticket(write_tag));
    auto& mine = f.by_ticket[ticket];
    if (mine.empty() || f.releases[mine.back()].epoch != Tag::stamp(write_tag)) {
      Release r;
      r.ticket = ticket;
      r.thread = Tag::thread(write_tag);
      r.epoch = r.barrier = r.sync = uint32_t(Tag::stamp(write_tag));
      auto it = sync.acquired.find(ticket);
      r.acquired = it == sync.acquired.end() ? 0 : it->second.count;
      mine.push_back(uint32_t(f.releases.size()));
      f.releases.push_back(r);
      ++sync.noted;
    }
  }
  SyncState::Acquired& all = sync.acquired[b.ticket];
  std::vector<Acquire>& list = all.by_flag[flag];
  Acquire a;
  a.order = all.count;
  a.version = uint32_t(f.releases.size());
  a.thread = thread_index(x, int(lane));
  a.epoch = epoch_of(x);
  a.acquires = traits.acquires;
  a.lock = traits.takes_lock;
  a.observes = !traits.is_volatile || traits.polls;
  a.scope = traits.scope;
  if (!list.empty() && list.back().order + 1 == all.count && list.back().thread == a.thread &&
      list.back().epoch == a.epoch) {
    a.order = list.back().order;
    list.back() = a;
  } else {
    ++all.count;
    list.push_back(a);
    ++sync.noted;
  }
}

void note_fence(Exec& x, uint32_t lanes, Scope scope) {
  if (!x.machine || !x.tracked) return;
  SyncState& sync = x.machine->sync();
  const Block& b = *x.block;
  sync.fences[warp_key(b.ticket, x.warp->index * 32)].push_back(
      {epoch_of(x), barrier_of(b), sync_of(x), lanes, scope});
  ++sync.noted;
  if (scope != Scope::block) {
    std::vector<uint32_t>& fenced = sync.fenced[b.ticket];
    if (fenced.empty() || fenced.back() != barrier_of(b)) fenced.push_back(barrier_of(b));
  }
  next_epoch(x);
}

void note_lock(Exec& x, const Inst* p, uint64_t address, uint32_t lane) {
  const AccessTraits& traits = x.machine->traits(p->access);
  if (!traits.takes_lock || traits.acquires) return;  // one that acquires orders what follows by itself
  const bool shared = window::in(address, window::shared);
  if (shared && !x.shared_flags) return;
  const uint64_t flag = shared ? shared_flag(*x.block, address - window::shared) : global_flag(address);
  next_epoch(x);
  Release& held = x.machine->sync().flags[flag].held;
  held.ticket = x.block->ticket;
  held.thread = thread_index(x, int(lane));
  held.epoch = epoch_of(x);
}

namespace {
/// Words that an exchange set, beside the flags: `held` says by whom, and its `lock` by which access.
constexpr uint64_t set_bit = uint64_t(1) << 62;
}  // namespace

void note_set(Exec& x, uint64_t flag, uint32_t lane, uint32_t access) {
  Release& by = x.machine->sync().flags[flag | set_bit].held;
  by.ticket = x.block->ticket;
  by.thread = thread_index(x, int(lane));
  by.epoch = epoch_of(x);
  by.lock = access;
}

uint64_t last_set(Exec& x, uint64_t flag) {
  auto& flags = x.machine->sync().flags;
  if (flags.empty()) return 0;
  auto it = flags.find(flag | set_bit);
  if (it == flags.end()) return 0;
  const Release& by = it->second.held;
  return Tag::make(by.ticket, by.epoch, by.thread, true, by.lock);
}

namespace {

/// How far an acquisition carries: not at all, to threads of the block, to all.
enum class Reach : uint8_t { none, block, device };

/// Looks for a release of the other access that this block has acquired, itself or through up to three more
/// releases.
struct Search {
  SyncState& sync;
  uint64_t flag;                      ///< of the word that both access
  uint64_t other;                     ///< tag
  static constexpr int kLookup = 16;  ///< what finding a flag or a block costs
  static constexpr int kMost = 20000 * kLookup;
  int budget = kMost;  ///< in releases compared
  static constexpr int kDepth = 3;
  /// How many acquisitions of a block were searched, by depth: fewer are not looked at again from as deep or
  /// deeper.
  std::unordered_map<uint32_t, std::array<uint32_t, kDepth + 1>> seen = {};

  /// A thread's fences in [from, to), the latest first: does one of at least `scope` satisfy `fits`?
  template <class Fits>
  bool fenced(uint32_t ticket, uint32_t thread, uint32_t from, uint32_t to, Scope scope, const Fits& fits) {
    auto it = sync.fences.find(warp_key(ticket, thread));
    if (it == sync.fences.end()) return false;
    const std::vector<Fence>& list = it->second;
    auto end = std::partition_point(list.begin(), list.end(), [&](const Fence& f) { return f.epoch < to; });
    for (auto f = std::make_reverse_iterator(end); f != list.rend() && f->epoch >= from; ++f) {
      if (--budget < 0) return true;
      if ((f->lanes >> (thread & 31) & 1) && (scope == Scope::block || f->scope != Scope::block) && fits(*f))
        return true;
    }
    return false;
  }
  static bool any_fence(const Fence&) { return true; }

  /// Is the other access published by a release to threads at this distance?
  bool published(const Release& r, Scope scope) {
    const uint32_t ticket = r.ticket, stamp = uint32_t(Tag::stamp(other)), thread = Tag::thread(other);
    const bool same_thread = thread == r.thread, same_warp = thread / 32 == r.thread / 32;
    // In a critical section that was entered without a fence: had the others been first, nothing would order
    // what they did before this access.
    if (r.lock && same_thread && stamp >= r.lock && r.barrier <= r.lock &&
        !fenced(ticket, thread, r.lock, stamp, scope, any_fence))
      return false;
    // By a fence of the thread that releases.
    if (fenced(ticket, r.thread, 0, r.epoch, scope, [&](const Fence& f) {
          return same_thread ? stamp <= f.epoch : stamp < f.barrier || (same_warp && stamp < f.sync);
        }))
      return true;
    // By a fence of the thread that accessed, and then a barrier.
    if (!same_thread &&
        fenced(ticket, thread, stamp, same_warp ? std::max(r.sync, r.barrier) : r.barrier, scope, any_fence))
      return true;
    // By any thread's fence between two barriers.
    if (auto it = sync.fenced.find(ticket); it != sync.fenced.end()) {
      auto last = std::lower_bound(it->second.begin(), it->second.end(), r.barrier);
      if (last != it->second.begin() && stamp < *(last - 1)) return true;
    }
    return false;
  }
  /// Of a block's releases of a flag, how many came before a version; they are in the order of time.
  static size_t before(const std::vector<uint32_t>& releases, uint32_t version) {
    return size_t(std::lower_bound(releases.begin(), releases.end(), version) - releases.begin());
  }
  static Reach any(const Acquire&) { return Reach::device; }

  /// Did one of a block's first `n` acquisitions see a release that covers the access? `usable`: how far an
  /// acquisition carries.
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
      auto f = sync.flags.find(address);
      if (f == sync.flags.end()) continue;
      // A later acquisition of a flag saw all that an earlier one did: the last of each reach will do.
      auto end =
          std::partition_point(list.begin(), list.end(), [&](const Acquire& a) { return a.order < n; });
      Reach tried = Reach::none;
      for (auto a = std::make_reverse_iterator(end); a != list.rend() && tried != Reach::device; ++a) {
        if (--budget < 0) return true;
        const Reach reach = usable(*a);
        if (reach <= tried) continue;
        tried = reach;
        if (seen_by(address, f->second, *a, ticket, reach, depth)) return true;
      }
    }
    return false;
  }
  /// Does a release of the flag that was there at `a` cover the access, by itself or by what was acquired
  /// before it?
  bool seen_by(uint64_t address, const SyncState::Flag& f, const Acquire& a, uint32_t ticket, Reach reach,
               int depth) {
    const uint32_t others = uint32_t(Tag::ticket(other));
    // Both sides must name a scope that holds the other.
    const auto meets = [&](uint32_t releaser, Scope scope) {
      return releaser == ticket ||
             (reach == Reach::device && a.scope != Scope::block && scope != Scope::block);
    };
    if (auto direct = f.by_ticket.find(others); direct != f.by_ticket.end())
      for (size_t k = before(direct->second, a.version); k-- > 0;) {  // the last is the likeliest
        if (--budget < 0) return true;
        const Release& r = f.releases[direct->second[k]];
        if (!meets(others, r.scope)) continue;
        // What an atomic or a polling load saw of this very word is before what follows it.
        if (address == flag && a.observes && (other & Tag::strong_bit) && r.thread == Tag::thread(other) &&
            r.epoch == Tag::stamp(other))
          return true;
        if (published(r, others == ticket ? Scope::block : Scope::device)) return true;
      }
    if (depth >= kDepth) return false;
    // Through another block that had acquired before it released, or another thread of the same: the last
    // release has all that was acquired.
    for (auto& [through, releases] : f.by_ticket) {
      if (through == ticket && depth) continue;
      if ((budget -= kLookup) < 0) return true;
      size_t k = before(releases, a.version);
      if (through == ticket)  // by another thread
        while (k && f.releases[releases[k - 1]].thread == a.thread && --budget >= 0) --k;
      if (!k || !meets(through, f.releases[releases[k - 1]].scope)) continue;
      const uint32_t acquired = f.releases[releases[k - 1]].acquired;
      if (acquired && reached(through, acquired, any, depth + 1)) return true;
    }
    return false;
  }
};

}  // namespace

bool ordered_by_flags(Exec& x, uint64_t flag, uint64_t other, uint32_t thread, bool strong, uint64_t pair) {
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
  const uint32_t barrier = barrier_of(b), own = sync_of(x);
  Search search{sync, flag, other};
  // An acquisition reaches this access by a fence behind it (or as it acquires by itself). A barrier behind
  // it does as well; so does none where this access is volatile or atomic, and the acquisition takes no lock.
  const auto usable = [&](const Acquire& a) {
    if (a.epoch < barrier || (a.thread / 32 == thread / 32 && a.epoch < own)) return Reach::device;
    if (a.thread != thread) return Reach::none;
    if (a.acquires || (strong && !a.lock)) return Reach::device;
    if (search.fenced(b.ticket, thread, a.epoch, ~0u, Scope::device, Search::any_fence)) return Reach::device;
    if (search.fenced(b.ticket, thread, a.epoch, ~0u, Scope::block, Search::any_fence)) return Reach::block;
    return Reach::none;
  };
  const bool found = search.reached(b.ticket, ~0u, usable, 0);
  sync.searched += Search::kMost - search.budget;
  if (search.budget >= 0) return found;
  sync.tangled.insert(pair);  // too long to tell: not reported
  return true;
}

void note_wake(Exec& x, Block& b, Warp& w, uint64_t address) {
  if (!b.trace || !w.trace) return;
  SyncState& sync = x.machine->sync();
  const SyncState::Writer* by = awaited(sync, b, address / 4);
  if (!by || (by->launch == b.grid->launch && by->block == b.linear)) return;
  auto& wakes = b.trace->wakes;
  // A loop that looks again and again waits for the last writer it saw.
  if (!wakes.empty() && wakes.back().warp == w.index && wakes.back().by_launch == by->launch &&
      wakes.back().by_block == by->block)
    return;
  b.grid->trace->spin_coupled = true;
  Wake wake;
  wake.warp = w.index;
  wake.step = w.trace->passed();
  wake.by_launch = by->launch;
  wake.by_block = by->block;
  wake.by_warp = by->warp;
  wake.by_step = by->step;
  wakes.push_back(wake);
}

}  // namespace dojo::simt
