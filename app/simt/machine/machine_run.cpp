// The blocks of a launch: all cores at once where no order matters, else one fixed order with residency.
#include "simt/machine/machine_core.hpp"

#include <algorithm>
#include <barrier>
#include <mutex>
#include <thread>

namespace dojo::simt {

void Machine::run_blocks(Exec& x, Grid& g, std::atomic<uint64_t>& next, std::atomic<bool>& stop) {
  use_grid(x, g);
  if (x.block_pool.empty()) x.block_pool.push_back(std::make_unique<Block>());
  Block& b = *x.block_pool.back();
  constexpr size_t long_log =
      size_t(1) << 16;  // blocks that make such are taken one by one: later ones' logs wait for them
  uint64_t chunk = std::max<uint64_t>(1, std::min<uint64_t>(32, g.blocks / 64));
  while (!stop.load(std::memory_order_relaxed) && !(attempt_ && dirty_)) {
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
      if (b.log.size() > long_log) chunk = 1;
      finish_block(x, b);
      poll(x);
    }
    __atomic_fetch_add(&g.finished, end - first, __ATOMIC_RELAXED);  // for progress
  }
}

namespace {

/// Room for what a launch may overwrite, kept from launch to launch: fresh pages cost more than the copy.
class SpareRoom {
 public:
  using Bytes = std::unique_ptr<std::byte[]>;
  std::pair<Bytes, uint64_t> take(uint64_t bytes) {
    std::lock_guard guard(lock_);
    for (auto& [room, size] : spare_)
      if (size >= bytes && size / 2 <= bytes) {
        std::pair<Bytes, uint64_t> found{std::move(room), size};
        room = std::move(spare_.back().first), size = spare_.back().second;
        spare_.pop_back();
        held_ -= found.second;
        return found;
      }
    return {std::make_unique_for_overwrite<std::byte[]>(bytes), bytes};
  }
  void give(Bytes room, uint64_t size) {
    constexpr uint64_t most = uint64_t(1) << 30;
    std::lock_guard guard(lock_);
    if (held_ + size > most) return;
    held_ += size;
    spare_.push_back({std::move(room), size});
  }

 private:
  std::mutex lock_;
  std::vector<std::pair<Bytes, uint64_t>> spare_;
  uint64_t held_ = 0;
};
SpareRoom spare_room;

}  // namespace

void Machine::run_parallel(Grid& g) {
  int threads =
      config_.control.threads > 0 ? config_.control.threads : int(std::thread::hardware_concurrency());
  threads = int(std::min<uint64_t>(uint64_t(std::max(1, threads)), std::max<uint64_t>(1, g.blocks / 4)));
  has_commits_ = config_.hierarchy != nullptr;
  waiting_.clear();
  waiting_accesses_ = 0;
  applying_ = false;
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
    SpareRoom::Bytes bytes;
    uint64_t room;
    ShadowCopy shadow;
    Saved(Region* r, std::pair<SpareRoom::Bytes, uint64_t> b, ShadowCopy s)
        : region(r), bytes(std::move(b.first)), room(b.second), shadow(std::move(s)) {}
    Saved(Saved&&) = default;
    ~Saved() {
      if (bytes) spare_room.give(std::move(bytes), room);
    }
  };
  struct Slice {
    const std::byte* from;
    std::byte* to;
    uint64_t size;
  };
  std::vector<Saved> saved;
  std::vector<Slice> slices;
  constexpr uint64_t slice = 256 * 1024;
  for (const auto& r : memory_.regions())
    if (!r->freed && r->data && !r->read_only && device_can_access(r->owner) && r->owner != Owner::constant &&
        (!g.writes_known || std::find(g.writes.begin(), g.writes.end(), r.get()) != g.writes.end())) {
      saved.emplace_back(r.get(), spare_room.take(r->size), save_shadow(*r, g.over[0].below < g.ticket_base));
      for (uint64_t at = 0; at < r->size; at += slice)
        slices.push_back({r->data + at, saved.back().bytes.get() + at, std::min(slice, r->size - at)});
    }
  std::atomic<size_t> next_slice{0};
  std::barrier all_saved(threads);
  for (int t = 0; t < threads; ++t) exec(t);
  g.counters.clear();
  g.counters.resize(size_t(threads));
  count_all();
  const uint64_t executed_before = executed_;
  serial_ = false;
  attempt_ = true;
  dirty_ = false;
  std::exception_ptr error;
  std::vector<std::thread> workers;
  for (int t = 0; t < threads; ++t)
    workers.emplace_back([&, t] {
      Exec& x = exec(t);
      x.grid = nullptr;
      x.log_reds = true;
      for (size_t i; (i = next_slice.fetch_add(1)) < slices.size();)
        std::memcpy(slices[i].to, slices[i].from, slices[i].size);
      all_saved.arrive_and_wait();
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
  for (auto& x : execs_) x->log_reds = x->pending_reds = false;
  serial_ = true;
  waiting_.clear();
  waiting_accesses_ = 0;
  // Which of the threads meets the limit is chance, and so is what else they have found by then: in order it
  // is the same wherever it runs.
  const bool too_long = count_all() || over_limit_;
  if (error && !too_long) {
    try {
      std::rethrow_exception(error);
    } catch (const RunStopped& s) {
      if (s.status == Status::timeout) throw;
    }
  }
  if (!dirty_ && !too_long) {
    flush_printed(printed_);
    return;
  }
  executed_ = executed_before;
  over_limit_ = false;
  printed_.clear();
  for (Saved& s : saved) {
    std::memcpy(s.region->data, s.bytes.get(), s.region->size);
    restore_shadow(*s.region, std::move(s.shadow));
  }
  for (auto& x : execs_) {
    x->grid = nullptr;
    for (auto& b : x->block_pool) b->done = true;
  }
  g.counters.clear();
  g.trace->detailed.clear();
  g.trace->blocks.assign(g.blocks, {});
  g.finished = 0;
  selected_ = ~0u;
  pending_.clear();
  next = 0;
  stop = false;
  run_blocks(exec(0), g, next, stop);
}

/// Would a split that waits for other blocks get on?
bool Machine::may_go_on(Block& b, Warp& w) {
  if (b.cluster && b.cluster->phase != w.cluster_phase) return true;
  return b.grid->waits_for_finish && b.grid->waits_for_finish();
}

void Machine::reverse_resident() {
  const auto begun = [](const Block* b) {
    return std::any_of(b->warps.begin(), b->warps.end(), [](const auto& w) { return w->executed > 0; });
  };
  const auto first_begun =
      std::stable_partition(resident_.begin(), resident_.end(), [&](const Block* b) { return !begun(b); });
  std::stable_sort(first_begun, resident_.end(), [](const Block* a, const Block* b) {
    return a->grid == b->grid ? a->linear > b->linear : a->grid->launch > b->grid->launch;
  });
}

/// Runs blocks whose order matters. Each runs as far as it can, in the order of their numbers: so a block
/// finds those before it done, and its waiting is hardly ever tested. Where no time is modelled, in code
/// compiled as written, they run interleaved instead: each goes on to its next barrier or wait, the last
/// block first. Then a look-back, for example, meets blocks that have published a part only.
///
/// Blocks of a launch that publishes parts (SyncState::stepwise) go on to their next look at another block's
/// word, the last block first: a look sees what was published a round before, as if all took as long.
void Machine::run_serial(std::vector<Grid*>& set) {
  serial_ = true;
  has_commits_ = config_.hierarchy != nullptr;
  Exec& x = exec(0);
  owned_.clear();
  sync_.stepwise.clear(), sync_.last_look.clear();
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
  std::vector<Grid*> order;
  auto by_priority = [&] {
    order = set;
    std::stable_sort(order.begin(), order.end(),
                     [](const Grid* a, const Grid* b) { return a->node->priority < b->node->priority; });
  };
  by_priority();
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
          owned_.push_back(std::move(b));
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
    auto it = std::find_if(owned_.begin(), owned_.end(), [&](auto& o) { return o.get() == b; });
    if (b->cluster) {
      // Others of the cluster may still read its shared memory: kept until the launch ends.
      for (Block*& m : b->cluster->blocks)
        if (m == b) m = nullptr;
    }
    x.block_pool.push_back(std::move(*it));
    owned_.erase(it);
  };
  for (;;) {
    bool progress = admit();
    if (resident_.empty()) break;
    if (interleaved_ || !sync_.stepwise.empty()) reverse_resident();
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
    // Whom they wait for may be behind a launch that has ended: in another stream, say.
    if (join_set(set)) {
      by_priority();
      continue;
    }
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

}  // namespace dojo::simt
