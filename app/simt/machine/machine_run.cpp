// The blocks of a launch whose order does not matter: on all cores at once. Others: machine_serial.cpp.
#include "simt/machine/machine_core.hpp"

#include <algorithm>
#include <barrier>
#include <mutex>
#include <thread>

namespace dojo::simt {

void Machine::run_blocks(Exec& x, Grid& g, std::atomic<uint64_t>& next, std::atomic<bool>& stop) {
  use_grid(x, g, true);
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

/// Memory that a launch may overwrite, with its shadow, as it was before. The bytes are copied by several
/// threads.
class SavedMemory {
 public:
  ~SavedMemory() {
    for (Saved& s : saved_) spare_room.give(std::move(s.bytes), s.room);
  }
  void add(Region& r, ShadowCopy shadow) {
    constexpr uint64_t slice = 256 * 1024;
    auto [bytes, room] = spare_room.take(r.size);
    for (uint64_t at = 0; at < r.size; at += slice)
      slices_.push_back({r.data + at, bytes.get() + at, std::min(slice, r.size - at)});
    saved_.push_back({&r, std::move(bytes), room, std::move(shadow)});
  }
  /// Copies slices until none is left; for each thread.
  void copy_slices() {
    for (size_t i; (i = next_.fetch_add(1)) < slices_.size();)
      std::memcpy(slices_[i].to, slices_[i].from, slices_[i].size);
  }
  void restore() {
    for (Saved& s : saved_) {
      std::memcpy(s.region->data, s.bytes.get(), s.region->size);
      restore_shadow(*s.region, std::move(s.shadow));
    }
  }

 private:
  struct Saved {
    Region* region;
    SpareRoom::Bytes bytes;
    uint64_t room;
    ShadowCopy shadow;
  };
  struct Slice {
    const std::byte* from;
    std::byte* to;
    uint64_t size;
  };
  std::vector<Saved> saved_;
  std::vector<Slice> slices_;
  std::atomic<size_t> next_{0};
};

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
  if (threads == 1) {
    serial_ = true;
    run_all_blocks(g);
    return;
  }
  // Should anything be found, the launch is run again from the start, in order, so that what is reported is
  // the same whatever the number of threads.
  SavedMemory saved;
  for (const auto& r : memory_.regions())
    if (!r->freed && r->data && !r->read_only && r->on_device() && r->owner != Owner::constant &&
        (!g.writes_known || std::find(g.writes.begin(), g.writes.end(), r.get()) != g.writes.end()))
      saved.add(*r, save_shadow(*r, g.over[0].below < g.ticket_base));
  for (int t = 0; t < threads; ++t) exec(t);
  g.counters.clear();
  g.counters.resize(2 * size_t(threads));
  count_all();
  const uint64_t executed_before = executed_;
  const std::exception_ptr error = attempt(g, threads, [&] { saved.copy_slices(); });
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
  saved.restore();
  forget_attempt(g);
  run_all_blocks(g);
}

/// Runs all blocks of a launch on as many threads at once, the calling one among them; each calls `begin`
/// first, and starts when all have. Ends early at the first finding, and then dirty_ is set. Returns what a
/// thread threw.
std::exception_ptr Machine::attempt(Grid& g, int threads, const std::function<void()>& begin) {
  std::atomic<uint64_t> next{0};
  std::atomic<bool> stop{false};
  std::barrier all_begun(threads);
  serial_ = false;
  attempt_ = true;
  dirty_ = false;
  std::exception_ptr error;
  const auto work = [&](int t) {
    Exec& x = exec(t);
    x.grid = nullptr;
    x.log_reds = true;
    begin();
    all_begun.arrive_and_wait();
    try {
      run_blocks(x, g, next, stop);
    } catch (...) {
      std::lock_guard guard(lock_);
      error = std::current_exception();
      dirty_ = true;
    }
    if (dirty_) stop = true;
  };
  {
    std::vector<std::jthread> workers;
    int begun = 1;
    try {
      for (; begun < threads; ++begun) workers.emplace_back(work, begun);
    } catch (const std::exception&) {  // the limit of processes, or no memory for a stack: fewer do
      for (; begun < threads; ++begun) all_begun.arrive_and_drop();
    }
    work(0);
  }
  attempt_ = false;
  for (auto& x : execs_) x->log_reds = x->pending_reds = false;
  serial_ = true;
  waiting_.clear();
  waiting_accesses_ = 0;
  return error;
}

/// After an attempt: what it left of counts, traces and text goes, as if it had not been.
void Machine::forget_attempt(Grid& g) {
  over_limit_ = false;
  printed_.clear();
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
}

void Machine::run_all_blocks(Grid& g) {
  std::atomic<uint64_t> next{0};
  std::atomic<bool> stop{false};
  run_blocks(exec(0), g, next, stop);
}
}  // namespace dojo::simt
