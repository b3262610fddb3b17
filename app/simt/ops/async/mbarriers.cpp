// mbarriers: 64-bit words in shared memory. Bit 63 is the phase; bits 0-19 are the arrivals that it still
// expects, bits 20-39 their number, bits 40-60 the bytes of transactions that it still expects, which may be
// below 0.
#include "simt/ops/async/mbarriers.hpp"

#include <fmt/format.h>

#include <utility>

#include "simt/checks/barrier_starts.hpp"
#include "simt/checks/shadow.hpp"
#include "simt/ops/emitters.hpp"
#include "simt/ops/lanes.hpp"
#include "simt/state/access.hpp"
#include "simt/state/alignment.hpp"
#include "simt/state/element_names.hpp"
#include "simt/state/findings.hpp"
#include "simt/state/spins.hpp"

namespace dojo::simt {

namespace {

using ptx::Space;
using ptx::Type;

enum Mbar : uint8_t { m_init, m_inval, m_arrive, m_expect, m_complete, m_test, m_pending };
enum MbarFlag : uint8_t { f_count = 1, f_parity = 2, f_drop = 4, f_bytes = 8 };
constexpr uint64_t count_bits = 0xfffff, byte_bits = 0x1fffff;
constexpr int byte_shift = 40;

/// Of transactions that the phase still waits for. Below 0: they were done before they were expected.
int64_t bytes_expected(uint64_t w) { return int64_t(w << 3) >> (3 + byte_shift); }

uint64_t with_more_bytes(uint64_t w, int64_t bytes) {
  const uint64_t left = uint64_t(bytes_expected(w) + bytes) & byte_bits;
  return (w & ~(byte_bits << byte_shift)) | left << byte_shift;
}

/// The phase ends when all have arrived and all bytes are there. False: it goes on.
bool end_phase(uint64_t& w) {
  if (w & count_bits || bytes_expected(w) != 0) return false;
  w = ((w ^ uint64_t(1) << 63) & ~count_bits) | (w >> 20 & count_bits);
  return true;
}

/// The block in whose shared memory a place lies; null: it has ended.
Block* block_of(const Exec& x, uint64_t place) {
  const Cluster* c = x.block->cluster;
  const uint64_t rank = cta_of(place);
  if (!c || !rank) return x.block;
  return rank <= c->blocks.size() ? c->blocks[rank - 1] : nullptr;
}

/// A transaction has ended a phase, and that orders what came before it. What the warp does from here on
/// comes later.
void order_behind_transaction(Exec& x, uint64_t place) {
  Block* owner = block_of(x, place);
  if (!owner) return;
  const uint32_t before = std::exchange(owner->barrier_stamp, ++owner->stamp);
  if (owner != x.block) return;
  x.warp->epoch = owner->stamp;
  if (x.checks) keep_barrier_start(x, place, before);
}

uint64_t mbarrier_place(Exec& x, const Inst* p, uint32_t lane) {
  return plain_shared(lane_address(x, p->a, p->wide & 1, lane, p->imm));
}

/// All lanes before the first one arrives: that orders what follows.
void check_mbarriers(Exec& x, const Inst* p) {
  uint64_t settled = ~uint64_t(0);  // the last that all threads may use
  DOJO_FOR_LANES(l, x.mask) {
    const uint64_t place = mbarrier_place(x, p, l);
    if (p->sub == m_init)
      note_barrier_start(x, p, l, place);
    else if (p->sub == m_inval)
      forget_barrier_start(x, place);
    else if (place != settled && check_barrier_use(x, p, l, place))
      settled = place;
  }
}

const Inst* mbarrier(const Inst* p, Exec& x) {
  bool waits = false;
  if (x.checks) check_mbarriers(x, p);
  if (p->sub == m_init) one_lane_a_round(x, x.access[p->access]);
  if (p->sub == m_test && x.warp->trace && !x.warp->trace->steps.empty()) {
    AccessCount wait;
    wait.lanes = uint16_t(std::popcount(x.mask));
    trace_access(x, p, wait, 0);
    trace_mbarrier(x, mbarrier_place(x, p, uint32_t(std::countr_zero(x.mask))));
  }
  DOJO_FOR_LANES(l, x.mask) {
    const uint64_t a = mbarrier_place(x, p, l);
    std::byte* at = shared_bytes(x, a, a + 8);
    if (x.block->cluster && cta_of(a)) x.block->cluster->signals = true;
    if (!at || (a & 7)) bad_access(x, p, a, 8, l, p->sub != m_test, Space::shared);
    uint64_t w;
    std::memcpy(&w, at, 8);
    const uint64_t before = w;
    switch (p->sub) {
      case m_init: {
        const uint64_t n = x.slot<u32a>(p->b)[l] & count_bits;
        w = n | n << 20;
        break;
      }
      case m_inval:
        w = 0;
        break;
      case m_arrive: {
        const uint64_t n = p->flags & f_count ? x.slot<u32a>(p->b)[l] : 1;
        if (p->d) x.slot<u64a>(p->d)[l] = w;
        // arrive_drop: one fewer is expected from the next phase on.
        if (p->flags & f_drop) {
          const uint64_t all = w >> 20 & count_bits;
          w = (w & ~(count_bits << 20)) | (all > n ? all - n : 0) << 20;
        }
        const uint64_t left = w & count_bits;
        w = (w & ~count_bits) | (left > n ? left - n : 0);
        if (p->flags & f_bytes) w = with_more_bytes(w, x.slot<u32a>(p->c)[l]);
        const bool ended = end_phase(w);
        // A phase that ends orders what came before it.
        x.warp->sync_stamp = x.warp->epoch = ++x.block->stamp;
        if (ended) {
          const uint32_t before = std::exchange(x.block->barrier_stamp, x.block->stamp);
          if (x.checks) keep_barrier_start(x, a, before);
        }
        break;
      }
      case m_expect:
      case m_complete: {
        const int64_t n = x.slot<u32a>(p->b)[l];
        w = with_more_bytes(w, p->sub == m_expect ? n : -n);
        if (end_phase(w)) order_behind_transaction(x, a);
        break;
      }
      case m_pending:
        x.slot<u32a>(p->d)[l] = uint32_t(w & count_bits);
        break;
      case m_test: {
        const uint64_t phase = p->flags & f_parity ? x.slot<u32a>(p->b)[l] & 1 : x.slot<u64a>(p->b)[l] >> 63;
        const bool done = (w >> 63) != phase;
        uint32_t& q = x.pred(p->d);
        q = done ? q | 1u << l : q & ~(1u << l);
        // Another block may have ended the phase.
        if (done && x.block->cluster && x.block->cluster->signals) x.block->peers_started = true;
        if (!done) {
          watch(x, window::shared + a, 8, at);
          waits = true;
        }
        break;
      }
    }
    if (w != before) {
      std::memcpy(at, &w, 8);
      x.wrote = true;
    }
  }
  // A GPU suspends a warp that waits. Here sixteen polls end its time slice, so that others can arrive.
  if (waits) x.slice -= x.quantum / 16;
  return p + 1;
}

void mbarrier_decode(Decoder& d) {
  if (d.host) d.refuse("an mbarrier in host code");
  const std::string& what = d.ins->parts.at(1);
  uint8_t sub;
  if (what == "init")
    sub = m_init;
  else if (what == "inval")
    sub = m_inval;
  else if (what == "arrive" || what == "arrive_drop")
    sub = m_arrive;
  else if (what == "expect_tx")
    sub = m_expect;
  else if (what == "complete_tx")
    sub = m_complete;
  else if (what == "test_wait" || what == "try_wait")
    sub = m_test;
  else
    d.refuse("mbarrier." + what);
  size_t at = 0;
  uint32_t out = 0;
  if (d.op(0).kind != ptx::OperandKind::address) {
    const ptx::Operand& o = d.op(0);
    if (o.kind == ptx::OperandKind::sink)
      out = 0;
    else
      out = sub == m_test ? d.pred_dst(o) : d.dst(o, Type::b64);
    at = 1;
  }
  bool wide;
  uint64_t imm;
  uint32_t a = d.address(d.op(at), &wide, &imm), b = 0, c = 0;
  uint8_t flags = 0;
  if (what == "arrive_drop") flags |= f_drop;
  if (sub == m_init || sub == m_expect || sub == m_complete) b = d.src(at + 1, Type::b32);
  if (sub == m_arrive && d.operands() > at + 1) {
    if (d.has("expect_tx"))
      c = d.src(at + 1, Type::b32), flags |= f_bytes;
    else
      b = d.src(at + 1, Type::b32), flags |= f_count;
  }
  if (sub == m_test) {
    const bool parity = d.has("parity");
    b = d.src(at + 1, parity ? Type::b32 : Type::b64);
    flags |= parity ? f_parity : 0;
  }
  Inst& i = d.emit(mbarrier, out, a, b, c);
  i.sub = sub;
  if (sub == m_init) i.access = d.access();
  i.flags = flags;
  i.imm = imm;
  i.wide = wide;
  i.width = 8;
}

// ---- st.async and red.async
// --------------------------------------------------------------------------------

/// Before the access: a, imm low: where it writes; b, imm high: the mbarrier that it signals. An mbarrier
/// orders the blocks from here on.
const Inst* async_start(const Inst* p, Exec& x) {
  DOJO_FOR_LANES(l, x.mask) {
    const uint64_t to = plain_shared(
                       lane_address(x, p->a, p->wide & 1, l, uint64_t(int64_t(int32_t(uint32_t(p->imm)))))),
                   barrier = plain_shared(lane_address(x, p->b, p->wide & 2, l,
                                                       uint64_t(int64_t(int32_t(uint32_t(p->imm >> 32))))));
    if (barrier & 7)
      misaligned(x, p, barrier, l, Space::shared,
                 {subject(x, l) + " signals the mbarrier at", 8, "An mbarrier is a 64-bit object."});
    const Block *of_data = block_of(x, to), *of_barrier = block_of(x, barrier);
    if (of_data != of_barrier)
      stop(x, finding(x, p, FindingKind::wrong_space,
                      fmt::format("{} writes to shared memory of one block and signals an mbarrier of "
                                  "another one. {} needs both in the same block: mapa with one rank.",
                                  subject(x, l), p->sub ? "red.async" : "st.async"),
                      int(l)));
    if (x.block->cluster && cta_of(barrier)) x.block->cluster->signals = true;
    if (x.checks) check_barrier_use(x, p, l, barrier);
  }
  return p + 1;
}

/// Behind the access: its bytes are there. a, imm: the mbarrier; target: bytes per lane.
const Inst* async_end(const Inst* p, Exec& x) {
  DOJO_FOR_LANES(l, x.mask)
  complete_transaction(x, p, l, mbarrier_place(x, p, l), uint64_t(p->target));
  return p + 1;
}

constexpr Family kMbarrierFamilies[] = {{"mbarrier", c_any, mbarrier_decode}};

}  // namespace

void complete_transaction(Exec& x, const Inst* p, uint32_t lane, uint64_t place, uint64_t bytes) {
  std::byte* at = shared_bytes(x, place, place + 8);
  if (!at || place & 7) bad_access(x, p, place, 8, lane, true, Space::shared);
  uint64_t w;
  std::memcpy(&w, at, 8);
  w = with_more_bytes(w, -int64_t(bytes));
  if (end_phase(w)) order_behind_transaction(x, place);
  std::memcpy(at, &w, 8);
  x.wrote = true;
}

void one_lane_a_round(const Exec& x, AccessCount& c) {
  const uint64_t further = uint64_t(std::popcount(x.mask)) - 1;
  c.rare += further, c.rare_lanes += further * (further + 1);
}

void trace_mbarrier(Exec& x, uint64_t place) {
  x.warp->trace->events.back().mbarrier = uint16_t(offset_in_cta(place) / 8);
}

void arrive_decode(Decoder& d, const ptx::Operand& barrier) {
  bool wide;
  uint64_t imm;
  const uint32_t a = d.address(barrier, &wide, &imm);
  Inst& i = d.emit(mbarrier, 0, a);
  i.sub = m_arrive;
  i.imm = imm;
  i.wide = wide;
  i.width = 8;
}

void async_start_decode(Decoder& d) {
  if (d.host) d.refuse("an asynchronous access in host code");
  if (!d.has("mbarrier::complete_tx::bytes") || d.operands() < 3)
    d.refuse("an asynchronous access without an mbarrier (of sm_100)");
  bool wide_to, wide_barrier;
  uint64_t to, barrier;
  const uint32_t a = d.address(d.op(0), &wide_to, &to), b = d.address(d.op(2), &wide_barrier, &barrier);
  Inst& i = d.emit(async_start, 0, a, b);
  i.sub = d.ins->meaning.op == ptx::Op::red;
  i.imm = uint32_t(to) | barrier << 32;
  i.wide = uint8_t((wide_to ? 1 : 0) | (wide_barrier ? 2 : 0));
  i.width = 8;
}

void async_end_decode(Decoder& d, uint32_t bytes) {
  bool wide;
  uint64_t imm;
  const uint32_t a = d.address(d.op(2), &wide, &imm);
  Inst& i = d.emit(async_end, 0, a);
  i.target = int32_t(bytes);
  i.imm = imm;
  i.wide = wide;
  i.width = 8;
}

std::span<const Family> mbarrier_families() { return kMbarrierFamilies; }

}  // namespace dojo::simt
