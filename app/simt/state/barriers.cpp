#include "simt/state/barriers.hpp"

#include <fmt/format.h>

#include "simt/state/element_names.hpp"
#include "simt/state/findings.hpp"

namespace dojo::simt {

namespace {

void store_vote(const Inst* p, Frame* f, uint32_t mask, const Barrier& b) {
  if (p->sub == b_popc) {
    DOJO_FOR_LANES(l, mask) reinterpret_cast<uint32_t*>(f->r + p->d)[l] = b.result_count;
  } else if (p->sub == b_and || p->sub == b_or) {
    uint32_t& d = *reinterpret_cast<uint32_t*>(f->r + p->d);
    d = (p->sub == b_and ? b.result_and : b.result_or) ? d | mask : d & ~mask;
  }
}

}  // namespace

void release_barrier(Block& block, uint32_t id, const Warp* runner, int* running) {
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
    w->sync_stamp = w->epoch = block.stamp;
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
  d.kind = FindingKind::barrier_divergence;
  d.where = place_of(*x.program, b.first_code->index, b.first->ptx);
  d.kernel = x.grid->code->fn->demangled;
  d.block = block.index;
  d.thread = thread_of(x, b.first_thread);
  d.severity = Severity::warning;  // the source tells whether it is a mistake: run/verdict/early_return.hpp
  d.message = fmt::format("{} of the block's {} threads ended without reaching this barrier, {} among them.",
                          block.threads - block.live_threads, block.threads,
                          thread_name(x.grid->block, thread_of(x, gone)));
  emit(x, std::move(d));
}

void check_barriers(Exec& x, Block& block) {
  for (uint32_t id = 0; id < 16; ++id) {
    Barrier& b = block.barriers[id];
    if (!b.arrived || b.expected || !block.live_threads || b.arrived < block.live_threads) continue;
    if (x.checks) report_exited(x, block, id);
    release_barrier(block, id);
  }
}

}  // namespace dojo::simt
