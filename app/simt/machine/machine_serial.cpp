// Blocks whose order matters: one thread runs them in a fixed order, as many at a time as the SMs hold.
#include <algorithm>
#include <utility>

#include "simt/checks/shadow_cluster.hpp"
#include "simt/machine/machine_core.hpp"

namespace dojo::simt {

/// Which SMs have room, and whose blocks start there next. Launches of a higher priority come first; a launch
/// that waits for room keeps those behind it waiting.
class Machine::Residency {
 public:
  Residency(Machine& m, Exec& x, const std::vector<Grid*>& set)
      : m_(m), x_(x), used_(size_t(m.config_.sms), 0.0) {
    order(set);
  }

  void order(const std::vector<Grid*>& set) {
    order_ = set;
    std::stable_sort(order_.begin(), order_.end(),
                     [](const Grid* a, const Grid* b) { return a->node->priority < b->node->priority; });
  }

  /// Starts all blocks that there is room for. True if there was any.
  bool admit() {
    bool any = false;
    for (Grid* g : order_)
      while (g->next < g->blocks && startable(*g)) {
        const std::vector<int> sms = room_for_cluster(*g);
        if (sms.empty()) return any;
        start_cluster(*g, sms);
        any = true;
      }
    return any;
  }

  /// Takes a block that is done off its SM.
  void retire(Block* b) {
    Grid& g = *b->grid;
    used_[size_t(b->sm)] -= share(g);
    m_.finish_block(x_, *b);
    ++g.finished;
    if (b->triggered) --g.triggered;
    m_.resident_.erase(std::find(m_.resident_.begin(), m_.resident_.end(), b));
    auto it = std::find_if(m_.owned_.begin(), m_.owned_.end(), [&](auto& o) { return o.get() == b; });
    if (b->cluster) {
      // Others of the cluster may still read its shared memory: kept until the launch ends.
      for (Block*& m : b->cluster->blocks)
        if (m == b) m = nullptr;
    }
    x_.block_pool.push_back(std::move(*it));
    m_.owned_.erase(it);
  }

 private:
  /// Of an SM, that a block takes.
  static double share(const Grid& g) { return 1.0 / std::max(1, g.node->blocks_per_sm); }

  /// Have all blocks of the launches that it depends on ended, or let it start (griddepcontrol)?
  bool startable(const Grid& g) const {
    return std::all_of(g.node->after_start.begin(), g.node->after_start.end(), [&](uint32_t n) {
      const Grid& before = *m_.grids_[n];
      return before.finished + before.triggered >= before.blocks;
    });
  }

  /// An SM for each block of the next cluster, the emptiest first; none where they don't all fit: a cluster's
  /// blocks start together.
  std::vector<int> room_for_cluster(const Grid& g) const {
    std::vector<int> sms;
    std::vector<double> trial = used_;
    const uint64_t blocks = std::max<uint64_t>(1, g.cluster.count());
    for (uint64_t k = 0; k < blocks; ++k) {
      int best = -1;
      for (int s = 0; s < m_.config_.sms; ++s)
        if (trial[size_t(s)] + share(g) <= 1.0 + 1e-9 &&
            (best < 0 || trial[size_t(s)] < trial[size_t(best)] - 1e-9))
          best = s;
      if (best < 0) return {};
      trial[size_t(best)] += share(g);
      sms.push_back(best);
    }
    return sms;
  }

  /// Number in the grid of block `k` of the next cluster.
  static uint64_t linear_of(const Grid& g, uint64_t k) {
    const Dim3 c = g.cluster;
    const uint64_t blocks = std::max<uint64_t>(1, c.count());
    if (blocks == 1) return g.next + k;
    const Dim3 clusters{g.grid.x / c.x, g.grid.y / c.y, g.grid.z / c.z};
    const Dim3 which = clusters.at(g.next / blocks), at = c.at(k);
    return (which.x * c.x + at.x) +
           uint64_t(g.grid.x) * ((which.y * c.y + at.y) + uint64_t(g.grid.y) * (which.z * c.z + at.z));
  }

  std::unique_ptr<Block> spare_block() {
    if (x_.block_pool.empty()) return std::make_unique<Block>();
    std::unique_ptr<Block> b = std::move(x_.block_pool.back());
    x_.block_pool.pop_back();
    return b;
  }

  void start_cluster(Grid& g, const std::vector<int>& sms) {
    std::vector<Block*> members;
    for (uint64_t k = 0; k < sms.size(); ++k) {
      std::unique_ptr<Block> b = spare_block();
      m_.start_block(x_, g, *b, linear_of(g, k), sms[k]);
      b->cluster_rank = uint32_t(k);
      used_[size_t(sms[k])] += share(g);
      members.push_back(b.get());
      m_.resident_.push_back(b.get());
      m_.owned_.push_back(std::move(b));
    }
    if (members.size() > 1) {
      g.clusters.push_back(std::make_unique<Cluster>());
      g.clusters.back()->blocks = members;
      for (Block* b : members) b->cluster = g.clusters.back().get();
    }
    g.next += sms.size();
  }

  Machine& m_;
  Exec& x_;
  std::vector<Grid*> order_;
  std::vector<double> used_;  ///< by SM, 0 to 1
};

/// Would a split that waits for other blocks get on?
bool Machine::may_go_on(Block& b, Warp& w) {
  // Threads that ended since the last arrival count as arrived.
  if (Cluster* c = b.cluster; c && c->arrived) end_phase_if_all_came(*c, b.grid->threads);
  if (b.cluster && b.cluster->phase != w.cluster_phase) return true;
  return b.grid->waits_for_finish && b.grid->waits_for_finish();
}

void Machine::reverse_resident() {
  const auto begun = [](const Block* b) {
    return std::any_of(b->warps.begin(), b->warps.end(), [](const auto& w) { return w->executed > 0; });
  };
  const auto first_begun =
      std::stable_partition(resident_.begin(), resident_.end(), [&](const Block* b) { return !begun(b); });
  // Of launches that nothing orders the last one begins first: it meets flags that an earlier call has left.
  std::stable_sort(resident_.begin(), first_begun,
                   [](const Block* a, const Block* b) { return a->grid->launch > b->grid->launch; });
  std::stable_sort(first_begun, resident_.end(), [](const Block* a, const Block* b) {
    return a->grid == b->grid ? a->linear > b->linear : a->grid->launch > b->grid->launch;
  });
}

/// Runs each resident block as far as it goes. True if any went on, ended or was replaced.
bool Machine::step_residents(Exec& x, Residency& residency) {
  bool progress = false;
  for (size_t i = 0; i < resident_.size();) {
    Block* b = resident_[i];
    if (wake(*b, x)) progress = true;
    // Those that wait for other blocks look again.
    for (auto& w : b->warps)
      for (Split& s : w->splits)
        if (s.wait == Wait::wait_group && may_go_on(*b, *w)) s.wait = Wait::ready, progress = true;
    x.block = b;
    use_grid(x, *b->grid, b->detail);
    progress |= step_block(x, *b);
    poll(x);
    if (b->live_threads == 0) {
      residency.retire(b);
      progress = true;
      residency.admit();
    } else {
      ++i;
    }
  }
  return progress;
}

/// Lanes that wait at places where they will never all meet go on without the others. True if any did.
bool Machine::unstick_residents(Exec& x) {
  bool any = false;
  for (Block* b : resident_) {
    x.block = b;
    use_grid(x, *b->grid, b->detail);
    any |= unstick_warps(x, *b, true);
  }
  return any;
}

bool Machine::let_host_run(Exec& x) {
  if (!config_.host) return false;
  const auto parked = [](const Block* b) {
    return std::any_of(b->warps.begin(), b->warps.end(), [](const auto& w) {
      return std::any_of(w->splits.begin(), w->splits.end(),
                         [](const Split& s) { return s.wait == Wait::parked; });
    });
  };
  if (std::none_of(resident_.begin(), resident_.end(), parked)) return false;
  flush_printed(printed_);
  return config_.host->kernel_waits(std::exchange(host_ran_, true), [&] { return waiting_of(x, resident_); });
}

/// No block can go on: reports one that waits for its own lanes, or else the deadlock between blocks.
void Machine::report_stuck(Exec& x, std::vector<Grid*>& set) {
  for (Block* b : resident_) {
    bool waits_for_others = b->cluster != nullptr;
    for (auto& w : b->warps)
      for (const Split& s : w->splits)
        waits_for_others |= s.wait == Wait::parked || s.wait == Wait::wait_group;
    if (!waits_for_others) block_stuck(x, *b);
  }
  deadlock(x, resident_, set);
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
  resident_.clear();
  sync_.stepwise.clear(), sync_.last_look.clear();
  Residency residency(*this, x, set);
  for (;;) {
    bool progress = residency.admit();
    if (resident_.empty()) break;
    if (interleaved_ || !sync_.stepwise.empty()) reverse_resident();
    progress |= step_residents(x, residency);
    if (std::exchange(polled_, false) && config_.host) config_.host->kernel_polls();
    if (progress || unstick_residents(x)) {
      host_ran_ = false;
      continue;
    }
    // What they wait for may be behind a launch that has ended: in another stream, say.
    if (join_set(set))
      residency.order(set);
    else if (!let_host_run(x))
      report_stuck(x, set);
  }
}

}  // namespace dojo::simt
