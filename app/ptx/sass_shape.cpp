// The shape of a function from its machine code.
//
// Every machine block gets an anchor: the PTX block that is visited when it is (sass_flow.cpp). The ops of
// all machine blocks with one anchor form that PTX block's ops. Where the assembler unrolled a loop again,
// several copies of a PTX block lie in one machine loop, and smaller steps follow for what is left over: the
// copies share the visits of a run as the steps say (ShapeOp::period, phase, below).
#include <algorithm>
#include <map>
#include <set>

#include "ptx/opcode_class.hpp"
#include "ptx/sass_parts.hpp"

namespace dojo::ptx {
namespace {

class Mapper {
 public:
  Mapper(const Function& f, const SassFunction& s, SassFlow& flow)
      : f_(f),
        s_(s),
        flow_(flow),
        branches_(f, s, flow),
        together_(f),
        copies_(f, s, flow),
        loops_(copies_.loops()) {}

  bool run(CodeShape& shape) {
    shape.estimated = false;
    shape.blocks.assign(f_.blocks.size(), {});
    shape.accesses.assign(f_.code.size(), {});
    shape.divergent_counts.assign(f_.code.size(), false);
    std::vector<std::vector<uint32_t>> anchored(f_.blocks.size());
    for (uint32_t m = 0; m < flow_.blocks.size(); ++m) {
      auto& block = flow_.blocks[m];
      if (!block.reached) continue;
      if (block.anchor < 0) return false;
      anchored[size_t(block.anchor)].push_back(m);
    }
    for (uint32_t b = 0; b < f_.blocks.size(); ++b)
      if (!anchored[b].empty()) place(shape, b, anchored[b]);
    absorb(shape, anchored);
    shape_accesses(f_, s_, flow_, shape);
    return plausible(shape, anchored) && finds_accesses(f_, s_, flow_, shape);
  }

 private:
  void place(CodeShape& shape, uint32_t b, const std::vector<uint32_t>& machine) {
    // Groups: the machine loop that a block lies in, or the block itself outside of one as deep as the PTX
    // loop.
    struct Group {
      std::vector<uint32_t> blocks;
      int copies = 0;
      bool loop = false;
    };
    std::vector<Group> groups;
    std::map<int, size_t> by_head;
    bool in_loop = loops_.depth[b] > 0;
    for (uint32_t m : machine) {
      auto& block = flow_.blocks[m];
      bool loop = in_loop && block.depth >= loops_.depth[b];
      int key = loop ? block.head : -1;
      if (!loop || !by_head.count(key)) {
        if (loop) by_head[key] = groups.size();
        groups.push_back({{}, 0, loop});
      }
      Group& g = loop ? groups[by_head[key]] : groups.back();
      g.blocks.push_back(m);
      g.copies = std::max(g.copies, copies_.of(m, b));
    }
    if (!in_loop) return straight(shape, b, groups);
    std::stable_sort(groups.begin(), groups.end(), [](auto& x, auto& y) { return x.copies > y.copies; });
    bool has_loop = std::any_of(groups.begin(), groups.end(), [](auto& g) { return g.loop; });
    int above = 0;
    bool unrolled = !groups.empty() && groups[0].copies > 1;
    int ahead = 0;
    if (!unrolled && has_loop)
      for (auto& g : groups)
        if (g.loop && g.copies > 0) ahead = copies_.peeled_iterations(b, g.blocks[0]);
    if (!unrolled && !has_loop && groups[0].copies == 0) return laid_out(shape, b, groups);
    for (auto& g : groups) {
      if (!unrolled && has_loop) {
        // Not unrolled: a peeled copy outside of the loop is like those inside; the rest is once a run.
        if (!g.loop && g.copies > 0) continue;
        emit(shape, b, g.blocks, g.loop ? 1 : 0, 0, g.loop ? ahead : 0);
      } else if (g.copies == 0) {
        emit(shape, b, g.blocks, g.loop && !unrolled ? 1 : 0,
             g.loop ? 0 : least_iterations(g.blocks, groups));
      } else if (above == 0 || g.copies < above) {
        emit(shape, b, g.blocks, g.copies, above);
        above = g.copies;
      }
    }
  }

  /// Of blocks whose only successor is an unrolled loop: how many iterations that loop takes at a time. With
  /// fewer left, the machine code skips it. Of other blocks 0.
  template <class Groups>
  int least_iterations(const std::vector<uint32_t>& blocks, const Groups& groups) const {
    for (uint32_t m : blocks)
      for (const auto& g : groups)
        if (g.loop && g.copies > 1 &&
            flow_.blocks[m].successors == std::vector<uint32_t>{uint32_t(flow_.blocks[g.blocks[0]].head)})
          return g.copies;
    return 0;
  }

  /// A loop that the machine code has as a sequence. Of pieces that are copies of each other the second
  /// stands for all and runs on every visit; what the first has beyond it was moved out of the loop and runs
  /// once a run, as pieces without a copy do.
  template <class Groups>
  void laid_out(CodeShape& shape, uint32_t b, const Groups& groups) {
    std::vector<std::vector<uint32_t>> copies;
    for (const auto& g : groups) {
      const uint32_t m = g.blocks[0];
      const auto same = std::find_if(copies.begin(), copies.end(),
                                     [&](const auto& c) { return mostly_same(flow_, c[0], m); });
      if (same == copies.end())
        copies.push_back({m});
      else
        same->push_back(m);
    }
    for (const auto& c : copies) {
      if (c.size() == 1) {
        emit(shape, b, c, 0, 0);
        continue;
      }
      const std::set<int32_t> iteration = ptx_of(flow_, c[1]);
      emit(shape, b, {c[0]}, 0, 0, 0, &iteration);
      emit(shape, b, {c[1]}, 1, 0);
    }
  }

  /// Outside of loops: pieces in sequence all run; of copies on different ways one stands for all.
  template <class Groups>
  void straight(CodeShape& shape, uint32_t b, const Groups& groups) {
    std::vector<uint32_t> blocks;
    std::vector<int32_t> seen;
    for (auto& g : groups)
      for (uint32_t m : g.blocks) {
        bool copy = false;
        std::vector<int32_t> here;
        for (uint32_t i = flow_.blocks[m].first; i <= flow_.blocks[m].last; ++i)
          if (copies_.one_to_one(i) && f_.block_of[size_t(flow_.ptx[i])] == b) {
            here.push_back(flow_.ptx[i]);
            copy |= std::find(seen.begin(), seen.end(), flow_.ptx[i]) != seen.end();
          }
        if (copy) continue;
        seen.insert(seen.end(), here.begin(), here.end());
        blocks.push_back(m);
      }
    emit(shape, b, blocks, 1, 0);
  }

  /// `without`: PTX instructions whose operations are left out; null: none.
  void emit(CodeShape& shape, uint32_t b, const std::vector<uint32_t>& machine, int period, int below,
            int ahead = 0, const std::set<int32_t>* without = nullptr) {
    auto& ops = shape.blocks[b].ops;
    std::map<int32_t, int> seen, routines;
    for (uint32_t m : machine) {
      if (const int32_t p = branches_.slow_path(m); p >= 0) {
        ShapeOp op = routine_op(p);
        op.period = uint16_t(period), op.below = uint16_t(below);
        if (period == 1) op.phase = uint16_t(ahead);
        if (period > 1) op.phase = uint16_t(std::min(routines[p]++, period - 1));
        ops.push_back(std::move(op));
        continue;
      }
      for (uint32_t i = flow_.blocks[m].first; i <= flow_.blocks[m].last; ++i) {
        if (without && without->count(flow_.ptx[i])) continue;
        ShapeOp op = make_op(i, b);
        op.period = uint16_t(period), op.below = uint16_t(below);
        if (period == 1) op.phase = uint16_t(ahead);
        if (period > 1 && flow_.ptx[i] >= 0 && copies_.pace(flow_.ptx[i]) == b) {
          // The n-th machine instruction of a PTX instruction is the n-th copy's; what is there once goes
          // first.
          int n = copies_.one_to_one(i) ? seen[flow_.ptx[i]]++ : 0;
          op.phase = uint16_t(std::min(n, period - 1));
        }
        if (i == flow_.blocks[m].last) branch(shape, m, i, op);
        if (i == flow_.blocks[m].last && flow_.jumps(i) && m + 1 < flow_.blocks.size() &&
            branches_.slow_path(m + 1) >= 0)
          op.rare = false;  // it jumps over the slow path
        op.again = branches_.repeated(m);
        if (op.again >= 0 && i == flow_.blocks[m].last) op.back = uint16_t(i - flow_.blocks[m].first);
        const ShapeOp last = op;
        ops.push_back(std::move(op));
        if (flow_.ptx[i] < 0) continue;
        ShapeOp of_routine = routine_op(flow_.ptx[i]);
        of_routine.period = last.period, of_routine.phase = last.phase, of_routine.below = last.below;
        if (s_.code[i].op() == sass::redux && has_routine(f_.code[size_t(flow_.ptx[i])]))
          ops.push_back(of_routine);
        if (s_.code[i].op() != sass::call) continue;
        of_routine.routine = false;
        ops.insert(ops.end(), size_t(integer_routine(f_.code[size_t(flow_.ptx[i])])), of_routine);
      }
    }
  }

  ShapeOp make_op(uint32_t i, uint32_t home) const {
    const SassInstruction& inst = s_.code[i];
    ShapeOp op;
    op.pipe = sass_pipe(inst), op.turns = sass_turns(inst);
    op.stall = inst.stall;
    op.write_barrier = inst.write_barrier, op.read_barrier = inst.read_barrier, op.wait_mask = inst.wait_mask;
    op.yield = inst.yield;
    op.reads = sass_reads(inst, i > 0 ? &s_.code[i - 1] : nullptr);
    op.ptx = flow_.ptx[i];
    auto a = sass_access(inst);
    op.load = a.load, op.store = a.store, op.atomic = a.atomic;
    op.space = a.space, op.width = inst.width;
    op.fence = inst.op() == sass::membar;
    op.cluster = inst.opcode == sass::cluster_wait;
    op.spill = flow_.spill[i];
    const bool memory = op.ptx >= 0 && !op.spill && f_.code[size_t(op.ptx)].meaning.accesses();
    if (memory && (a.memory() ||
                   (op.pipe == Pipe::constant && f_.code[size_t(op.ptx)].meaning.space == Space::constant)))
      op.memory = op.ptx;
    if (op.ptx >= 0 && inst.op() == sass::ublkcp && f_.code[size_t(op.ptx)].meaning.effect == Effect::bulk)
      set_bulk(op, f_.code[size_t(op.ptx)].meaning);
    if (!inst.always() && op.ptx >= 0) {
      uint32_t from = f_.block_of[size_t(op.ptx)];
      if (from != home && !same_visits(from, home))
        op.guard_block = int32_t(from);
      else
        op.rare = f_.code[size_t(op.ptx)].guard < 0 && !ends_block(f_.code[size_t(op.ptx)]);
    }
    return op;
  }

  bool same_visits(uint32_t x, uint32_t y) const { return together_(x, y) || together_(y, x); }

  void branch(CodeShape& shape, uint32_t m, uint32_t i, ShapeOp& op) {
    const SassInstruction& inst = s_.code[i];
    auto& block = flow_.blocks[m];
    if (inst.op() == sass::bsync) {
      op.meets = true;
      op.splits = branches_.until(i);
      return;
    }
    if (inst.op() == sass::brx) {
      // A table for a tree of branches: it parts the warp when the first of them does, or (uncounted) a later
      // one alone. Where several ways are taken it runs once for each.
      if (const int32_t p = branches_.of(m, i); p >= 0) {
        shape.divergent_counts[size_t(p)] = true;
        op.splits = branches_.tree(p);
      }
      return;
    }
    bool conditional_exit = inst.op() == sass::exit && !inst.always();
    bool conditional_branch =
        inst.op() == sass::bra && inst.conditional && !inst.when_divergent && !inst.when_converged;
    if (inst.op() == sass::exit && inst.always()) {
      // An exit of its own, where the PTX goes to a return that is shared.
      const auto& out = f_.blocks[size_t(block.anchor)].successors;
      if (out.size() == 1 && branches_.returns_at_once(out[0]))
        leaves_from(shape, uint32_t(block.anchor), out[0]);
    }
    if (!conditional_exit && !conditional_branch) return;
    op.guard_block = op.guard_from = -1;
    int32_t p = branches_.of(m, i);
    if (p < 0) return;
    op.ptx = p;
    uint32_t x = f_.block_of[size_t(p)];
    auto& out = f_.blocks[x].successors;
    if (out.size() != 2) return;
    if (conditional_exit) {
      for (uint32_t to : out) {
        if (!branches_.returns_at_once(to)) continue;
        op.guard_from = int32_t(x), op.guard_block = int32_t(to);
        leaves_from(shape, x, to);
      }
      return;
    }
    shape.divergent_counts[size_t(p)] = true;
    uint32_t taken = out[0], fall = out[1];
    if (block.successors.size() == 2) {
      int to = flow_.blocks[block.successors[0]].anchor, on = flow_.blocks[block.successors[1]].anchor;
      if (to == int(fall) || (on == int(taken) && to != int(taken))) std::swap(taken, fall);
    }
    op.guard_from = int32_t(x), op.guard_block = int32_t(taken);
  }

  static void leaves_from(CodeShape& shape, uint32_t x, uint32_t to) {
    auto& from = shape.blocks[to].exits_from;
    if (std::find(from.begin(), from.end(), x) == from.end()) from.push_back(x);
  }

  /// PTX blocks with no machine block of their own run as part of the one that has most of their
  /// instructions.
  void absorb(CodeShape& shape, const std::vector<std::vector<uint32_t>>& anchored) {
    for (uint32_t b = 0; b < f_.blocks.size(); ++b) {
      if (!anchored[b].empty()) continue;
      std::map<int, int> votes;
      for (uint32_t i = 0; i < s_.code.size(); ++i)
        if (flow_.ptx[i] >= 0 && f_.block_of[size_t(flow_.ptx[i])] == b &&
            flow_.blocks[flow_.block_of[i]].reached)
          votes[flow_.blocks[flow_.block_of[i]].anchor] += fixedness(s_.code[i]) + 1;
      int best = -1;
      for (auto& [home, n] : votes)
        if (best < 0 || n > votes[best]) best = home;
      shape.blocks[b].predicated_into = best;
    }
  }

  /// Signs that the mapping went wrong: a barrier, store or atomic of the PTX is nowhere in the machine code.
  bool plausible(const CodeShape& shape, const std::vector<std::vector<uint32_t>>& anchored) const {
    std::vector<uint8_t> present(f_.code.size(), 0);
    for (auto& b : shape.blocks)
      for (auto& op : b.ops)
        if (op.ptx >= 0) present[size_t(op.ptx)] = 1;
    for (uint32_t p = 0; p < f_.code.size(); ++p) {
      const Meaning& m = f_.code[p].meaning;
      const bool must = (m.op == Op::bar && m.barrier()) || m.changes();
      if (must && !present[p] && together_.reachable(f_.block_of[p])) return false;
    }
    // A loop of the PTX that still has machine code must be a loop there, or unrolled whole.
    for (uint32_t b = 0; b < f_.blocks.size(); ++b)
      for (uint32_t m : anchored[b])
        if (flow_.blocks[m].depth > loops_.depth[b] + 1) return false;
    return true;
  }

  const Function& f_;
  const SassFunction& s_;
  SassFlow& flow_;
  SassBranches branches_;
  Together together_;
  SassCopies copies_;  ///< and moves anchors of loops that are mapped as a whole
  const Loops& loops_;
};

}  // namespace

CodeShape sass_shape(const Module& m, const Function& f, const std::vector<std::byte>& bytes) {
  if (!f.defined) return {};
  Cubin cubin = read_cubin(bytes);
  const SassFunction* s = cubin.find(f.name);
  SassFlow flow;
  CodeShape shape;
  if (s && build_sass_flow(f, *s, flow) && Mapper(f, *s, flow).run(shape)) return shape;
  return estimate_shape(m, f);
}

}  // namespace dojo::ptx
