// Barriers of a block and of a warp.
#include <fmt/format.h>

#include "simt/ops/emitters.hpp"
#include "simt/ops/members.hpp"
#include "simt/state/barriers.hpp"
#include "simt/state/findings.hpp"
#include "simt/state/splits.hpp"

namespace dojo::simt {

namespace {

using ptx::OperandKind;
using ptx::Type;

const Inst* bar(const Inst* p, Exec& x) {
  const int lane = std::countr_zero(x.mask);
  const uint32_t id = x.slot<u32a>(p->a)[lane], count = p->flags & 1 ? x.slot<u32a>(p->b)[lane] : 0;
  Block& block = *x.block;
  if (id > 15) {
    throw RunStopped(
        Status::finding,
        finding(x, p, FindingKind::barrier_divergence,
                fmt::format("Barrier {} doesn't exist: a block has barriers 0 to 15.", id), lane));
  }
  Barrier& b = block.barriers[id];
  if (b.arrived == 0) {
    b.first = p;
    b.first_thread = thread_index(x, lane);
    b.first_code = x.frame->code;
    b.expected = count;
  } else if (x.checks && (p->flags & 2) && !count && b.first != p && b.first_code == x.frame->code &&
             !b.expected) {
    Diagnostic d = finding(x, p, FindingKind::barrier_divergence,
                           "Threads of the block wait at different __syncthreads(): the barrier stands in a "
                           "branch that not all of them take. "
                           "Move it out of the branch.",
                           lane);
    d.related.push_back({place_of(*x.program, b.first_code->index, b.first->ptx), "others wait here",
                         block.index, thread_of(x, b.first_thread)});
    emit(x, std::move(d));
    b.first = p;
  }
  // Barriers with a count are counted by whole warps.
  const uint32_t here = count && x.mask == x.live ? 32 : uint32_t(std::popcount(x.mask));
  b.arrived += here;
  if (p->sub >= b_and) {
    uint32_t v = x.pred(p->c);
    if (p->flags & 4) v = ~v;
    v &= x.mask;
    b.votes_and &= uint32_t(v == x.mask);
    b.votes_or |= uint32_t(v != 0);
    b.votes_count += uint32_t(std::popcount(v));
  }
  const bool complete = b.arrived >= (b.expected ? b.expected : block.live_threads);
  if (p->sub == b_arrive) {
    if (complete) release_barrier(block, id, x.warp, &x.split);
    return p + 1;
  }
  x.warp->splits[size_t(x.split)].barrier = uint8_t(id);
  suspend(p, x, Wait::barrier);
  if (complete) {
    // Running splits keep their state in the warp: reload it.
    if (x.checks && !b.expected && block.live_threads < block.threads) report_exited(x, block, id);
    release_barrier(block, id);
  }
  return nullptr;
}

const Inst* warp_sync(const Inst* p, Exec& x) {
  return by_members(p, x, p->a, [&](uint32_t) { x.warp->sync_stamp = x.warp->epoch = ++x.block->stamp; });
}

void bar_decode(Decoder& d) {
  if (d.host) d.refuse("a barrier in host code");
  if (d.ins->meaning.scope == ptx::Scope::warp) {
    uint32_t a = d.src(0, Type::b32);
    d.emit(warp_sync, 0, a).kind = Kind::sync;
    return;
  }
  if (d.ins->meaning.scope == ptx::Scope::cluster) return cluster_barrier_decode(d);
  const bool red = d.has("red");
  const bool aligned = d.ins->meaning.op == ptx::Op::bar || d.has("aligned");
  size_t at = red ? 1 : 0;
  uint32_t a = d.src(d.op(at), Type::b32), b = 0, c = 0;
  bool count = false;
  uint8_t flags = 0;
  size_t next = at + 1;
  if (next < d.operands() && !(red && next + 1 == d.operands())) {
    b = d.src(d.op(next++), Type::b32);
    count = true;
  }
  if (red) {
    ptx::Operand pred = d.op(next);
    if (pred.negated) flags |= 4;
    pred.negated = false;
    c = d.pred_src(pred);
  }
  uint8_t kind = d.ins->meaning.side == ptx::Side::arrive ? b_arrive : b_sync;
  if (red) kind = d.has("popc") ? b_popc : d.has("and") ? b_and : b_or;
  uint32_t out = kind == b_popc ? d.dst(0, Type::b32) : red ? d.pred_dst(d.op(0)) : 0;
  Inst& i = d.emit(bar, out, a, b, c);
  i.kind = Kind::sync;
  i.sub = kind;
  i.flags = uint8_t(flags | (count ? 1 : 0) | (aligned ? 2 : 0));
}

constexpr Family kBarrierFamilies[] = {{"bar", c_any, bar_decode}, {"barrier", c_any, bar_decode}};

}  // namespace

std::span<const Family> barrier_families() { return kBarrierFamilies; }

}  // namespace dojo::simt
