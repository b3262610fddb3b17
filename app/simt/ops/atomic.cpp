// atom and red of up to 64 bits, on shared, global and generic addresses: what a warp's lanes do, and what it
// costs where they meet. The arithmetic is in arithmetic/atomic_result.cpp.
#include <algorithm>
#include <array>
#include <atomic>
#include <bit>

#include "simt/checks/shadow.hpp"
#include "simt/ops/atomics.hpp"
#include "simt/ops/emitters.hpp"
#include "simt/ops/lanes.hpp"
#include "simt/state/access.hpp"
#include "simt/state/findings.hpp"
#include "simt/state/host_state.hpp"
#include "simt/state/spins.hpp"
#include "simt/state/supervisor.hpp"

namespace dojo::simt {

namespace {

using ptx::Space;
using ptx::Type;

bool is_floating(Type t) {
  return t == Type::f32 || t == Type::f64 || t == Type::f16 || t == Type::bf16 || t == Type::f16x2 ||
         t == Type::bf16x2;
}

/// Atomically, for blocks that run at once; the operation commutes and its result is unused.
template <class T>
void apply_shared_between_threads(std::byte* at, AtomicOp op, Type t, uint64_t b) {
  std::atomic_ref<T> word(*reinterpret_cast<T*>(at));
  switch (op) {
    case a_add:
      word.fetch_add(T(b), std::memory_order_relaxed);
      return;
    case a_and:
      word.fetch_and(T(b), std::memory_order_relaxed);
      return;
    case a_or:
      word.fetch_or(T(b), std::memory_order_relaxed);
      return;
    case a_xor:
      word.fetch_xor(T(b), std::memory_order_relaxed);
      return;
    default: {
      T old = word.load(std::memory_order_relaxed);
      while (
          !word.compare_exchange_weak(old, T(atomic_result(op, t, old, b, 0)), std::memory_order_relaxed)) {
      }
    }
  }
}

/// Calls `f(address, lanes)` for each address of the access, with how many lanes of `mask` meet there.
template <class F>
void for_each_address(const uint64_t* address, uint32_t mask, F f) {
  for (uint32_t left = mask; left;) {
    const uint64_t a = address[std::countr_zero(left)];
    uint32_t same = 0;
    for (uint32_t l = 0; l < 32; ++l) same |= uint32_t(address[l] == a) << l;
    same &= left;
    left &= ~same;
    f(a, std::popcount(same));
  }
}

/// The trace's event of this access, just entered; null if the warp is not traced.
MemoryEvent* traced_access(Exec& x, const Inst* p) {
  if (!x.warp->trace || x.warp->trace->events.empty()) return nullptr;
  MemoryEvent& e = x.warp->trace->events.back();
  return e.inst == p->ptx && !e.remote ? &e : nullptr;
}

/// Enters for each line that the request touches how long it holds its queue in the L2 (AtomicQueues): a
/// packet carries lanes on different words of one sector, so a sector takes as many as lanes meet on its
/// busiest word. The trace gets the packets of all lines.
void count_packets(Exec& x, const Inst* p, size_t first, const uint64_t* address, uint32_t width,
                   uint32_t mask) {
  struct Sector {
    uint64_t number;
    int words, most, least;  // words that are added to; lanes on the busiest of them, and on the least busy
  };
  std::array<Sector, 32> sectors;
  int n = 0;
  for_each_address(address, mask, [&](uint64_t a, int lanes) {
    int k = 0;
    while (k < n && sectors[size_t(k)].number != a / 32) ++k;
    if (k == n) sectors[size_t(n++)] = {a / 32, 0, 0, lanes};
    Sector& s = sectors[size_t(k)];
    ++s.words, s.most = std::max(s.most, lanes), s.least = std::min(s.least, lanes);
  });
  int packets = 0;
  for (size_t k = first; k < x.block->log.size(); ++k) {
    LineAccess& a = x.block->log[k];
    int partial = 0, full = 0;
    for (int i = 0; i < n; ++i) {
      const Sector& s = sectors[size_t(i)];
      if (s.number / 4 != a.line) continue;
      const int whole = uint32_t(s.words) * width >= 32 ? s.least : 0;
      full += whole, partial += s.most - whole;
    }
    a.turns = packet_turns(partial, full);
    packets += partial + full;
  }
  if (MemoryEvent* e = traced_access(x, p)) e->packets = uint16_t(packets);
}

/// An addition of floats in shared memory is a loop of load, addition and compare-and-swap. Per round one
/// lane of each address succeeds, so that a warp needs as many rounds as lanes meet on its busiest address.
/// (Other warps that change the address between load and swap cost further rounds, which are not counted.)
void count_rounds(Exec& x, const Inst* p, AccessCount& c, const uint64_t* address, uint32_t mask) {
  int rounds = 0;
  uint64_t waiting = 0;  // lanes in the rounds after the first, summed
  for_each_address(address, mask, [&](uint64_t, int lanes) {
    rounds = std::max(rounds, lanes);
    waiting += uint64_t(lanes) * uint64_t(lanes - 1) / 2;
  });
  c.rare += uint64_t(rounds - 1);
  c.rare_lanes += waiting;
  x.sig = fold(x.sig, uint64_t(rounds));
  if (MemoryEvent* e = traced_access(x, p)) e->rounds = uint16_t(rounds);
}

/// Blocks that take their work from a counter, one ticket after another, share it on a GPU. A warp that gets
/// two consecutive tickets lets the others run.
void take_ticket(Exec& x, const Inst* p, uint64_t old, uint64_t next) {
  auto& ticket = x.warp->ticket;
  if (ticket.at == p && ticket.next == old) x.slice = -1, x.shares_work = true;
  ticket = {p, next};
}

/// Warps of a GPU are interleaved. A warp whose lanes have tried to change words and did not all get them, by
/// a compare-and-swap or a minimum that tells them so, lets the others run before it tries elsewhere: so
/// insertions into a table go on probe by probe in all warps, not warp by warp. One that tries words again
/// that it tried lately waits for another warp, and the spin check must see that.
void try_elsewhere(Exec& x, const Inst* p, const uint64_t* address) {
  uint64_t words = fold(0, p->access);
  DOJO_FOR_LANES(l, x.mask) words = fold(words, address[l]);
  auto& tried = x.warp->tried;
  if (std::find(tried.begin(), tried.end(), words) != tried.end()) return;
  x.slice = -1, x.shares_work = true;
  std::rotate(tried.begin(), tried.begin() + 1, tried.end());
  tried.back() = words;
}

bool tells_of_failure(AtomicOp op) { return op == a_cas || op == a_min || op == a_max; }

constexpr uint8_t joined = 4;  // in Inst::wide: the machine code sends one addition a warp

const Inst* atomic(const Inst* p, Exec& x) {
  const uint32_t w = p->width;
  AccessCount& c = x.access[p->access];
  const AtomicOp op = AtomicOp(p->sub);
  const bool wide = p->wide & 2;
  alignas(32) uint64_t address[32];
  uint32_t shared = 0;
  if (x.host) {
    address[0] = x.slot<u64a>(p->a)[0] + p->imm;
  } else {
    DOJO_FOR_LANES(l, x.mask) {
      address[l] = lane_address(x, p->a, p->wide & 1, l, p->imm);
      if (p->space == Space::shared)
        shared |= 1u << l;
      else if (p->space == Space::none && window::in(address[l], window::shared))
        address[l] -= window::shared, shared |= 1u << l;
    }
  }
  std::byte* where[32];
  const bool logged = x.log_reds && is_floating(p->type);
  DOJO_FOR_LANES(l, x.mask) {
    const bool in_shared = shared >> l & 1;
    where[l] = in_shared ? shared_bytes(x, address[l], address[l] + w)
                         : global_bytes(x, c, address[l], address[l] + w, true, logged);
    if (!where[l] || (address[l] & (w - 1)))
      bad_access(x, p, address[l], w, l, true, in_shared ? Space::shared : Space::global);
  }
  if (x.host && c.region && c.region->owner >= Owner::pinned) x.host->mapped_reads += w;
  if (!x.host) {
    auto count = [&](uint32_t mask, bool is_shared) {
      if (!mask) return;
      Span s;
      find_span(s, address, mask);
      if (is_shared) {
        count_shared(x, p, c, s);
        if (is_floating(p->type) && op == a_add) count_rounds(x, p, c, address, mask);
        if (x.checks) check_shared(x, p, s, w, true, true);
      } else {
        const size_t first = x.block->log.size();
        count_global(x, p, c, s, is_floating(p->type) ? LineAccess::atomic_float : LineAccess::atomic);
        if (x.block->log.size() > first && !(p->wide & joined)) count_packets(x, p, first, address, w, mask);
        if (p->flags & flag::acquire) log_invalidation(x, p);
        if (x.checks) check_global(x, p, c, s, w, true, true);
      }
    };
    count(x.mask & shared, true);
    count(x.mask & ~shared, false);
  }
  auto operand = [&](uint32_t slot, uint32_t l) -> uint64_t {
    uint64_t v = wide ? uint64_t(x.slot<u64a>(slot)[l]) : uint64_t(x.slot<u32a>(slot)[l]);
    return w == 2 ? v & 0xffff : v;
  };
  bool failed = false;
  DOJO_FOR_LANES(l, x.mask) {
    const uint64_t b = operand(p->b, l);
    if (!x.host && !x.ordered && !(shared >> l & 1)) {
      // Blocks may run at once: only operations whose order doesn't show come here. Floats are added in block
      // order.
      const Block::RedLog red{address[l], b, p->type, uint8_t(in_global(op))};
      if (logged)
        log_red(x, red);
      else if (is_floating(p->type))
        apply_red(where[l], red);
      else if (w == 8)
        apply_shared_between_threads<uint64_t>(where[l], op, p->type, b);
      else
        apply_shared_between_threads<uint32_t>(where[l], op, p->type, b);
      continue;
    }
    uint64_t old = 0;
    std::memcpy(&old, where[l], w);
    const uint64_t next = atomic_result(x.host || (shared >> l & 1) ? op : in_global(op), p->type, old, b,
                                        op == a_cas ? operand(p->c, l) : 0);
    if (next != old) {
      std::memcpy(where[l], &next, w);
      x.wrote = true;
      if (x.tracked && x.checks) note_lock(x, p, address[l] + (shared >> l & 1 ? window::shared : 0), l);
    } else if (!x.host) {
      watch(x, address[l] + (shared >> l & 1 ? window::shared : 0), w, where[l]);
      failed = true;
      x.blind |= (p->flags & flag::unused) != 0;
    }
    if (!(p->flags & flag::unused)) {
      const bool alone = std::has_single_bit(x.mask & ~shared);
      if (op == a_add && next != old && x.ordered && alone) take_ticket(x, p, old, next);
      if (wide)
        x.slot<u64a>(p->d)[l] = old;
      else
        x.slot<u32a>(p->d)[l] = uint32_t(old);
    }
  }
  if (failed && !(p->flags & flag::unused) && tells_of_failure(op)) try_elsewhere(x, p, address);
  return p + 1;
}

void atom(Decoder& d) {
  const ptx::Meaning& m = d.ins->meaning;
  const bool red = m.op == ptx::Op::red;
  const bool async = d.has("async");
  const bool vector = d.has("v2") || d.has("v4") || d.has("v8");
  if (async && vector) d.refuse("an asynchronous reduction of vectors");
  if (async) async_start_decode(d);
  if (vector) return decode_vector_atomic(d);
  Type t = d.type();
  if (t == Type::b128) return decode_wide_atomic(d);
  if (t == Type::none) d.refuse("this type");
  const AtomicOp op = atomic_operation(d);
  const uint32_t w = uint32_t(ptx::bits(t) / 8);
  const size_t first = red ? 0 : 1;
  const Type as = w == 8 ? (t == Type::f64 ? t : Type::b64) : t == Type::f32 ? t : Type::b32;
  bool address_wide;
  uint64_t imm;
  uint32_t a = d.address(d.op(first), &address_wide, &imm);
  uint32_t b = d.src(d.op(first + 1), as), c = op == a_cas ? d.src(d.op(first + 2), as) : b;
  const bool unused = red || d.dst_unused(d.op(0));
  uint32_t out = unused ? 0 : d.dst(0, as);
  Inst& i = d.emit(atomic, out, a, b, c);
  i.kind = Kind::memory;
  i.imm = imm;
  i.wide = uint8_t((address_wide ? 1 : 0) | (w == 8 ? 2 : 0) | (d.joined() ? joined : 0));
  i.width = uint8_t(w);
  i.type = t;
  i.space = d.space();
  i.sub = op;
  i.flags = unused ? flag::unused : 0;
  if (m.releases()) i.flags |= flag::release;
  if (m.acquires() && m.scope != ptx::Scope::cta) i.flags |= flag::acquire;
  i.access = d.access();
  if (async) async_end_decode(d, w);
}

constexpr Family kAtomicFamilies[] = {{"atom", c_any, atom}, {"red", c_any, atom}};

}  // namespace

AtomicOp atomic_operation(Decoder& d) {
  switch (d.ins->meaning.change) {
    case ptx::Change::add:
      return a_add;
    case ptx::Change::min:
      return a_min;
    case ptx::Change::max:
      return a_max;
    case ptx::Change::inc:
      return a_inc;
    case ptx::Change::dec:
      return a_dec;
    case ptx::Change::and_:
      return a_and;
    case ptx::Change::or_:
      return a_or;
    case ptx::Change::xor_:
      return a_xor;
    case ptx::Change::exch:
      return a_exch;
    case ptx::Change::cas:
      return a_cas;
    case ptx::Change::none:
      break;
  }
  d.refuse("this atomic operation");
}

void log_red(Exec& x, const Block::RedLog& r) {
  Block& b = *x.block;
  b.reds.push_back(r);
  x.pending_reds = true;
  const auto holds = [&](const Region* known) { return known->contains(r.address, 1); };
  if (std::any_of(b.red_regions.begin(), b.red_regions.end(), holds)) return;
  b.red_regions.push_back(x.memory->find(r.address));
}

void meet_reds(Exec& x, uint64_t address) {
  for (const Region* r : x.block->red_regions)
    if (r->contains(address, 1)) x.machine->give_up_attempt();
}

void apply_red(std::byte* at, const Block::RedLog& r) {
  const uint32_t w = uint32_t(ptx::bits(r.type) / 8);
  uint64_t old = 0;
  std::memcpy(&old, at, w);
  uint64_t next = atomic_result(AtomicOp(r.op), r.type, old, r.value, 0);
  std::memcpy(at, &next, w);
}

std::span<const Family> atomic_families() { return kAtomicFamilies; }

}  // namespace dojo::simt
