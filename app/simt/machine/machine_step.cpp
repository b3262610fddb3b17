// Running a block until it is done or can't go on, and saying why it can't.
#include "core/text/numbers.hpp"
#include "simt/machine/machine_core.hpp"
#include "simt/ops/arithmetic/rounding.hpp"
#include "simt/state/barriers.hpp"
#include "simt/state/element_names.hpp"
#include "simt/state/findings.hpp"
#include "simt/state/splits.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace dojo::simt {

namespace {

/// What a polled word holds, as a signed number of its size: flags are more often -1 than 4294967295.
std::string held(const Split::Watch& w) {
  const int spare = 64 - 8 * std::clamp(int(w.bytes), 1, 8);
  return grouped(double(int64_t(w.value << spare) >> spare));
}

/// Runs a warp until none of its splits can go on. False when its time slice ended.
bool run_warp(Exec& x, Warp& w) {
  const uint64_t before = w.executed;
  x.yielded = false;
  for (;;) {
    int next = -1;
    for (size_t i = 0; i < w.splits.size(); ++i)
      if (w.splits[i].wait == Wait::ready) {
        next = int(i);
        break;
      }
    if (next < 0) return true;
    load_split(x, w, next);
    x.slice = x.quantum;
    x.touched = 0;
    x.wrote = x.blind = false;
    if (!x.watches.empty()) x.watches.clear();
    const Inst* p = w.splits[size_t(next)].pc;
    if (w.block->steps) [[unlikely]]
      w.block->steps->run(p, x);
    else
      while (p) p = p->fn[x.partial](p, x);
    if (x.slice < 0) {
      // The slice ended: others first. The spin state starts anew, for others may write in between.
      if (x.split >= 0 && w.splits.size() > 1)
        std::rotate(w.splits.begin() + x.split, w.splits.begin() + x.split + 1, w.splits.end());
      for (Split& s : w.splits) s.spin_at = nullptr;
      return false;
    }
    // A block's only warp passes its barriers alone: it may go round a loop of them for ever and never end a
    // slice.
    if (w.executed - before > uint64_t(x.quantum)) return false;
  }
}

}  // namespace

/// Runs a block until it is done, can't go on, or its slice is over (interleaved: until its warps have come
/// to a barrier or wait). True when something ran.
bool Machine::step_block(Exec& x, Block& b) {
  x.block = &b;
  use_grid(x, *b.grid, b.detail);
  bool any = false;
  int slices = 0;
  for (;;) {
    bool progress = false, sliced = false, yielded = false, worked = false;
    x.shares_work = false;
    for (auto& w : b.warps) {
      bool ready = false;
      for (const Split& s : w->splits) ready |= s.wait == Wait::ready;
      if (!ready) continue;
      progress = true;
      const uint64_t before = w->executed;
      const bool ended = !run_warp(x, *w);
      const bool polls = ended && x.yielded;
      sliced |= ended && !polls;
      yielded |= polls, worked |= !polls;
      x.polled += w->executed - before;
      w->stuck = 0;
    }
    // Warps that poll wait for this block first, then for others.
    sliced |= yielded && !worked;
    if (yielded && !worked && serial_) polled_ = true;
    // Numbers that fade away meet subnormal ones round after round.
    constexpr int rounds_by_doubles = 64;
    if (met_subnormal())
      x.subnormals = rounds_by_doubles;
    else if (x.subnormals)
      --x.subnormals;
    poll(x);  // here and not only where a slice ends: a loop around a barrier never comes to the end of one
    any |= progress;
    if (b.live_threads == 0) return true;
    if (sliced && b.grid->ordered &&
        (++slices >= 4 || x.shares_work || sync_.stepwise.contains(b.grid->launch)))
      return any;
    if (progress && interleaved_ && b.grid->ordered) return true;
    if (progress) continue;
    if (wake(b, x)) continue;
    if (!unstick_warps(x, b, false)) return any;
  }
}

/// Warps in which nothing can run give up meeting points at which lanes wait for others that wait elsewhere.
bool Machine::unstick_warps(Exec& x, Block& b, bool parked_too) {
  bool changed = false;
  for (auto& w : b.warps) {
    if (!w->live) continue;
    bool ready = false, parked = false;
    for (const Split& s : w->splits) {
      ready |= s.wait == Wait::ready;
      parked |= s.wait == Wait::parked;
    }
    if (ready || (parked && !parked_too)) continue;
    if (loosen(x, *w)) {
      changed = true;
      continue;
    }
    // Lanes that waited for others which have ended since.
    for (Split& s : w->splits) {
      if (s.wait != Wait::lanes) continue;
      uint32_t here = 0;
      for (const Split& t : w->splits)
        if (t.wait == Wait::lanes && t.pc == s.pc && t.frame == s.frame) here |= t.mask;
      if (s.need & w->live & ~here) continue;
      if (x.checks) {
        load_split(x, *w, int(&s - w->splits.data()));
        const uint32_t gone = s.need & ~w->live;
        const uint32_t who = gone ? uint32_t(std::countr_zero(gone)) : 0;
        Diagnostic d = finding(x, s.pc, FindingKind::absent_lane,
                               "A warp operation waits for lanes that its mask names but that went another "
                               "way and ended.",
                               std::countr_zero(s.mask));
        d.severity = Severity::warning;  // the source decides: run/verdict/early_return.hpp
        d.related.push_back({d.where, "a lane that never came", b.index, thread_of(x, w->index * 32 + who)});
        emit(x, std::move(d));
      }
      s.wait = Wait::ready;
      changed = true;
      break;
    }
  }
  return changed;
}

/// Nothing in the block can run and nothing outside can help: says why, and goes on where a GPU would.
void Machine::block_stuck(Exec& x, Block& b) {
  x.block = &b;
  use_grid(x, *b.grid, b.detail);
  for (auto& w : b.warps)
    for (size_t i = 0; i < w->splits.size(); ++i) {
      Split& s = w->splits[i];
      if (s.wait != Wait::lanes) continue;
      load_split(x, *w, int(i));
      uint32_t here = 0;
      for (const Split& t : w->splits)
        if (t.wait == Wait::lanes && t.pc == s.pc && t.frame == s.frame) here |= t.mask;
      const uint32_t absent = s.need & w->live & ~here;
      Diagnostic d = finding(x, s.pc, FindingKind::absent_lane,
                             "A warp operation waits for lanes that its mask names but that wait elsewhere "
                             "and can never come. Call it "
                             "where all named lanes come, or name only those that do.",
                             std::countr_zero(s.mask));
      for (const Split& t : w->splits)
        if (absent && (t.mask >> std::countr_zero(absent) & 1))
          d.related.push_back({place_of(program_, t.frame->code->index, t.pc->ptx), "a named lane waits here",
                               b.index, thread_of(x, w->index * 32 + uint32_t(std::countr_zero(absent)))});
      emit(x, d);
      // A GPU would hang.
      throw RunStopped(Status::finding, std::move(d));
    }
  Diagnostic d;
  d.kind = FindingKind::barrier_divergence;
  d.kernel = b.grid->code->fn->demangled;
  d.block = b.index;
  d.message = "The block hangs: some of its threads wait at a barrier that the others can never reach.";
  bool first = true;
  for (auto& w : b.warps)
    for (const Split& s : w->splits) {
      if (s.wait != Wait::barrier) continue;
      SourceLoc at = place_of(program_, s.frame->code->index, s.pc->ptx);
      Dim3 t = thread_of(x, w->index * 32 + uint32_t(std::countr_zero(s.mask)));
      if (first) {
        d.where = at;
        d.thread = t;
        first = false;
      } else if (d.related.size() < 3 && !(at == d.where)) {
        d.related.push_back(
            {at, fmt::format("thread ({}, {}, {}) waits at barrier {} here", t.x, t.y, t.z, s.barrier),
             b.index, t});
      }
    }
  throw RunStopped(Status::finding, std::move(d));
}

/// Parked splits whose words changed go on.
bool Machine::wake(Block& b, Exec& x) {
  bool any = false;
  for (auto& w : b.warps)
    for (Split& s : w->splits) {
      if (s.wait != Wait::parked) continue;
      for (const Split::Watch& watch : s.watches) {
        Block* before = x.block;
        x.block = &b;
        std::byte* at = window::in(watch.address, window::shared)
                            ? shared_bytes(x, watch.address - window::shared,
                                           watch.address - window::shared + watch.bytes)
                            : memory_.at(watch.address, watch.bytes);
        x.block = before;
        uint64_t now = 0;
        if (at) std::memcpy(&now, at, std::min<uint32_t>(watch.bytes, 8));
        if (now != watch.value) {
          s.wait = Wait::ready;
          s.spin_at = nullptr;
          s.watches.clear();
          any = true;
          if (b.grid->trace) b.grid->trace->spin_coupled |= !window::in(watch.address, window::shared);
          if (w->trace && !window::in(watch.address, window::shared)) note_wake(x, b, *w, watch.address);
          break;
        }
      }
    }
  return any;
}

namespace {

constexpr const char* of_the_host_beside =
    " The host could change it, but every host thread waits for this kernel or has ended. Write the word "
    "before the call that waits.";

constexpr const char* of_the_host =
    " The host can change it, too, and on a GPU it could do so while the kernel waits. Here a launch runs to "
    "its end before the host goes on: let the host change it before the launch, or before it waits for "
    "anything.";

/// Does the split look at a word that host code can write?
bool waits_for_host(AddressSpace& memory, const Split& s) {
  const Region* r = s.watches.empty() ? nullptr : memory.find(s.watches[0].address);
  return r && r->on_both();
}

std::string watched(Exec& x, const Split& s) {
  return s.watches.empty() ? "memory" : watched_name(x, s.pc, s.watches[0].address, s.watches[0].bytes);
}

std::string held_by(const Split& s) {
  return s.watches.empty() ? "" : " (it holds " + held(s.watches[0]) + ")";
}

}  // namespace

/// No thread polls: says which one waits at a cluster's barrier that others never reach.
void Machine::stuck_at_cluster_barrier(Exec& x, const std::vector<Block*>& blocks, Diagnostic& d) {
  for (Block* b : blocks)
    for (auto& w : b->warps)
      for (const Split& s : w->splits) {
        if (s.wait != Wait::wait_group || !b->cluster) continue;
        x.block = b;
        x.grid = b->grid;
        d.where = place_of(program_, s.frame->code->index, s.pc->ptx);
        d.kernel = b->grid->code->fn->demangled;
        d.block = b->index;
        d.thread = thread_of(x, w->index * 32 + uint32_t(std::countr_zero(s.mask)));
        d.message = fmt::format(
            "Deadlock: {} of {} waits at the barrier of its cluster, and other threads of the cluster never "
            "come to it. Let all threads of all blocks of the cluster call cluster.sync().",
            thread_name(b->grid->block, *d.thread), block_name(b->grid->grid, b->index));
        return;
      }
}

Diagnostic Machine::waiting_of(Exec& x, const std::vector<Block*>& blocks) {
  Diagnostic d;
  for (Block* b : blocks) {
    x.block = b;
    x.grid = b->grid;
    for (auto& w : b->warps)
      for (const Split& s : w->splits) {
        if (s.wait != Wait::parked) continue;
        d.where = place_of(program_, s.frame->code->index, s.pc->ptx);
        d.kernel = b->grid->code->fn->demangled;
        d.block = b->index;
        d.thread = thread_of(x, w->index * 32 + uint32_t(std::countr_zero(s.mask)));
        d.message = fmt::format("{} of {} waits for {} to change{}", thread_name(b->grid->block, *d.thread),
                                block_name(b->grid->grid, b->index), watched(x, s), held_by(s));
        return d;
      }
  }
  return d;
}

Diagnostic Machine::deadlock_of(Exec& x, const std::vector<Block*>& blocks, const std::vector<Grid*>& set) {
  Diagnostic d = waiting_of(x, blocks);
  d.kind = FindingKind::deadlock;
  uint64_t parked = 0, waiting = 0;
  bool first = true;
  for (Block* b : blocks) {
    x.block = b;
    x.grid = b->grid;
    bool counted = false;
    for (auto& w : b->warps)
      for (const Split& s : w->splits) {
        if (s.wait != Wait::parked) continue;
        if (!counted) ++parked, counted = true;
        if (first) {
          d.message = fmt::format("Deadlock: {}, and no thread that could change it can run.{}", d.message,
                                  !waits_for_host(memory_, s) ? ""
                                  : config_.host              ? of_the_host_beside
                                                              : of_the_host);
          first = false;
        } else if (d.related.size() < 4) {
          d.related.push_back(
              {place_of(program_, s.frame->code->index, s.pc->ptx),
               fmt::format("{} of {} waits here for {}{}", block_name(b->grid->grid, b->index),
                           b->grid->code->fn->demangled, watched(x, s), held_by(s)),
               b->index, thread_of(x, w->index * 32 + uint32_t(std::countr_zero(s.mask)))});
        }
      }
  }
  if (first) stuck_at_cluster_barrier(x, blocks, d);
  for (Grid* g : set) waiting += g->blocks - g->next;
  if (!set.empty() && set[0]->ordered && waiting) {
    std::string who;
    for (Grid* g : set)
      if (g->next < g->blocks)
        who +=
            fmt::format("{}{} block{} of {}", who.empty() ? "" : ", ", grouped(double(g->blocks - g->next)),
                        g->blocks - g->next == 1 ? "" : "s", g->code->fn->demangled);
    d.message += fmt::format(" {} resident block{} every slot of the GPU; not started: {}.",
                             grouped(double(blocks.size())), blocks.size() == 1 ? " holds" : "s hold", who);
  } else if (parked > 1) {
    d.message += fmt::format(" {} blocks wait like this.", grouped(double(parked)));
  }
  return d;
}

void Machine::deadlock(Exec& x, std::vector<Block*>& blocks, std::vector<Grid*>& set) {
  flush_printed(printed_);
  throw RunStopped(Status::finding, deadlock_of(x, blocks, set));
}

}  // namespace dojo::simt
