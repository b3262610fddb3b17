// Barriers of a block and of a warp.
#include <fmt/format.h>

#include "simt/machine/machine_impl.hpp"
#include "simt/ops/members.hpp"

namespace dojo::simt {

void cluster_barrier_decode(Decoder&);

namespace {

using ptx::OperandKind;
using ptx::Type;

enum BarKind : uint8_t { b_sync, b_arrive, b_and, b_or, b_popc };

void store_vote(const Inst* p, Frame* f, uint32_t mask, const Barrier& b) {
  if (p->sub == b_popc) {
    DOJO_FOR_LANES(l, mask) reinterpret_cast<u32a*>(f->r + p->d)[l] = b.result_count;
  } else if (p->sub == b_and || p->sub == b_or) {
    uint32_t& d = *reinterpret_cast<uint32_t*>(f->r + p->d);
    d = (p->sub == b_and ? b.result_and : b.result_or) ? d | mask : d & ~mask;
  }
}

/// Everyone who waits at a barrier goes on. `runner`: the warp whose split number *running only arrives and
/// runs on; its place is kept up to date, and nobody joins it.
void release(Block& block, uint32_t id, const Warp* runner = nullptr, int* running = nullptr) {
  Barrier& b = block.barriers[id];
  b.result_and = b.votes_and;
  b.result_or = b.votes_or;
  b.result_count = b.votes_count;
  b.votes_and = ~0u;
  b.votes_or = b.votes_count = 0;
  b.arrived = b.expected = 0;
  b.first = nullptr;
  ++block.stamp;
  block.barrier_stamp = block.stamp;
  for (auto& w : block.warps) {
    w->sync_stamp = block.stamp;
    for (size_t i = 0; i < w->splits.size(); ++i) {
      Split& s = w->splits[i];
      if (s.wait != Wait::barrier || s.barrier != id) continue;
      s.wait = Wait::ready;
      store_vote(s.pc, s.frame, s.mask, b);
      ++s.pc;
      // Lanes that came one after the other go on together.
      for (size_t k = 0; k < i; ++k) {
        Split& t = w->splits[k];
        if (w.get() == runner && int(k) == *running) continue;
        if (t.wait == Wait::ready && t.pc == s.pc && t.frame == s.frame && t.conv == s.conv) {
          t.mask |= s.mask;
          w->splits.erase(w->splits.begin() + long(i));
          if (w.get() == runner && int(i) < *running) --*running;
          --i;
          break;
        }
      }
    }
  }
}

const Inst* bar(const Inst* p, Exec& x) {
  const int lane = std::countr_zero(x.mask);
  const uint32_t id = x.slot<u32a>(p->a)[lane], count = p->flags & 1 ? x.slot<u32a>(p->b)[lane] : 0;
  Block& block = *x.block;
  if (id > 15) {
    throw RunStopped(
        Status::finding,
        finding(x, p, "barrier_divergence",
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
    Diagnostic d = finding(x, p, "barrier_divergence",
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
    if (complete) release(block, id, x.warp, &x.split);
    return p + 1;
  }
  x.warp->splits[size_t(x.split)].barrier = uint8_t(id);
  suspend(p, x, Wait::barrier);
  if (complete) {
    // Running splits keep their state in the warp: reload it.
    if (x.checks && !b.expected && block.live_threads < block.threads) report_exited(x, block, id);
    release(block, id);
  }
  return nullptr;
}

const Inst* warp_sync(const Inst* p, Exec& x) {
  return by_members(p, x, p->a, [&](uint32_t) { x.warp->sync_stamp = ++x.block->stamp; });
}

void bar_decode(Decoder& d) {
  if (d.host) d.refuse("a barrier in host code");
  if (d.has("warp")) {
    uint32_t a = d.src(0, Type::b32);
    d.emit(warp_sync, 0, a).kind = Kind::sync;
    return;
  }
  if (d.has("cluster")) {
    return cluster_barrier_decode(d);
  }
  const bool red = d.has("red");
  const bool aligned = d.ins->parts[0] == "bar" || d.has("aligned");
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
  uint8_t kind = d.has("arrive") ? b_arrive : b_sync;
  if (red) kind = d.has("popc") ? b_popc : d.has("and") ? b_and : b_or;
  uint32_t out = kind == b_popc ? d.dst(0, Type::b32) : red ? d.pred_dst(d.op(0)) : 0;
  Inst& i = d.emit(bar, out, a, b, c);
  i.kind = Kind::sync;
  i.sub = kind;
  i.flags = uint8_t(flags | (count ? 1 : 0) | (aligned ? 2 : 0));
}

constexpr Family families[] = {{"bar", c_any, bar_decode}, {"barrier", c_any, bar_decode}};

}  // namespace

void report_exited(Exec& x, Block& block, uint32_t id) {
  const Barrier& b = block.barriers[id];
  if (!b.first || !b.first_code) return;
  // The first thread that is gone.
  uint32_t gone = 0;
  for (auto& w : block.warps) {
    if (uint32_t out = w->exists & ~w->live) {
      gone = w->index * 32 + uint32_t(std::countr_zero(out));
      break;
    }
  }
  Diagnostic d;
  d.kind = "barrier_divergence";
  d.where = place_of(*x.program, b.first_code->index, b.first->ptx);
  d.kernel = x.grid->code->fn->demangled;
  d.block = block.index;
  d.thread = thread_of(x, b.first_thread);
  d.message = fmt::format(
      "{} of the block's {} threads ended before this barrier and can never come to it. Let all threads "
      "reach every "
      "__syncthreads(): guard the work, not the barrier.",
      block.threads - block.live_threads, block.threads);
  d.related.push_back({d.where, "a thread that ended early", block.index, thread_of(x, gone)});
  emit(x, std::move(d));
}

void check_barriers(Exec& x, Block& block) {
  for (uint32_t id = 0; id < 16; ++id) {
    Barrier& b = block.barriers[id];
    if (!b.arrived || b.expected || !block.live_threads || b.arrived < block.live_threads) continue;
    if (x.checks) report_exited(x, block, id);
    release(block, id);
  }
}

std::span<const Family> barrier_families() { return families; }

}  // namespace dojo::simt
