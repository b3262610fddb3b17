// Asynchronous copies. They are made at once, so that a wait for a group never has to wait, and an mbarrier
// is told in the same instruction.
#include <fmt/format.h>

#include "simt/checks/shadow.hpp"
#include "simt/checks/shadow_cluster.hpp"
#include "simt/ops/async/mbarriers.hpp"
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

const Inst* nothing(const Inst* p, Exec&) { return p + 1; }

/// The offsets of an instruction with two addresses, which may be below 0.
uint64_t first_offset(const Inst* p) { return uint64_t(int64_t(int32_t(uint32_t(p->imm)))); }
uint64_t second_offset(const Inst* p) { return uint64_t(int64_t(int32_t(uint32_t(p->imm >> 32)))); }

/// cp.async: a: shared address, b: global address, c: source size slot + 1 (0: all); width: bytes a lane.
/// wide: bit 0 shared address, bit 1 global address. imm: offsets, shared low, global high.
const Inst* copy_async(const Inst* p, Exec& x) {
  const uint32_t n = p->width;
  AccessCount& c = x.access[p->access];
  alignas(32) uint64_t to[32], from[32];
  std::byte *dst[32], *src[32];
  uint32_t size[32], reading = 0;
  DOJO_FOR_LANES(l, x.mask) {
    to[l] = plain_shared(lane_address(x, p->a, p->wide & 1, l, first_offset(p)));
    from[l] = lane_address(x, p->b, p->wide & 2, l, second_offset(p));
    size[l] = p->c ? std::min(n, uint32_t(x.slot<u32a>(p->c - 1)[l])) : n;
    if (size[l]) reading |= 1u << l;
    dst[l] = shared_bytes(x, to[l], to[l] + n);
    if (!dst[l] || (to[l] & (n - 1))) bad_access(x, p, to[l], n, l, true, Space::shared);
    src[l] = size[l] ? global_bytes(x, c, from[l], from[l] + size[l], false) : dst[l];
    if (!src[l] || (size[l] && (from[l] & (n - 1)))) bad_access(x, p, from[l], n, l, false, Space::global);
  }
  Span g, s;
  if (reading) {
    find_span(g, from, reading);
    count_global(x, p, c, g, LineAccess::load);
    if (x.checks) {
      bool whole = true;
      DOJO_FOR_LANES(l, reading) whole &= size[l] == n;
      if (whole) check_global(x, p, c, g, n, false, false);
    }
  }
  find_span(s, to, x.mask);
  if (x.checks) check_shared(x, p, s, n, true, false);
  DOJO_FOR_LANES(l, x.mask) {
    note_copy(x, p, l, to[l], n);
    if (size[l] < n) std::memset(dst[l] + size[l], 0, n - size[l]);
    if (size[l]) std::memcpy(dst[l], src[l], size[l]);
  }
  x.wrote = true;
  return p + 1;
}

/// sub: 0 commits a group, 1 waits for all but the last imm groups.
const Inst* copy_group(const Inst* p, Exec& x) {
  if (p->sub == 0)
    note_copy_group(x, x.mask);
  else
    note_copy_wait(x, x.mask, uint32_t(p->imm));
  return p + 1;
}

/// The lines of a bulk copy at `global`: the L2 and DRAM see them, the L1 and its counters do not. They are
/// added to `c`, which becomes the event of the whole instruction.
void count_bulk(Exec& x, const Inst* p, AccessCount& c, uint64_t global, uint64_t n, bool load) {
  Span s;
  s.base = s.low = s.high = global, s.stride = n, s.mask = 1, s.affine = true;
  uint32_t sectors = 0, lines = 0;
  global_sectors(s, uint32_t(n), &sectors, &lines);
  c.bulk_bytes += n;
  ++c.lanes;
  c.sectors = uint16_t(std::min<uint32_t>(c.sectors + sectors, UINT16_MAX));
  c.lines = uint16_t(std::min<uint32_t>(c.lines + lines, UINT16_MAX));
  if (x.want_log) log_lines(x, p, s, uint32_t(n), load ? LineAccess::load_volatile : LineAccess::store);
}

/// Of a bulk copy whose addresses and size are not all multiples of 16 bytes, or whose mbarrier is not of 8
/// (PTX ISA, cp.async.bulk): ends the run.
[[noreturn]] void misaligned_bulk(Exec& x, const Inst* p, uint32_t l, uint64_t shared, uint64_t global,
                                  uint64_t n, uint64_t barrier) {
  const bool to_shared = p->sub == 0;
  const std::string who = subject(x, l), rule = "cp.async.bulk needs 16-byte aligned addresses.";
  if (shared & 15)
    misaligned(
        x, p, shared, l, Space::shared,
        {who + (to_shared ? " copies to" : " copies from"), 16, rule + " Declare the array as alignas(16)."});
  if (global & 15)
    misaligned(x, p, global, l, Space::global, {who + (to_shared ? " copies from" : " copies to"), 16, rule});
  if (barrier & 7)
    misaligned(x, p, barrier, l, Space::shared,
               {who + " signals the mbarrier at", 8, "An mbarrier is a 64-bit object."});
  stop(x, finding(x, p, FindingKind::misaligned,
                  fmt::format("{} copies {} bytes. cp.async.bulk needs a multiple of 16 bytes.", who, n),
                  int(l)));
}

/// cp.async.bulk shared <- global, 1-D: a: to, b: from, c: size slot, d + target: the mbarrier.
const Inst* copy_bulk(const Inst* p, Exec& x) {
  const bool to_shared = p->sub == 0;
  AccessCount& look = x.access[p->access];
  look.lanes = look.sectors = look.lines = 0;
  DOJO_FOR_LANES(l, x.mask) {
    const uint64_t n = x.slot<u32a>(p->c)[l];
    uint64_t shared = plain_shared(lane_address(x, to_shared ? p->a : p->b, p->wide & (to_shared ? 1 : 2), l,
                                                to_shared ? first_offset(p) : second_offset(p)));
    uint64_t global = lane_address(x, to_shared ? p->b : p->a, p->wide & (to_shared ? 2 : 1), l,
                                   to_shared ? second_offset(p) : first_offset(p));
    std::byte* s = shared_bytes(x, shared, shared + n);
    if (!n) continue;
    std::byte* g = global + n > global ? global_bytes(x, look, global, global + n, !to_shared) : nullptr;
    if (!s) bad_access(x, p, shared, uint32_t(n), l, to_shared, Space::shared);
    if (!g) bad_access(x, p, global, uint32_t(n), l, !to_shared, Space::global);
    const uint64_t barrier =
        p->flags & 1 ? lane_address(x, p->d, p->wide & 4, l, uint64_t(int64_t(p->target))) : 0;
    if ((shared | global | n) & 15 || barrier & 7)
      misaligned_bulk(x, p, l, shared, global, n, plain_shared(barrier));
    std::memcpy(to_shared ? s : g, to_shared ? g : s, n);
    count_bulk(x, p, look, global, n, to_shared);
    if (x.checks && !to_shared) check_bulk_store(x, p, l, shared, n);
    if (x.checks && to_shared) check_peer_started(x, p, l, shared, true);
    if (x.checks && to_shared && shared + n <= x.block->shared_bytes) {
      // Who reads it waits on the mbarrier: written before everything. (In another block of the cluster: not
      // noted.)
      const uint32_t grain = x.block->shadow.grain;
      for (uint64_t k = shared / grain; k <= (shared + n - 1) / grain; ++k)
        x.block->shadow.write[k] = x.block->first_stamp << 10;
    }
    if (p->flags & 1) complete_transaction(x, p, l, plain_shared(barrier), n);
  }
  if (look.lanes) {
    x.block->summary.global_sectors += look.sectors;
    look.shape_hash = look.sectors * 0xD6E8FEB86659FD93ull + look.lanes;
    note_access(x, p, look, 1);
    if (x.warp->trace) x.warp->trace->events.back().rounds = uint16_t(std::popcount(x.mask));
    if (x.warp->trace && to_shared)
      trace_mbarrier(x, plain_shared(lane_address(x, p->d, p->wide & 4, uint32_t(std::countr_zero(x.mask)),
                                                  uint64_t(int64_t(p->target)))));
  }
  one_lane_a_round(x, look);
  x.wrote = true;
  return p + 1;
}

void cp(Decoder& d) {
  if (d.host) d.refuse("asynchronous copies in host code");
  if (!d.has("async")) d.refuse("this copy");
  if (d.has("tensor") || d.has("reduce") || d.has("prefetch") || d.has("multicast::cluster"))
    d.refuse(
        "TMA copies of tensors, reductions and multicasts are not modelled: cp.async.bulk in one dimension "
        "is");
  if (d.has("commit_group") || d.has("wait_group") || d.has("wait_all") || d.has("arrive")) {
    if (d.has("arrive") && d.has("mbarrier")) {
      // cp.async.mbarrier.arrive: the copies are done; .noinc counts as an arrival.
      // Who waits on the mbarrier waits for the copies.
      Inst& arrival = d.emit(copy_group);
      arrival.sub = 1, arrival.imm = ~0u;
      if (d.has("noinc")) arrive_decode(d, d.op(0));
      return;
    }
    if (d.has("bulk")) return void(d.emit(nothing));
    Inst& i = d.emit(copy_group);
    i.sub = d.has("commit_group") ? 0 : 1;
    i.imm = d.has("wait_group") ? d.op(0).value : ~0u;
    return;
  }
  bool wa, wb;
  uint64_t ia, ib;
  uint32_t a = d.address(d.op(0), &wa, &ia), b = d.address(d.op(1), &wb, &ib);
  if (d.has("bulk")) {
    if (d.ins->parts.size() < 5) d.refuse("a bulk copy without its state spaces");
    const std::string& first = d.ins->parts[3];
    const bool to_shared = first.rfind("shared", 0) == 0;
    uint32_t n = d.src(2, Type::b32), mbarrier_slot = 0;
    bool wide = false;
    uint64_t offset = 0;
    if (to_shared && d.operands() > 3) mbarrier_slot = d.address(d.op(3), &wide, &offset);
    Inst& i = d.emit(copy_bulk, mbarrier_slot, a, b, n);
    i.sub = to_shared ? 0 : 1;
    i.flags = to_shared && d.operands() > 3;
    i.target = int32_t(offset);
    i.access = d.access();
    i.wide = uint8_t((wa ? 1 : 0) | (wb ? 2 : 0) | (wide ? 4 : 0));
    i.imm = uint32_t(ia) | ib << 32;
    return;
  }
  const ptx::Operand& size = d.op(2);
  if (size.kind != ptx::OperandKind::imm || (size.value != 4 && size.value != 8 && size.value != 16))
    d.refuse("a copy of another size than 4, 8 or 16 bytes");
  uint32_t n = uint32_t(size.value), c = 0;
  if (d.operands() > 3 && d.op(3).kind != ptx::OperandKind::imm && ptx::bits(d.reg_type(d.op(3))) == 32)
    c = d.src(3, Type::b32) + 1;
  else if (d.operands() > 3 && d.op(3).kind == ptx::OperandKind::imm)
    c = d.src(3, Type::b32) + 1;
  Inst& i = d.emit(copy_async, 0, a, b, c);
  i.kind = Kind::memory;
  i.width = uint8_t(n);
  i.space = Space::global;
  i.wide = uint8_t((wa ? 1 : 0) | (wb ? 2 : 0));
  i.imm = uint32_t(ia) | ib << 32;
  i.access = d.access();
}

constexpr Family kAsyncFamilies[] = {{"cp", c_any, cp}};

}  // namespace

std::span<const Family> async_families() { return kAsyncFamilies; }

}  // namespace dojo::simt
