// A block from its start to what it leaves behind: logs and text are taken in block order.
#include "simt/machine/machine_core.hpp"

#include <algorithm>

#include "core/text/numbers.hpp"
#include "simt/checks/shadow_cluster.hpp"
#include "simt/ops/atomics.hpp"
#include "simt/state/access.hpp"
#include "simt/state/findings.hpp"
#include "simt/state/frames.hpp"
#include "simt/state/processor_time.hpp"

namespace dojo::simt {

namespace {
constexpr uint64_t sampled_traces = 16;  // of a launch of which not all blocks run in detail

/// The place of an instruction, or of the nearest one that has a line: the optimiser leaves some without.
SourceLoc near_place(const Program& p, const Code& code, uint32_t ptx) {
  const uint32_t n = uint32_t(code.fn->code.size());
  for (uint32_t off = 0; off < n; ++off) {
    if (ptx + off < n)
      if (const SourceLoc at = place_of(p, code.index, ptx + off); at.line > 0) return at;
    if (off <= ptx)
      if (const SourceLoc at = place_of(p, code.index, ptx - off); at.line > 0) return at;
  }
  return place_of(p, code.index, ptx);
}

/// What a block has of its own, as at the start of every block.
void clear_block(Block& b) {
  b.started = true;
  b.done = false;
  b.triggered = false;
  b.parked = 0;
  b.log.clear();
  b.printed.clear();
  b.barrier_starts.clear();
  b.reds.clear();
  b.red_regions.clear();
  b.waited = false;
  b.summary = {};
  b.trace.reset();
  b.entered.clear();
  b.cluster = nullptr;
  b.cluster_rank = 0;
  b.peers_started = false;
  for (Barrier& bar : b.barriers) bar = {};
}

void place_block(Block& b, Grid& g, uint64_t linear, int sm) {
  b.grid = &g;
  b.linear = linear;
  b.index = g.grid.at(linear);
  b.sm = sm;
  b.ticket = uint32_t(g.ticket_base + linear);
  b.threads = b.live_threads = g.threads;
  b.shared_bytes = g.shared_bytes;
  b.dynamic_base = g.dynamic_base;
  if (b.shared.size() < g.shared_bytes + 64) b.shared.resize(g.shared_bytes + 64);
  std::memset(b.shared.data(), 0, g.shared_bytes);
  b.reserved.clear();
}

/// Gives a block as many warps as the launch asks for.
void set_warp_count(Exec& x, Block& b, uint32_t warps) {
  while (b.warps.size() > warps) {
    if (b.warps.back()->root) drop_frame(x, b.warps.back()->root);
    b.warps.pop_back();
  }
  while (b.warps.size() < warps) {
    b.warps.push_back(std::make_unique<Warp>());
    b.warps.back()->index = uint32_t(b.warps.size() - 1);
  }
}

void set_thread_indices(Warp& w, uint32_t warp, const Grid& g) {
  for (uint32_t l = 0; l < 32; ++l) {
    const Dim3 t = g.block.at(std::min(warp * 32 + l, g.threads - 1));
    w.tid[0][l] = t.x, w.tid[1][l] = t.y, w.tid[2][l] = t.z;
  }
}

/// Puts a warp at the kernel's first instruction.
void start_warp(Exec& x, const Grid& g, Block& b, uint32_t i) {
  Warp& w = *b.warps[i];
  const uint32_t n = std::min(32u, g.threads - i * 32);
  w.block = &b;
  w.exists = w.live = n == 32 ? ~0u : (1u << n) - 1;
  w.convs.clear();
  w.sync_stamp = w.epoch = b.stamp;
  w.sig = 0;
  w.executed = 0;
  w.stuck = 0;
  w.trace = b.trace ? &b.trace->warps[i] : nullptr;
  if (w.local_stride) std::fill(w.local_init.begin(), w.local_init.end(), 0);
  if (w.root) drop_frame(x, w.root);  // back to the pool and out again: zeroes what must be zero
  w.root = new_frame(x, *g.code);
  w.root->lanes = w.exists;
  w.splits.resize(1);
  w.splits[0] = Split{};
  w.splits[0].mask = w.exists;
  w.splits[0].frame = w.root;
  w.splits[0].pc = g.code->insts.data();
}
}  // namespace

void Machine::start_block(Exec& x, Grid& g, Block& b, uint64_t linear, int sm) {
  b.detail = g.sample.has(linear);
  use_grid(x, g, b.detail);
  const bool same = b.grid == &g;
  clear_block(b);
  place_block(b, g, linear, sm);
  x.pending_reds = false;
  // Stamps go on from block to block, so that shadow state needs no clearing.
  b.first_stamp = b.barrier_stamp = b.cluster_stamp = ++b.stamp;
  if (x.checks) prepare_shared_shadow(b, g.grain_shared);
  const bool spare = config_.spare_trace && g.sample.whole() && config_.spare_trace(g.launch, linear);
  const auto wanted = [&] {
    return g.sample.whole() ? config_.trace_block(g.launch, linear) : g.sample.traced(linear, sampled_traces);
  };
  if (spare || (config_.trace_block && wanted())) {
    b.trace = std::make_unique<BlockTrace>();
    b.trace->spare = spare;
    b.trace->block = linear;
    b.trace->warps.resize(g.warps);
  }
  set_warp_count(x, b, g.warps);
  for (uint32_t i = 0; i < g.warps; ++i) {
    if (!same) set_thread_indices(*b.warps[i], i, g);
    start_warp(x, g, b, i);
  }
  b.steps = nullptr;
  if (config_.steps && g.launch == config_.steps_launch &&
      (config_.steps->by_index ? b.index == config_.steps->wanted : linear == config_.steps->block)) {
    steps_ = std::make_unique<StepRecorder>(*config_.steps, program_, b);
    b.steps = steps_.get();
  }
}

void Machine::finish_block(Exec& x, Block& b) {
  b.done = true;
  if (x.checks && b.cluster) check_peers_at_end(x, b);
  if (b.steps) {
    b.steps->end();
    Diagnostic d;
    d.severity = Severity::note;
    d.kind = FindingKind::traced;
    d.message = "The block is recorded.";
    throw RunStopped(Status::pass, std::move(d));
  }
  hand_over_block(x, b);
}

void Machine::hand_over_block(Exec& x, Block& b) {
  Grid& g = *b.grid;
  uint64_t sig = 0x9E3779B97F4A7C15ull, executed = 0;
  for (auto& w : b.warps) {
    sig = fold(sig, w->sig);
    executed += w->executed;
  }
  b.summary.signature = sig;
  // Looks that failed have been taken off already (spins.cpp).
  b.summary.warp_instructions += uint32_t(std::min<uint64_t>(executed, 0xffffffffu));
  x.retired += executed;
  g.trace->blocks[b.linear] = b.summary;
  if (has_commits_ || !b.reds.empty() || !b.printed.empty() || b.trace) {
    Commit c;
    c.log = std::move(b.log);
    c.printed = std::move(b.printed);
    c.reds = std::move(b.reds);
    c.trace = std::move(b.trace);
    c.entered = std::move(b.entered);
    b.entered.clear();
    c.sm = b.sm;
    c.detail = b.detail;
    b.log.clear();
    b.printed.clear();
    b.reds.clear();
    if (serial_ || g.silent) {
      std::unique_lock guard(lock_, std::defer_lock);
      if (!serial_) guard.lock();
      apply_commit(g, b.linear, c);
      b.log = std::move(c.log);  // its room serves the next block, where nothing waits for it
    } else {
      commit(g, b.linear, std::move(c));
    }
    if (has_commits_ && b.log.capacity() == 0) {
      std::lock_guard guard(lock_);
      if (!spare_logs_.empty()) {
        b.log = std::move(spare_logs_.back());
        spare_logs_.pop_back();
      }
    }
  } else if (!serial_ && !g.silent) {
    commit(g, b.linear, {});
  }
}

void Machine::flush_printed(std::string& text) {
  if (text.empty()) return;
  if (config_.print) config_.print(text);
  text.clear();
}

bool Machine::count_all() {
  for (auto& x : execs_) {
    executed_ += x->polled;
    x->polled = 0;
  }
  const uint64_t most = config_.control.max_warp_instructions;
  return most && executed_ > most;
}

void Machine::poll(Exec& x) {
  const uint64_t most = config_.control.max_warp_instructions;
  if (x.polled < (most ? std::min<uint64_t>(200000, most / 4 + 1) : 200000)) [[likely]]
    return;
  const uint64_t total = executed_.fetch_add(x.polled) + x.polled;
  x.polled = 0;
  settle_parts(x);
  const RunControl& control = config_.control;
  auto over = [&](const std::string& what, FindingKind kind = FindingKind::timeout) {
    Diagnostic d;
    d.kind = kind;
    if (x.grid) d.kernel = x.grid->code->fn->demangled;
    if (x.block) {
      d.block = x.block->index;
      for (auto& w : x.block->warps)
        if (!w->splits.empty()) {
          const Split& s = w->splits[0];
          d.where = near_place(program_, *s.frame->code, s.pc ? s.pc->ptx : 0);
          d.thread = thread_of(x, w->index * 32 + uint32_t(std::countr_zero(s.mask ? s.mask : 1u)));
          break;
        }
    }
    d.message = what;
    if (d.block && d.where.line > 0) {
      const Dim3& b = *d.block;
      std::string index = std::to_string(b.x);
      if (b.y || b.z) index = "(" + index + "," + std::to_string(b.y) + "," + std::to_string(b.z) + ")";
      d.message += " Block " + index + " is still at line " + std::to_string(d.where.line) +
                   ". Check that its loop ends.";
    }
    throw RunStopped(Status::timeout, std::move(d));
  };
  if (control.max_warp_instructions && total > control.max_warp_instructions) {
    over_limit_ = true;
    over("Stopped at the limit of " + std::to_string(control.max_warp_instructions) + " warp instructions.");
  }
  // By what was executed, not by the clock: no fault of the machine it runs on.
  if (traced_bytes(x) > config_.most_kept_bytes)
    over("Stopped: it has executed too many instructions to model its time; their record has grown to " +
         std::to_string(config_.most_kept_bytes >> 20) + " MiB.");
  const auto now = std::chrono::steady_clock::now();
  const double seconds = std::chrono::duration<double>(now - start_).count();
  const int64_t ms = int64_t(seconds * 1000);
  int64_t last = last_poll_.load();
  if (ms - last < 10 || !last_poll_.compare_exchange_strong(last, ms)) return;
  double done = 0, all = 0;
  for (auto& g : grids_) all += double(g->blocks), done += double(g->finished);
  if (control.max_seconds > 0 && processor_seconds() - start_used_ > control.max_seconds)
    over("Stopped after " + std::to_string(int64_t(control.max_seconds)) + " s of computing." +
             (done > 0 ? " Of " + number(all) + " blocks " + number(done) + " were done." : ""),
         FindingKind::time_limit);
  if (control.cancelled && control.cancelled()) over("The run was cancelled.");
  if (control.progress) control.progress(all > 0 ? done / all : 0);
}

}  // namespace dojo::simt
