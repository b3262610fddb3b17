#include "simt/machine_core.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "simt/access.hpp"
#include "simt/shadow.hpp"

namespace dojo::simt {

void apply_red(std::byte* at, const Block::RedLog&);
bool order_matters(const Program&, const std::vector<const Code*>&);
void access_grains(const std::vector<const Code*>&, uint32_t* shared, uint32_t* global);

int machine_warps_per_sm(const Exec& x) { return x.machine ? x.machine->config().warps_per_sm : 64; }
int machine_sms(const Exec& x) { return x.machine ? x.machine->config().sms : 1; }

Machine::Machine(const Program& program, std::span<const LaunchNode> nodes, AddressSpace& memory,
                 const MachineConfig& config)
    : program_(program), nodes_(nodes), memory_(memory), config_(config) {}

Exec& Machine::exec(int thread) {
  while (int(execs_.size()) <= thread) {
    auto x = std::make_unique<Exec>();
    x->thread = int(execs_.size());
    x->machine = this;
    x->program = &program_;
    x->memory = &memory_;
    x->checks = config_.control.checks;
    x->want_log = config_.hierarchy != nullptr;
    execs_.push_back(std::move(x));
  }
  return *execs_[size_t(thread)];
}

void Machine::use_grid(Exec& x, Grid& g) {
  if (x.grid == &g) return;
  if (g.counters.size() <= size_t(x.thread)) g.counters.resize(size_t(x.thread) + 1);
  auto& c = g.counters[size_t(x.thread)];
  if (!c) {
    c = std::make_unique<Counters>();
    c->visits.resize(program_.block_count());
    c->access.resize(program_.access_count());
  }
  x.grid = &g;
  x.visits = c->visits.data();
  x.access = c->access.data();
  x.shape = g.shapes.data();
  x.ordered = g.ordered;
}

void Machine::prepare(Grid& g) {
  const LaunchNode& node = *g.node;
  g.codes = program_.closure(node.function);
  g.code = &program_.code(node.function, false);
  g.grid = node.spec.grid;
  g.block = node.spec.block;
  g.cluster = node.spec.cluster.count() ? node.spec.cluster : Dim3{1, 1, 1};
  if (g.code->fn->cluster.count() > 0 && g.code->fn->cluster.x && g.cluster.count() <= 1)
    g.cluster = g.code->fn->cluster;
  g.blocks = g.grid.count();
  g.threads = uint32_t(g.block.count());
  g.warps = (g.threads + 31) / 32;
  uint64_t align = 16;
  for (const ptx::Variable& v : program_.module().variables)
    if (v.space == ptx::Space::shared && (v.is_extern || !v.bytes)) align = std::max(align, v.align);
  g.dynamic_base = uint32_t((g.code->fn->shared_bytes + align - 1) / align * align);
  if (!node.spec.dynamic_smem) g.dynamic_base = uint32_t(g.code->fn->shared_bytes);
  g.shared_bytes = g.dynamic_base + node.spec.dynamic_smem;
  g.ordered = order_matters(program_, g.codes) || g.cluster.count() > 1;
  access_grains(g.codes, &g.grain_shared, &g.grain_global);
  LaunchTrace& trace = *g.trace;
  trace.ordered = g.ordered;
  trace.blocks.resize(g.blocks);
  trace.counts.resize(program_.module().functions.size());
  // How each memory instruction is counted.
  g.shapes.assign(program_.access_count(), {});
  for (const Code* c : g.codes) {
    std::shared_ptr<const ptx::CodeShape> shape = config_.shape ? config_.shape(c->index) : nullptr;
    if (c == g.code) trace.shape = shape;
    auto set = [&](const Inst& i) {
      if (!i.access || i.kind != Kind::memory) return;
      uint8_t width = uint8_t(i.width * i.count);
      if (shape && i.ptx < shape->accesses.size()) {
        const ptx::ShapeAccess& a = shape->accesses[i.ptx];
        if (!a.counted)
          width = 0;
        else if (a.merged_width)
          width = a.merged_width;
      }
      g.shapes[i.access] = {width};
    };
    for (const Inst& i : c->insts) set(i);
    for (const Inst& i : c->guarded) set(i);
  }
  if (node.spec.cooperative) {
    Region* r = memory_.allocate(64, Owner::device, "grid barrier");
    if (r) {
      std::memset(r->data, 0, 64);
      uint32_t size = 64;
      std::memcpy(r->data, &size, 4);
      r->initialized = true;
      g.workspace = r->base;
    }
  }
}

void Machine::start_block(Exec& x, Grid& g, Block& b, uint64_t linear, int sm) {
  const bool same = b.grid == &g;
  b.grid = &g;
  b.linear = linear;
  b.index = g.grid.at(linear);
  b.sm = sm;
  b.ticket = uint32_t(g.ticket_base + linear);
  b.threads = b.live_threads = g.threads;
  b.started = true;
  b.done = false;
  b.triggered = false;
  b.parked = 0;
  b.log.clear();
  b.printed.clear();
  b.reds.clear();
  b.ticket_floor = 0;
  b.summary = {};
  b.trace.reset();
  b.cluster = nullptr;
  b.cluster_rank = 0;
  b.fence_stamp = 0;
  b.shared_bytes = g.shared_bytes;
  b.dynamic_base = g.dynamic_base;
  if (b.shared.size() < g.shared_bytes + 64) b.shared.resize(g.shared_bytes + 64);
  std::memset(b.shared.data(), 0, g.shared_bytes);
  // Stamps go on from block to block, so that shadow state needs no clearing.
  b.first_stamp = b.barrier_stamp = ++b.stamp;
  if (x.checks) prepare_shared_shadow(b, g.grain_shared);
  for (Barrier& bar : b.barriers) bar = {};
  if (config_.trace_block && config_.trace_block(g.launch, linear)) {
    b.trace = std::make_unique<BlockTrace>();
    b.trace->block = linear;
    b.trace->warps.resize(g.warps);
  }
  while (b.warps.size() > g.warps) {
    if (b.warps.back()->root) drop_frame(x, b.warps.back()->root);
    b.warps.pop_back();
  }
  while (b.warps.size() < g.warps) {
    b.warps.push_back(std::make_unique<Warp>());
    b.warps.back()->index = uint32_t(b.warps.size() - 1);
  }
  for (uint32_t i = 0; i < g.warps; ++i) {
    Warp& w = *b.warps[i];
    const uint32_t n = std::min(32u, g.threads - i * 32);
    w.block = &b;
    w.exists = w.live = n == 32 ? ~0u : (1u << n) - 1;
    w.convs.clear();
    w.sync_stamp = b.stamp;
    w.sig = 0;
    w.executed = 0;
    w.stuck = 0;
    w.trace = b.trace ? &b.trace->warps[i] : nullptr;
    if (w.local_stride) std::fill(w.local_init.begin(), w.local_init.end(), 0);
    if (!same)
      for (uint32_t l = 0; l < 32; ++l) {
        const Dim3 t = g.block.at(std::min(i * 32 + l, g.threads - 1));
        w.tid[0][l] = t.x, w.tid[1][l] = t.y, w.tid[2][l] = t.z;
      }
    if (w.root && w.root->code != g.code) {
      drop_frame(x, w.root);
      w.root = nullptr;
    }
    if (w.root) {
      drop_frame(x, w.root);  // back to the pool and out again: zeroes what must be zero
      w.root = new_frame(x, *g.code);
    } else {
      w.root = new_frame(x, *g.code);
    }
    w.root->lanes = w.exists;
    w.splits.resize(1);
    w.splits[0] = Split{};
    w.splits[0].mask = w.exists;
    w.splits[0].frame = w.root;
    w.splits[0].pc = g.code->insts.data();
  }
}

void Machine::finish_block(Exec& x, Block& b) {
  Grid& g = *b.grid;
  b.done = true;
  uint64_t sig = 0x9E3779B97F4A7C15ull, executed = 0;
  for (auto& w : b.warps) {
    sig = std::rotl(sig ^ w->sig, 27) * 0x9E3779B97F4A7C15ull;
    executed += w->executed;
  }
  b.summary.signature = sig;
  b.summary.warp_instructions = uint32_t(std::min<uint64_t>(executed, 0xffffffffu));
  x.retired += executed;
  x.polled += executed;
  g.trace->blocks[b.linear] = b.summary;
  if (has_commits_ || !b.reds.empty() || !b.printed.empty() || b.trace) {
    Commit c;
    c.log = std::move(b.log);
    c.printed = std::move(b.printed);
    c.reds = std::move(b.reds);
    c.trace = std::move(b.trace);
    c.sm = b.sm;
    b.log.clear();
    b.printed.clear();
    b.reds.clear();
    if (serial_)
      apply_commit(g, b.linear, c);
    else
      commit(g, b.linear, std::move(c));
  } else if (!serial_) {
    commit(g, b.linear, {});
  }
}

void Machine::commit(Grid& g, uint64_t linear, Commit&& c) {
  std::lock_guard guard(lock_);
  waiting_.emplace(linear, std::move(c));
  while (!waiting_.empty() && waiting_.begin()->first == next_commit_) {
    apply_commit(g, next_commit_, waiting_.begin()->second);
    waiting_.erase(waiting_.begin());
    ++next_commit_;
  }
}

void Machine::apply_commit(Grid& g, uint64_t linear, Commit& c) {
  printed_ += c.printed;
  if (serial_) flush_printed(printed_);
  for (const Block::RedLog& r : c.reds)
    if (std::byte* at = memory_.at(r.address, uint64_t(ptx::bits(r.type) / 8))) apply_red(at, r);
  if (config_.hierarchy) {
    if (selected_ != g.launch) {
      config_.hierarchy->select_launch(g.launch);
      selected_ = g.launch;
    }
    std::vector<std::pair<uint8_t, uint8_t>> hits;
    config_.hierarchy->replay(c.sm, c.log, g.trace->blocks[linear], c.trace ? &hits : nullptr);
    if (c.trace && hits.size() == c.log.size()) {
      // Lines of an access follow each other: give each event the hits of its own lines.
      std::vector<size_t> next(c.trace->warps.size(), 0);
      for (size_t i = 0; i < c.log.size(); ++i) {
        const LineAccess& a = c.log[i];
        if (a.warp >= next.size()) continue;
        auto& events = c.trace->warps[a.warp].events;
        size_t& at = next[a.warp];
        while (at < events.size() && (events[at].inst != a.inst || !events[at].sectors)) ++at;
        if (at == events.size()) continue;
        events[at].l1_hit_sectors = uint16_t(events[at].l1_hit_sectors + hits[i].first);
        events[at].l2_hit_sectors = uint16_t(events[at].l2_hit_sectors + hits[i].second);
        const bool more = i + 1 < c.log.size() && c.log[i + 1].warp == a.warp && c.log[i + 1].inst == a.inst;
        if (!more) ++at;
      }
    }
  }
  if (c.trace) g.trace->detailed.push_back(std::move(*c.trace));
}

void Machine::flush_printed(std::string& text) {
  if (text.empty()) return;
  if (config_.print) config_.print(text);
  text.clear();
}

void Machine::poll(Exec& x) {
  if (x.polled < 200000) return;
  const uint64_t total = executed_.fetch_add(x.polled) + x.polled;
  x.polled = 0;
  const RunControl& control = config_.control;
  auto over = [&](const char* what) {
    Diagnostic d;
    d.kind = "timeout";
    if (x.grid) d.kernel = x.grid->code->fn->demangled;
    if (x.block) {
      d.block = x.block->index;
      for (auto& w : x.block->warps)
        if (!w->splits.empty()) {
          const Split& s = w->splits[0];
          d.where = place_of(program_, s.frame->code->index, s.pc ? s.pc->ptx : 0);
          d.thread = thread_of(x, w->index * 32 + uint32_t(std::countr_zero(s.mask ? s.mask : 1u)));
          break;
        }
    }
    d.message = what;
    throw RunStopped(Status::timeout, std::move(d));
  };
  if (control.max_warp_instructions && total > control.max_warp_instructions)
    over("The run was stopped after its limit of executed instructions; an endless loop?");
  const auto now = std::chrono::steady_clock::now();
  const double seconds = std::chrono::duration<double>(now - start_).count();
  const int64_t ms = int64_t(seconds * 1000);
  int64_t last = last_poll_.load();
  if (ms - last < 10 || !last_poll_.compare_exchange_strong(last, ms)) return;
  if (control.max_seconds > 0 && seconds > control.max_seconds)
    over("The run was stopped at its time limit; an endless loop?");
  if (control.cancelled && control.cancelled()) over("The run was cancelled.");
  if (control.progress) {
    double done = 0, all = 0;
    for (auto& g : grids_) all += double(g->blocks), done += double(g->finished);
    control.progress(all > 0 ? done / all : 0);
  }
}

/// Runs a block until it is done, can't go on, or its slice is over. True when something ran.
bool Machine::step_block(Exec& x, Block& b) {
  x.block = &b;
  use_grid(x, *b.grid);
  bool any = false;
  int slices = 0;
  for (;;) {
    bool progress = false, sliced = false;
    for (auto& w : b.warps) {
      bool ready = false;
      for (const Split& s : w->splits) ready |= s.wait == Wait::ready;
      if (!ready) continue;
      progress = true;
      const uint64_t before = w->executed;
      if (!run_warp(x, *w)) {
        sliced = true;
        x.polled += 50000;
        poll(x);
      }
      (void)before;
      w->stuck = 0;
    }
    any |= progress;
    if (b.live_threads == 0) return true;
    if (sliced && b.grid->ordered && ++slices >= 4) return any;
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
        Diagnostic d = finding(x, s.pc, "absent_lane",
                               "A warp operation waits for lanes that its mask names but that went another "
                               "way and ended. Call it where "
                               "all named lanes come, or name only those that do.",
                               std::countr_zero(s.mask));
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
  use_grid(x, *b.grid);
  for (auto& w : b.warps)
    for (size_t i = 0; i < w->splits.size(); ++i) {
      Split& s = w->splits[i];
      if (s.wait != Wait::lanes) continue;
      load_split(x, *w, int(i));
      uint32_t here = 0;
      for (const Split& t : w->splits)
        if (t.wait == Wait::lanes && t.pc == s.pc && t.frame == s.frame) here |= t.mask;
      const uint32_t absent = s.need & w->live & ~here;
      Diagnostic d = finding(x, s.pc, "absent_lane",
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
  d.kind = "barrier_divergence";
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

void Machine::run_blocks(Exec& x, Grid& g, std::atomic<uint64_t>& next, std::atomic<bool>& stop) {
  use_grid(x, g);
  if (x.block_pool.empty()) x.block_pool.push_back(std::make_unique<Block>());
  Block& b = *x.block_pool.back();
  const uint64_t chunk = std::max<uint64_t>(1, std::min<uint64_t>(32, g.blocks / 64));
  while (!stop.load(std::memory_order_relaxed)) {
    const uint64_t first = next.fetch_add(chunk);
    if (first >= g.blocks) break;
    const uint64_t end = std::min(g.blocks, first + chunk);
    for (uint64_t i = first; i < end && !stop.load(std::memory_order_relaxed); ++i) {
      x.block = &b;
      start_block(x, g, b, i, int(i % uint64_t(config_.sms)));
      while (b.live_threads) {
        step_block(x, b);
        if (!b.live_threads) break;
        if (unstick_warps(x, b, true)) continue;
        bool parked = false;
        for (auto& w : b.warps)
          for (const Split& s : w->splits) parked |= s.wait == Wait::parked;
        if (parked) {
          std::vector<Block*> blocks{&b};
          std::vector<Grid*> grids{&g};
          deadlock(x, blocks, grids);
        }
        block_stuck(x, b);
      }
      finish_block(x, b);
      poll(x);
    }
    __atomic_fetch_add(&g.finished, end - first, __ATOMIC_RELAXED);  // for progress
  }
}

void Machine::run_parallel(Grid& g) {
  int threads =
      config_.control.threads > 0 ? config_.control.threads : int(std::thread::hardware_concurrency());
  threads = int(std::min<uint64_t>(uint64_t(std::max(1, threads)), std::max<uint64_t>(1, g.blocks / 4)));
  has_commits_ = config_.hierarchy != nullptr;
  waiting_.clear();
  next_commit_ = 0;
  std::atomic<uint64_t> next{0};
  std::atomic<bool> stop{false};
  if (threads == 1) {
    serial_ = true;
    run_blocks(exec(0), g, next, stop);
    return;
  }
  // Should anything be found, the launch is run again from the start, in order, so that what is reported is
  // the same whatever the number of threads.
  struct Saved {
    Region* region;
    std::vector<std::byte> bytes;
    ShadowCopy shadow;
  };
  std::vector<Saved> saved;
  for (const auto& r : memory_.regions())
    if (!r->freed && r->data && !r->read_only && device_can_access(r->owner) && r->owner != Owner::constant &&
        (!g.writes_known || std::find(g.writes.begin(), g.writes.end(), r.get()) != g.writes.end()))
      saved.push_back({r.get(), {r->data, r->data + r->size}, save_shadow(*r)});
  for (int t = 0; t < threads; ++t) exec(t);
  g.counters.clear();
  g.counters.resize(size_t(threads));
  serial_ = false;
  attempt_ = true;
  dirty_ = false;
  std::exception_ptr error;
  std::vector<std::thread> workers;
  for (int t = 0; t < threads; ++t)
    workers.emplace_back([&, t] {
      Exec& x = exec(t);
      x.grid = nullptr;
      try {
        run_blocks(x, g, next, stop);
      } catch (...) {
        std::lock_guard guard(lock_);
        error = std::current_exception();
        dirty_ = true;
      }
      if (dirty_) stop = true;
    });
  for (auto& w : workers) w.join();
  attempt_ = false;
  serial_ = true;
  waiting_.clear();
  if (error) {
    try {
      std::rethrow_exception(error);
    } catch (const RunStopped& s) {
      if (s.status == Status::timeout) throw;
    }
  }
  if (!dirty_) {
    flush_printed(printed_);
    return;
  }
  printed_.clear();
  for (Saved& s : saved) {
    std::memcpy(s.region->data, s.bytes.data(), s.bytes.size());
    restore_shadow(*s.region, std::move(s.shadow));
  }
  for (auto& x : execs_) x->grid = nullptr;
  g.counters.clear();
  g.trace->detailed.clear();
  g.trace->blocks.assign(g.blocks, {});
  g.finished = 0;
  selected_ = ~0u;
  next = 0;
  stop = false;
  run_blocks(exec(0), g, next, stop);
}

/// Would a split that waits for other blocks get on?
bool Machine::may_go_on(Block& b, Warp& w) {
  if (b.cluster && b.cluster->phase != w.cluster_phase) return true;
  return b.grid->waits_for_finish && b.grid->waits_for_finish();
}

void Machine::run_serial(std::vector<Grid*>& set) {
  serial_ = true;
  has_commits_ = config_.hierarchy != nullptr;
  Exec& x = exec(0);
  std::vector<std::unique_ptr<Block>> owned;
  std::vector<double> used(size_t(config_.sms), 0.0);
  auto share = [&](const Grid& g) { return 1.0 / std::max(1, g.node->blocks_per_sm); };
  resident_.clear();
  auto startable = [&](const Grid& g) {
    for (uint32_t n : g.node->after_start) {
      const Grid& before = *grids_[n];
      if (before.finished + before.triggered < before.blocks) return false;
    }
    return true;
  };
  std::vector<Grid*> order = set;
  std::stable_sort(order.begin(), order.end(),
                   [](const Grid* a, const Grid* b) { return a->node->priority < b->node->priority; });
  auto admit = [&] {
    bool any = false;
    for (Grid* g : order) {
      const uint64_t cluster = std::max<uint64_t>(1, g->cluster.count());
      while (g->next < g->blocks && startable(*g)) {
        // A cluster's blocks start together.
        std::vector<int> places;
        std::vector<double> trial = used;
        for (uint64_t k = 0; k < cluster; ++k) {
          int best = -1;
          for (int s = 0; s < config_.sms; ++s)
            if (trial[size_t(s)] + share(*g) <= 1.0 + 1e-9 &&
                (best < 0 || trial[size_t(s)] < trial[size_t(best)] - 1e-9))
              best = s;
          if (best < 0) break;
          trial[size_t(best)] += share(*g);
          places.push_back(best);
        }
        if (places.size() < cluster)
          return any;  // a launch that waits for room keeps those behind it waiting
        std::vector<Block*> members;
        for (uint64_t k = 0; k < cluster; ++k) {
          std::unique_ptr<Block> b;
          if (!x.block_pool.empty()) {
            b = std::move(x.block_pool.back());
            x.block_pool.pop_back();
          } else {
            b = std::make_unique<Block>();
          }
          use_grid(x, *g);
          uint64_t linear = g->next + k;
          if (cluster > 1) {
            const Dim3 c = g->cluster;
            const Dim3 in{g->grid.x / c.x, g->grid.y / c.y, g->grid.z / c.z};
            const Dim3 which = in.at(g->next / cluster), at = c.at(k);
            linear =
                (which.x * c.x + at.x) +
                uint64_t(g->grid.x) * ((which.y * c.y + at.y) + uint64_t(g->grid.y) * (which.z * c.z + at.z));
          }
          start_block(x, *g, *b, linear, places[k]);
          b->cluster_rank = uint32_t(k);
          used[size_t(places[k])] += share(*g);
          members.push_back(b.get());
          resident_.push_back(b.get());
          owned.push_back(std::move(b));
        }
        if (cluster > 1) {
          g->clusters.push_back(std::make_unique<Cluster>());
          g->clusters.back()->blocks = members;
          for (Block* b : members) b->cluster = g->clusters.back().get();
        }
        g->next += cluster;
        any = true;
      }
      if (g->next < g->blocks && startable(*g)) break;
    }
    return any;
  };
  auto retire = [&](Block* b) {
    Grid& g = *b->grid;
    used[size_t(b->sm)] -= share(g);
    finish_block(x, *b);
    ++g.finished;
    if (b->triggered) --g.triggered;
    resident_.erase(std::find(resident_.begin(), resident_.end(), b));
    auto it = std::find_if(owned.begin(), owned.end(), [&](auto& o) { return o.get() == b; });
    if (b->cluster) {
      // Others of the cluster may still read its shared memory: kept until the launch ends.
      for (Block*& m : b->cluster->blocks)
        if (m == b) m = nullptr;
    }
    x.block_pool.push_back(std::move(*it));
    owned.erase(it);
  };
  for (;;) {
    bool progress = admit();
    if (resident_.empty()) break;
    for (size_t i = 0; i < resident_.size();) {
      Block* b = resident_[i];
      if (wake(*b, x)) progress = true;
      // Those that wait for other blocks look again.
      bool retried = false;
      for (auto& w : b->warps)
        for (Split& s : w->splits)
          if (s.wait == Wait::wait_group && may_go_on(*b, *w)) s.wait = Wait::ready, retried = true;
      progress |= retried;
      x.block = b;
      use_grid(x, *b->grid);
      progress |= step_block(x, *b);
      poll(x);
      if (b->live_threads == 0) {
        retire(b);
        progress = true;
        if (admit()) progress = true;
      } else {
        ++i;
      }
    }
    if (progress) continue;
    // Nobody can go on: first by giving up meeting points, then it is a deadlock or a hang.
    for (Block* b : resident_) {
      x.block = b;
      use_grid(x, *b->grid);
      progress |= unstick_warps(x, *b, true);
    }
    if (progress) continue;
    for (Block* b : resident_) {
      bool parked = false, other = b->cluster != nullptr;
      for (auto& w : b->warps)
        for (const Split& s : w->splits)
          parked |= s.wait == Wait::parked, other |= s.wait == Wait::wait_group;
      if (!parked && !other) block_stuck(x, *b);
    }
    deadlock(x, resident_, set);
  }
}

void Machine::deadlock(Exec& x, std::vector<Block*>& blocks, std::vector<Grid*>& set) {
  Diagnostic d;
  d.kind = "deadlock";
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
        const SourceLoc at = place_of(program_, s.frame->code->index, s.pc->ptx);
        const Dim3 t = thread_of(x, w->index * 32 + uint32_t(std::countr_zero(s.mask)));
        std::string what = s.watches.empty() ? "memory"
                           : window::in(s.watches[0].address, window::shared)
                               ? fmt::format("shared memory + {}", s.watches[0].address - window::shared)
                               : memory_.describe(s.watches[0].address);
        std::string holds = s.watches.empty() ? "" : fmt::format(" (it holds {})", s.watches[0].value);
        if (first) {
          d.where = at;
          d.kernel = b->grid->code->fn->demangled;
          d.block = b->index;
          d.thread = t;
          d.message = fmt::format(
              "Deadlock: this thread waits for {} to change{}, and nobody can change it any more.", what,
              holds);
          first = false;
        } else if (d.related.size() < 4) {
          d.related.push_back(
              {at,
               fmt::format("{} block ({}, {}, {}) waits here for {}{}", b->grid->code->fn->demangled,
                           b->index.x, b->index.y, b->index.z, what, holds),
               b->index, t});
        }
      }
  }
  for (Grid* g : set) waiting += g->blocks - g->next;
  if (!set.empty() && set[0]->ordered && waiting) {
    std::string who;
    for (Grid* g : set)
      if (g->next < g->blocks)
        who +=
            fmt::format("{}{} of {}", who.empty() ? "" : ", ", g->blocks - g->next, g->code->fn->demangled);
    d.message +=
        fmt::format(" {} resident blocks hold every place on the GPU; not started: {}.", blocks.size(), who);
  } else if (parked > 1) {
    d.message += fmt::format(" {} blocks wait like this.", parked);
  }
  flush_printed(printed_);
  throw RunStopped(Status::finding, std::move(d));
}

void Machine::finish_grid(Grid& g) {
  LaunchTrace& t = *g.trace;
  std::sort(t.detailed.begin(), t.detailed.end(),
            [](const BlockTrace& a, const BlockTrace& b) { return a.block < b.block; });
  for (const Code* c : g.codes) {
    auto& counts = t.counts[c->index];
    counts.resize(c->fn->code.size());
    for (auto& counters : g.counters) {
      if (!counters) continue;
      for (size_t b = 0; b < c->fn->blocks.size(); ++b) {
        const BlockCount& v = counters->visits[c->first_block + b];
        if (!v.visits) continue;
        const ptx::BasicBlock& block = c->fn->blocks[b];
        for (uint32_t i = block.first; i <= block.last && i < counts.size(); ++i) {
          counts[i].executed += v.visits;
          counts[i].lanes += v.lanes;
        }
        t.warp_instructions += v.visits * (block.last - block.first + 1);
        t.thread_instructions += v.lanes * (block.last - block.first + 1);
      }
    }
  }
  const auto& owners = program_.accesses();
  std::vector<uint32_t> width(owners.size(), 0);
  for (const Code* c : g.codes) {
    for (const Inst& i : c->insts)
      width[i.access < width.size() && i.kind == Kind::memory ? i.access : 0] = uint32_t(i.width) * i.count;
    for (const Inst& i : c->guarded)
      width[i.access < width.size() && i.kind == Kind::memory ? i.access : 0] = uint32_t(i.width) * i.count;
  }
  for (auto& counters : g.counters) {
    if (!counters) continue;
    for (size_t a = 1; a < counters->access.size() && a < owners.size(); ++a) {
      AccessCount& c = counters->access[a];
      c.flush();
      auto& list = t.counts[owners[a].function];
      if (owners[a].ptx >= list.size()) continue;
      InstructionCounts& n = list[owners[a].ptx];
      // The bytes that lanes ask for are the program's own, however the assembler joins its accesses.
      const ptx::Instruction& instruction =
          program_.module().functions[owners[a].function].code[owners[a].ptx];
      const bool plain = instruction.guard < 0 && width[a];
      if (plain) n.lane_bytes = n.lanes * width[a];
      if (!c.requests && !c.divergent) continue;
      n.requests += c.requests;
      n.request_lanes += c.sum_lanes;
      n.sectors += c.sum_sectors;
      n.wavefronts += c.sum_wavefronts;
      n.passes += c.sum_passes;
      n.conflicts += c.sum_conflicts;
      n.divergent += c.divergent;
      const uint32_t w = a < g.shapes.size() && g.shapes[a].width ? g.shapes[a].width : width[a];
      if (!plain) n.lane_bytes += c.sum_lanes * w;
    }
  }
  g.counters.clear();
  for (auto& x : execs_)
    if (x->grid == &g) x->grid = nullptr;
  if (g.workspace) memory_.release(g.workspace);
}

std::vector<LaunchTrace> Machine::run() {
  traces_.resize(nodes_.size());
  std::vector<uint8_t> done(nodes_.size(), 0);
  group_base_ = next_ticket_ = shadow_ticket(memory_);
  for (size_t i = 0; i < nodes_.size(); ++i) {
    grids_.push_back(std::make_unique<Grid>());
    Grid& g = *grids_.back();
    g.launch = uint32_t(i);
    g.node = &nodes_[i];
    g.trace = &traces_[i];
    prepare(g);
    if (!nodes_[i].after_start.empty())
      g.waits_for_finish = [this, i] {
        for (uint32_t n : nodes_[i].after_start)
          if (grids_[n]->finished < grids_[n]->blocks) return false;
        return true;
      };
  }
  // Tickets grow with the order in which launches run, which need not be that in which they were queued: a launch whose
  // tags are below a set's first ticket is over.
  for (auto& g : grids_) g->ticket_base = Tag::max_ticket;
  const auto take_tickets = [this](Grid& g) {
    if (next_ticket_ + g.blocks > Tag::max_ticket) {
      clear_all_shadow(memory_);
      next_ticket_ = 1;
      group_base_ = 1;
    }
    g.ticket_base = next_ticket_;
    next_ticket_ += g.blocks;
    note_launch_tickets(memory_, g.ticket_base, g.grid, g.block);
  };
  size_t left = nodes_.size();
  try {
    while (left) {
      // Launches that nothing orders run together.
      std::vector<Grid*> set;
      for (size_t i = 0; i < nodes_.size(); ++i) {
        if (done[i]) continue;
        bool ready = true;
        for (uint32_t a : nodes_[i].after) ready &= bool(done[a]);
        for (uint32_t a : nodes_[i].after_start) {
          bool in_set = done[a];
          for (Grid* g : set) in_set |= g->launch == a;
          ready &= in_set;
        }
        if (ready) set.push_back(grids_[i].get());
      }
      if (set.empty()) break;
      for (Grid* g : set) take_tickets(*g);
      group_base_ = set[0]->ticket_base;
      uint32_t grain = 4;
      for (Grid* g : set)
        group_base_ = std::min(group_base_, g->ticket_base), grain = std::min(grain, g->grain_global);
      for (Grid* g : set) g->grain_global = grain;
      sync_ = {};
      if (config_.control.checks) prepare_global_shadow(memory_, grain);
      bool known = true;
      for (Grid* g : set) known &= g->writes_known = written_regions(memory_, program_, *g, &g->writes);
      if (config_.control.checks && known)
        for (const auto& r : memory_.regions()) {
          auto* s = static_cast<RegionShadow*>(r->shadow.get());
          if (!s || r->freed) continue;
          bool written = false;
          for (Grid* g : set)
            written |= std::find(g->writes.begin(), g->writes.end(), r.get()) != g->writes.end();
          s->untracked = written ? 0 : group_base_;
        }
      bool ordered = false;
      for (Grid* g : set) ordered |= g->ordered || !g->node->after_start.empty();
      if (ordered) {
        // Side by side: every atomic and store is applied at once.
        for (Grid* g : set) g->ordered = true, g->trace->ordered = true;
        run_serial(set);
      } else {
        for (Grid* g : set) run_parallel(*g);
      }
      for (Grid* g : set) {
        finish_grid(*g);
        done[g->launch] = 1;
        --left;
      }
    }
  } catch (...) {
    flush_printed(printed_);
    set_shadow_ticket(memory_, next_ticket_);
    throw;
  }
  set_shadow_ticket(memory_, next_ticket_);
  return std::move(traces_);
}

std::vector<LaunchTrace> execute(const Program& p, std::span<const LaunchNode> nodes, AddressSpace& memory,
                                 const MachineConfig& config) {
  return Machine(p, nodes, memory, config).run();
}

Grid* Machine::grid_of_ticket(uint64_t ticket, uint64_t* linear) {
  for (auto& g : grids_)
    if (ticket >= g->ticket_base && ticket < g->ticket_base + g->blocks) {
      *linear = ticket - g->ticket_base;
      return g.get();
    }
  return nullptr;
}

void Machine::report(Exec& x, Diagnostic d) {
  (void)x;
  if (attempt_) {
    dirty_ = true;
    return;
  }
  std::string key = fmt::format("{}|{}:{}", d.kind, d.where.file, d.where.line);
  for (const Related& r : d.related) key += fmt::format("|{}:{}", r.where.file, r.where.line);
  if (!reported_.insert(key).second) return;
  if (reported_.size() > 200) return;
  if (config_.finding) config_.finding(std::move(d));
}

}  // namespace dojo::simt
