#include "ptx/executed.hpp"

#include "ptx/opcode_class.hpp"

#include <algorithm>

namespace dojo::ptx {
namespace {

struct BlockCount {
  uint64_t visits = 0, lanes = 0, idle_eights = 0;
};

/// A block's visits: those of its unguarded instructions, which all run equally often.
std::vector<BlockCount> block_counts(const Function& f, std::span<const Visited> visited) {
  std::vector<BlockCount> counts(f.blocks.size());
  for (size_t b = 0; b < f.blocks.size(); ++b)
    for (uint32_t i = f.blocks[b].first; i <= f.blocks[b].last && i < visited.size(); ++i) {
      counts[b].visits = std::max(counts[b].visits, visited[i].executed);
      counts[b].lanes = std::max(counts[b].lanes, visited[i].lanes);
      counts[b].idle_eights = std::max(counts[b].idle_eights, visited[i].idle_eights);
    }
  return counts;
}

/// How often a block is entered anew (not by a back edge), and its visits: runs and their mean length.
struct Runs {
  uint64_t entries = 0, visits = 0;
  /// Total over all runs of a function of the length, when lengths are as equal as can be.
  uint64_t sum(const ShapeOp& op) const {
    uint64_t short_length = entries ? visits / entries : 0, longer = entries ? visits % entries : 0;
    return (entries - longer) * runs_in(op, short_length) + longer * runs_in(op, short_length + 1);
  }
};

/// Visits of a block that begin a run: all but those that come along a back edge.
uint64_t entries(const Function& f, uint32_t b, const std::vector<BlockCount>& counts,
                 const std::vector<std::vector<uint64_t>>& edges) {
  uint64_t back = 0, forward = 0;
  for (uint32_t p = 0; p < f.blocks.size(); ++p)
    for (size_t k = 0; k < f.blocks[p].successors.size(); ++k)
      if (f.blocks[p].successors[k] == b) (f.blocks[p].back_edge && p >= b ? back : forward) += edges[p][k];
  if (b == 0 || back + forward == 0) return std::max<uint64_t>(counts[b].visits, 1);
  // Lanes tell the share; whole warps enter as a rule.
  double share = double(forward) / double(back + forward);
  return std::clamp<uint64_t>(uint64_t(double(counts[b].visits) * share + 0.5), 1,
                              std::max<uint64_t>(counts[b].visits, 1));
}

/// Whether much of the arithmetic was counted less often than the blocks it stands in were visited: then a
/// loop was taken for unrolled that isn't, or copies of it were not found. (What ptxas moved to where fewer
/// warps come stands in another block.)
bool fewer_than_visits(const Function& f, const std::vector<BlockCount>& counts,
                       const std::vector<uint64_t>& by_ptx) {
  uint64_t missing = 0, all = 0;
  for (size_t b = 0; b < f.blocks.size(); ++b)
    for (uint32_t i = f.blocks[b].first; i <= f.blocks[b].last; ++i) {
      if (!f.code[i].meaning.is({Op::fma, Op::add, Op::mul}) || by_ptx[i] == 0 || f.code[i].guard >= 0)
        continue;
      if (std::none_of(f.code[i].parts.begin(), f.code[i].parts.end(),
                       [](const std::string& t) { return t == "f32" || t == "f64"; }))
        continue;
      all += counts[b].visits;
      missing += counts[b].visits - std::min(counts[b].visits, by_ptx[i]);
    }
  return missing * 4 > all;
}

}  // namespace

bool runs_at(const ShapeOp& op, uint64_t visit, uint64_t length) {
  if (op.period == 0) return visit == 0 && length >= op.below;
  if (op.period == 1 && op.phase) return visit >= op.phase;
  uint64_t rest = op.below ? length % op.below : length;
  uint64_t first = length - rest;
  if (visit < first) return false;
  uint64_t whole =
      rest / op.period * op.period;  // what is left over of this step belongs to the next smaller one
  return visit - first < whole && (visit - first) % op.period == op.phase;
}

uint64_t runs_in(const ShapeOp& op, uint64_t length) {
  if (op.period == 0) return length && length >= op.below ? 1 : 0;
  if (op.period == 1 && op.phase) return length - std::min<uint64_t>(length, op.phase);
  return (op.below ? length % op.below : length) / op.period;
}

std::vector<std::vector<uint64_t>> edge_lanes(const Function& f, std::span<const Visited> visited) {
  auto counts = block_counts(f, visited);
  size_t n = f.blocks.size();
  std::vector<std::vector<uint64_t>> edges(n);
  std::vector<std::vector<uint8_t>> known(n);
  std::vector<std::vector<std::pair<uint32_t, uint32_t>>> in(n);  // (block, successor number)
  for (uint32_t b = 0; b < n; ++b) {
    edges[b].assign(f.blocks[b].successors.size(), 0);
    known[b].assign(edges[b].size(), 0);
    for (uint32_t k = 0; k < edges[b].size(); ++k) in[f.blocks[b].successors[k]].push_back({b, k});
  }
  for (uint32_t b = 0; b < n; ++b) {
    uint32_t last = f.blocks[b].last;
    if (last >= visited.size() || visited[last].taken < 0 || edges[b].size() != 2) continue;
    uint64_t taken = std::min(uint64_t(visited[last].taken), counts[b].lanes);
    edges[b] = {taken, counts[b].lanes - taken};
    known[b] = {1, 1};
  }
  // Lanes that leave the function inside a block (guarded exits) loosen its outgoing sum; that of the entry
  // is loosened by the call itself when it is also a loop's head.
  auto outgoing_exact = [&](uint32_t b) {
    const Instruction& last = f.code[f.blocks[b].last];
    return !edges[b].empty() && !last.meaning.returns();
  };
  auto settle = [&](uint64_t total, auto&& list, auto&& at, auto&& is_known) {
    size_t open = 0;
    uint64_t sum = 0;
    decltype(&list[0]) last = nullptr;
    for (auto& e : list) {
      if (is_known(e))
        sum += at(e);
      else
        ++open, last = &e;
    }
    if (open != 1) return false;
    at(*last) = total > sum ? total - sum : 0;
    is_known(*last) = 1;
    return true;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t b = 0; b < n; ++b) {
      if (outgoing_exact(b)) {
        std::vector<uint32_t> out(edges[b].size());
        for (uint32_t k = 0; k < out.size(); ++k) out[k] = k;
        changed |= settle(
            counts[b].lanes, out, [&](uint32_t k) -> uint64_t& { return edges[b][k]; },
            [&](uint32_t k) -> uint8_t& { return known[b][k]; });
      }
      if (b != 0 && !in[b].empty())
        changed |= settle(
            counts[b].lanes, in[b], [&](auto e) -> uint64_t& { return edges[e.first][e.second]; },
            [&](auto e) -> uint8_t& { return known[e.first][e.second]; });
    }
    if (changed) continue;
    // Nothing follows any more: let an open edge take all it can, first those into loops, then in order.
    for (int turn = 0; turn < 2 && !changed; ++turn)
      for (uint32_t b = 0; b < n && !changed; ++b)
        for (uint32_t k = 0; k < edges[b].size() && !changed; ++k) {
          uint32_t to = f.blocks[b].successors[k];
          if (known[b][k] || (turn == 0 && (f.blocks[b].in_loop || !f.blocks[to].in_loop))) continue;
          uint64_t out = counts[b].lanes, into = counts[to].lanes;
          for (size_t j = 0; j < edges[b].size(); ++j) out -= known[b][j] ? std::min(out, edges[b][j]) : 0;
          for (auto [p, j] : in[to]) into -= known[p][j] ? std::min(into, edges[p][j]) : 0;
          edges[b][k] = std::min(out, into);
          known[b][k] = 1;
          changed = true;
        }
  }
  return edges;
}

namespace {

/// Counts the machine instructions of a function block by block.
class Counting {
 public:
  Counting(const CodeShape& shape, const Function& f, std::span<const Visited> visited)
      : shape_(shape), f_(f), visited_(visited), routine_counted_(f.code.size()), by_ptx_(f.code.size()) {
    result_.estimated = shape.estimated;
    result_.by_instruction.resize(f.code.size());
    counts_ = block_counts(f, visited);
    edges_ = edge_lanes(f, visited);
  }

  ExecutedCounts all() {
    for (size_t b = 0; b < shape_.blocks.size() && b < f_.blocks.size(); ++b) add_block(b);
    for (size_t i = 0; i < f_.code.size() && i < visited_.size(); ++i)
      if (i < shape_.divergent_counts.size() && shape_.divergent_counts[i])
        result_.divergent_branches += visited_[i].divergent;
    result_.estimated |= fewer_than_visits(f_, counts_, by_ptx_);
    return std::move(result_);
  }

 private:
  uint64_t lanes_of_edge(int32_t from, int32_t to) const {
    auto& out = f_.blocks[size_t(from)].successors;
    for (size_t k = 0; k < out.size(); ++k)
      if (out[k] == uint32_t(to)) return edges_[size_t(from)][k];
    return 0;
  }

  /// A block's visits without those that its exits, moved to other blocks by ptxas, leave early.
  BlockCount visits_of(size_t b) const {
    BlockCount here = counts_[b];
    for (uint32_t from : shape_.blocks[b].exits_from) {
      // Visits through this edge: when all lanes leave (the other successor is not visited), and when they
      // part.
      uint64_t on = 0;
      for (uint32_t s : f_.blocks[from].successors)
        if (s != b) on += std::min(counts_[s].visits, counts_[from].visits);
      const uint64_t parted = visited_[f_.blocks[from].last].divergent;
      const uint64_t left = counts_[from].visits - std::min(on, counts_[from].visits) + parted;
      here.visits -= std::min(here.visits, left);
      here.lanes -= std::min(here.lanes, lanes_of_edge(int32_t(from), int32_t(b)));
    }
    return here;
  }

  void add_block(size_t b) {
    const ShapeBlock& block = shape_.blocks[b];
    const BlockCount here = visits_of(b);
    for (size_t k = 0; k < block.ops.size(); ++k) {
      const ShapeOp& op = block.ops[k];
      if (op.routine)
        add_routine(op);
      else
        add(op, executed(op, b, here), b, k);
    }
  }

  /// Copies of an unrolled loop have one call each: all of them are in the PTX instruction's count.
  void add_routine(const ShapeOp& op) {
    if (routine_counted_[size_t(op.ptx)]) return;
    routine_counted_[size_t(op.ptx)] = true;
    const Visited& v = visited_[size_t(op.ptx)];
    for (Executed* to : {&result_.all, &result_.by_instruction[size_t(op.ptx)]})
      to->warp += v.rare, to->thread += v.rare_lanes, to->thread_on += v.rare_lanes;
  }

  uint64_t lanes_on(const ShapeOp& op, const BlockCount& here) const {
    if (op.guard_block >= 0)
      return op.guard_from >= 0 ? lanes_of_edge(op.guard_from, op.guard_block)
                                : counts_[size_t(op.guard_block)].lanes;
    if (op.rare) return 0;
    return op.ptx >= 0 && f_.code[size_t(op.ptx)].guard >= 0 ? visited_[size_t(op.ptx)].lanes : here.lanes;
  }

  Executed executed(const ShapeOp& op, size_t b, const BlockCount& here) const {
    Executed e{here.visits, here.lanes, lanes_on(op, here)};
    if (op.period != 1 || op.below || op.phase) {
      const Runs runs{entries(f_, uint32_t(b), counts_, edges_), here.visits};
      const uint64_t n = runs.sum(op);
      const auto scaled = [&](uint64_t x) {
        return here.visits ? uint64_t(double(x) * double(n) / double(here.visits) + 0.5) : 0;
      };
      e = {n, scaled(e.thread), scaled(e.thread_on)};
    }
    e.thread_on = std::min(e.thread_on, e.thread);
    if (op.again >= 0 && here.visits) {  // copies of an unrolled loop share the rounds
      const Visited& v = visited_[size_t(op.again)];
      const double share = double(e.warp) / double(here.visits);
      const uint64_t lanes = uint64_t(double(v.rare_lanes) * share + 0.5);
      e.warp += uint64_t(double(v.rare) * share + 0.5), e.thread += lanes, e.thread_on += lanes;
    }
    for (int32_t branch : op.splits) e.warp += visited_[size_t(branch)].divergent;
    return e;
  }

  /// Of a predicated one as if its lanes were next to each other.
  static uint64_t sectors_of_spill(const ShapeOp& op, const Executed& e, const BlockCount& of) {
    if (e.thread_on != e.thread || !of.visits) return (e.thread_on * op.width + 31) / 32;
    const double idle = double(of.idle_eights) * double(e.warp) / double(of.visits);
    return (4 * e.warp - uint64_t(idle + 0.5)) * op.width / 4;
  }

  /// `op` is number `k` of block `b`.
  void add(const ShapeOp& op, const Executed& e, size_t b, size_t k) {
    result_.all.warp += e.warp;
    result_.all.thread += e.thread;
    result_.all.thread_on += e.thread_on;
    // Atomics and copies from global to shared memory have counters of their own.
    const bool copy = op.ptx >= 0 && f_.code[size_t(op.ptx)].meaning.op == Op::cp;
    const bool matrix = op.ptx >= 0 && moves_matrices(f_.code[size_t(op.ptx)]);
    if (op.space == Space::shared && !op.atomic && !matrix)
      (op.store ? result_.shared_stores : result_.shared_loads) += e.warp;
    if (op.space == Space::global && !op.atomic && !copy && op.pipe != Pipe::tex)
      (op.store ? result_.global_stores : result_.global_loads) += e.warp;
    if (op.spill) {
      const uint64_t sectors = sectors_of_spill(op, e, counts_[b]);
      (op.store ? result_.spill_stores : result_.spill_loads) += e.warp;
      (op.store ? result_.spill_store_sectors : result_.spill_load_sectors) += sectors;
    }
    if (op.ptx >= 0 && f_.block_of[size_t(op.ptx)] == b) by_ptx_[size_t(op.ptx)] += e.warp;
    Executed& line = result_.by_instruction[ptx_near(b, k)];
    line.warp += e.warp, line.thread += e.thread, line.thread_on += e.thread_on;
  }

  /// The PTX instruction that an op comes from, or the nearest op of the block that comes from one.
  size_t ptx_near(size_t b, size_t k) const {
    const auto& ops = shape_.blocks[b].ops;
    int32_t at = ops[k].ptx;
    for (size_t d = 1; at < 0 && d <= ops.size(); ++d) {
      if (k >= d) at = ops[k - d].ptx;
      if (at < 0 && k + d < ops.size()) at = ops[k + d].ptx;
    }
    return at < 0 ? f_.blocks[b].first : size_t(at);
  }

  const CodeShape& shape_;
  const Function& f_;
  std::span<const Visited> visited_;
  std::vector<BlockCount> counts_;
  std::vector<std::vector<uint64_t>> edges_;
  std::vector<bool> routine_counted_;
  std::vector<uint64_t> by_ptx_;  ///< warp instructions of the ops that come from each and stand in its block
  ExecutedCounts result_;
};

}  // namespace

ExecutedCounts count_executed(const CodeShape& shape, const Function& f, std::span<const Visited> visited) {
  return Counting(shape, f, visited).all();
}

}  // namespace dojo::ptx
