#include "ptx/sass_flow.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "ptx/opcode_class.hpp"

namespace dojo::ptx {
namespace {

bool leaves(const SassInstruction& i) {
  return i.op() == sass::exit || i.op() == sass::ret || i.op() == sass::kill;
}

bool ends_block(const SassInstruction& i) {
  switch (i.op()) {
    case sass::bra:
    case sass::brx:
    case sass::jmp:
    case sass::exit:
    case sass::ret:
    case sass::kill:
    case sass::bsync:
      return !i.never();
    default:
      return false;
  }
}

/// What fills a function up to its end: a branch to itself, or instructions that do nothing.
bool padding(const SassFunction& s, const SassBlock& b) {
  const SassInstruction& first = s.code[b.first];
  if (b.first == b.last && first.op() == sass::bra && first.target == int64_t(first.address)) return true;
  for (uint32_t i = b.first; i <= b.last; ++i)
    if (s.code[i].op() != sass::nop) return false;
  return true;
}

void find_blocks(const SassFunction& s, SassFlow& flow) {
  uint32_t n = uint32_t(s.code.size()), base = s.code.empty() ? 0 : s.code[0].address;
  auto index_at = [&](int64_t address) -> int64_t {
    int64_t at = (address - int64_t(base)) / 16;
    return address >= int64_t(base) && at < int64_t(n) ? at : -1;
  };
  std::vector<uint8_t> leader(n + 1, 0);
  leader[0] = 1;
  bool indirect = false;
  for (uint32_t i = 0; i < n; ++i) {
    if (!ends_block(s.code[i]) && !flow.jumps(i)) continue;
    leader[i + 1] = 1;
    indirect |= s.code[i].op() == sass::brx || s.code[i].op() == sass::jmp;
    if (int64_t t = flow.jumps(i) ? index_at(s.code[i].target) : -1; t >= 0) leader[size_t(t)] = 1;
  }
  flow.block_of.assign(n, 0);
  for (uint32_t i = 0; i < n; ++i) {
    if (leader[i]) flow.blocks.push_back({i, i, {}, false, 0, -1, -1});
    flow.blocks.back().last = i;
    flow.block_of[i] = uint32_t(flow.blocks.size() - 1);
  }
  for (uint32_t b = 0; b < flow.blocks.size(); ++b) {
    auto& block = flow.blocks[b];
    const SassInstruction& last = s.code[block.last];
    bool falls = true;
    if (ends_block(last) || flow.jumps(block.last)) {
      if (flow.jumps(block.last)) {
        int64_t t = index_at(last.target);
        if (t >= 0 && !last.when_divergent) block.successors.push_back(flow.block_of[size_t(t)]);
        falls = last.when_divergent || (last.conditional && !last.when_converged);
      } else if (last.op() == sass::brx || last.op() == sass::jmp) {
        // Its targets are in a table that isn't read: any block behind it that starts after an unconditional
        // jump.
        for (uint32_t k = b + 1; k < flow.blocks.size(); ++k) {
          if (padding(s, flow.blocks[k])) continue;
          const SassInstruction& before = s.code[flow.blocks[k].first - 1];
          if (before.always() && (before.op() == sass::bra || before.op() == sass::brx || leaves(before)))
            block.successors.push_back(k);
        }
        falls = !last.always();
      } else if (leaves(last)) {
        falls = !last.always();
      }
    }
    if (falls && b + 1 < flow.blocks.size() &&
        std::find(block.successors.begin(), block.successors.end(), b + 1) == block.successors.end())
      block.successors.push_back(b + 1);
  }
  if (flow.blocks.empty()) return;
  std::vector<uint32_t> work{0};
  while (!work.empty()) {
    uint32_t b = work.back();
    work.pop_back();
    if (flow.blocks[b].reached) continue;
    flow.blocks[b].reached = true;
    for (uint32_t t : flow.blocks[b].successors) work.push_back(t);
  }
  std::vector<std::vector<uint32_t>> graph(flow.blocks.size());
  for (uint32_t b = 0; b < graph.size(); ++b)
    if (flow.blocks[b].reached) graph[b] = flow.blocks[b].successors;
  Loops loops = natural_loops(graph, 0);
  for (uint32_t b = 0; b < graph.size(); ++b)
    flow.blocks[b].depth = loops.depth[b], flow.blocks[b].head = loops.head[b];
}

/// Votes of a machine block's instructions for PTX blocks.
class Anchors {
 public:
  Anchors(const Function& f, const SassFunction& s, SassFlow& flow)
      : f_(f), s_(s), flow_(flow), together_(f) {
    std::vector<std::vector<uint32_t>> graph;
    for (auto& b : f.blocks) graph.push_back(b.successors);
    depth_ = natural_loops(graph, 0).depth;
  }

  void run() {
    for (auto& m : flow_.blocks)
      if (m.reached) m.anchor = choose(m, false);
    for (auto& m : flow_.blocks)
      if (m.reached && m.anchor < 0) m.anchor = choose(m, true);
    settle_on_first();
    // A BSYNC alone in its block belongs to the block of its BSSY: it runs as often as that, and once more
    // for every time that the warp parts in between.
    for (auto& m : flow_.blocks)
      if (m.reached && m.first == m.last && s_.code[m.first].op() == sass::bsync) {
        int64_t after = int64_t(s_.code[m.first].address) + 16;
        for (uint32_t i = 0; i < s_.code.size(); ++i)
          if (s_.code[i].op() == sass::bssy && s_.code[i].target == after &&
              flow_.blocks[flow_.block_of[i]].reached)
            m.anchor = flow_.blocks[flow_.block_of[i]].anchor;
      }
    // What has no line of its own goes with the block before it.
    for (size_t b = 1; b < flow_.blocks.size(); ++b)
      if (flow_.blocks[b].reached && flow_.blocks[b].anchor < 0)
        flow_.blocks[b].anchor = flow_.blocks[b - 1].anchor;
  }

 private:
  /// A machine block that holds several PTX blocks which always run together is anchored at the first of
  /// them, so that what belongs to it follows in the order of visits. A PTX block anchors one machine block
  /// this way, and its copies, which an unrolled loop has.
  void settle_on_first() {
    std::vector<int> taken(f_.blocks.size(), -1);  // by PTX block: its first machine block
    for (uint32_t k = 0; k < flow_.blocks.size(); ++k) {
      SassBlock& m = flow_.blocks[k];
      if (!m.reached || m.anchor < 0) continue;
      int first = m.anchor;
      std::map<int, bool> open;  // by PTX block: it is free, or anchors a copy of this one
      const auto is_open = [&](int b) {
        const auto [at, fresh] = open.try_emplace(b);
        if (fresh) at->second = taken[size_t(b)] < 0 || mostly_same(flow_, uint32_t(taken[size_t(b)]), k);
        return at->second;
      };
      for (uint32_t i = m.first; i <= m.last; ++i) {
        if (flow_.ptx[i] < 0 || flow_.spill[i]) continue;
        int b = int(f_.block_of[size_t(flow_.ptx[i])]);
        if (b < first && is_open(b) && depth_[size_t(b)] == depth_[size_t(first)] &&
            together_(uint32_t(b), uint32_t(m.anchor)))
          first = b;
      }
      m.anchor = first;
      if (taken[size_t(first)] < 0) taken[size_t(first)] = int(k);
    }
  }

  /// A function's end, where it restores what it spilled: all ways lead there, whatever their lines say.
  bool restores(const SassBlock& m) const {
    if (s_.code[m.last].op() != sass::ret || flow_.ptx[m.last] < 0) return false;
    return std::any_of(flow_.spill.begin() + m.first, flow_.spill.begin() + m.last,
                       [](uint8_t spill) { return spill != 0; });
  }

  int choose(const SassBlock& m, bool guarded) const {
    if (restores(m)) return int(f_.block_of[size_t(flow_.ptx[m.last])]);
    struct Score {
      int votes = 0, fixed = 0;
      bool only_return = true;
    };
    std::map<uint32_t, Score> scores;
    for (uint32_t i = m.first; i <= m.last; ++i) {
      const SassInstruction& inst = s_.code[i];
      int32_t p = flow_.ptx[i];
      if (p < 0 || flow_.spill[i]) continue;
      bool last = i == m.last && (ends_block(inst) || flow_.jumps(i));
      const Meaning& meaning = f_.code[size_t(p)].meaning;
      // A jump that the PTX takes always and the machine code under a predicate ends a predicated body.
      const bool body = last && meaning.op == Op::bra && f_.code[size_t(p)].guard < 0 && inst.conditional;
      if ((body || (!inst.always() && !last)) && !guarded) continue;
      int weight = fixedness(inst);
      if (last) weight = meaning.is({Op::bra, Op::brx}) ? 12 : 2;
      if (last && meaning.returns()) weight = 1;  // returns are shared by many ways
      auto& s = scores[f_.block_of[size_t(p)]];
      s.votes += weight;
      s.fixed = std::max(s.fixed, weight);
      s.only_return &= meaning.returns();
    }
    // What follows a loop's last turns may be no more than the return, in their block: the turns say where it
    // belongs.
    const bool placed =
        std::any_of(scores.begin(), scores.end(), [](auto& s) { return s.second.fixed >= 8; });
    if (placed) std::erase_if(scores, [](auto& s) { return s.second.only_return; });
    // Code is moved out of loops, not into them: prefer blocks that lie as deep as this one does.
    bool same_depth =
        std::any_of(scores.begin(), scores.end(), [&](auto& s) { return depth_[s.first] == m.depth; });
    int best = -1;
    Score top;
    for (auto& [b, s] : scores) {
      if (same_depth && depth_[b] != m.depth) continue;
      bool better = best < 0 || (s.fixed >= 8) > (top.fixed >= 8) ||
                    ((s.fixed >= 8) == (top.fixed >= 8) && s.fixed < 8 && s.votes > top.votes);
      if (better) best = int(b), top = s;
    }
    return best;
  }

  const Function& f_;
  const SassFunction& s_;
  SassFlow& flow_;
  Together together_;
  std::vector<int> depth_;
};

}  // namespace

Together::Together(const Function& f) : f_(f) {
  std::vector<std::vector<uint32_t>> graph;
  for (auto& b : f.blocks) graph.push_back(b.successors);
  idom_ = dominators(graph, 0);
}

bool Together::operator()(uint32_t first, uint32_t second) const {
  if (first == second) return true;
  int back = int(second);
  while (back >= 0 && back != int(first)) back = idom_[size_t(back)];
  if (back < 0) return false;
  for (int on = int(first); on != int(second); on = f_.blocks[size_t(on)].ipdom) {
    if (on < 0) return false;
    // ipdom leaves out the ways that leave the kernel at once: none may lie in between.
    for (uint32_t s : f_.blocks[size_t(on)].successors)
      if (f_.code[f_.blocks[s].first].meaning.op == Op::ret && s != second) return false;
  }
  return true;
}

int fixedness(const SassInstruction& i) {
  auto a = sass_access(i);
  if (a.store || a.atomic) return 8;
  switch (i.op()) {
    case sass::bar:
    case sass::membar:
    case sass::bpt:
    case sass::nanosleep:
    case sass::call:
    case sass::call_abs:
    case sass::warpsync:
      return 8;
    case sass::shfl:
    case 0x006:
    case sass::ldgsts:
    case 0x037:
    case 0x03c:
    case 0x03f:
      return 4;
    default:
      return a.load ? 4 : i.op() == sass::nop || i.op() == sass::bssy ? 0 : 1;
  }
}

/// The machine's texture and surface accesses don't have the lines of their PTX: ptxas gives them those of
/// what computes their coordinates. As many as the PTX has stand in its order; of others, copies of unrolled
/// loops, each belongs to the next one of its kind behind its line.
static void place_texture_accesses(const Function& f, const SassFunction& s, std::vector<int32_t>& ptx) {
  const auto kind = [](Op op) { return op == Op::suld ? 1 : op == Op::sust ? 2 : 0; };
  std::vector<size_t> machine[3], code[3];
  for (size_t i = 0; i < s.code.size(); ++i) {
    if (sass_pipe(s.code[i]) != Pipe::tex) continue;
    const std::string name = sass_name(s.code[i]);
    machine[name == "SULD" ? 1 : name == "SUST" ? 2 : 0].push_back(i);
  }
  for (size_t i = 0; i < f.code.size(); ++i)
    if (f.code[i].meaning.textures()) code[kind(f.code[i].meaning.op)].push_back(i);
  for (int k = 0; k < 3; ++k) {
    if (code[k].empty()) continue;
    for (size_t n = 0; n < machine[k].size(); ++n) {
      size_t of = code[k].back();
      if (machine[k].size() == code[k].size()) {
        of = code[k][n];
      } else {
        for (size_t c = code[k].size(); c-- > 0;)
          if (f.code[code[k][c]].ptx_line >= s.code[machine[k][n]].ptx_line) of = code[k][c];
      }
      ptx[machine[k][n]] = int32_t(of);
    }
  }
}

/// A generic PTX access may be one of local memory, unless the machine code has another access for it.
static std::vector<uint8_t> find_spills(const Function& f, const SassFunction& s,
                                        const std::vector<int32_t>& ptx) {
  std::set<std::pair<int32_t, bool>> elsewhere;  // PTX instruction, stores
  for (size_t i = 0; i < s.code.size(); ++i)
    if (const SassAccess a = sass_access(s.code[i]); a.memory() && a.space != Space::local)
      elsewhere.insert({ptx[i], a.store});
  std::vector<uint8_t> spill(s.code.size(), 0);
  for (size_t i = 0; i < s.code.size(); ++i) {
    const SassAccess a = sass_access(s.code[i]);
    if (!a.memory() || a.space != Space::local) continue;
    const Meaning m = ptx[i] < 0 ? Meaning() : f.code[size_t(ptx[i])].meaning;
    const bool generic = m.space == Space::none && !elsewhere.contains({ptx[i], a.store});
    spill[i] = !m.accesses() || !(m.space == Space::local || generic);
  }
  return spill;
}

std::set<int32_t> ptx_of(const SassFlow& flow, uint32_t m) {
  std::set<int32_t> all;
  for (uint32_t i = flow.blocks[m].first; i <= flow.blocks[m].last; ++i)
    if (flow.ptx[i] >= 0) all.insert(flow.ptx[i]);
  return all;
}

bool mostly_same(const SassFlow& flow, uint32_t a, uint32_t b) {
  const std::set<int32_t> of_a = ptx_of(flow, a), of_b = ptx_of(flow, b);
  const auto both = std::count_if(of_b.begin(), of_b.end(), [&](int32_t p) { return of_a.count(p) > 0; });
  return size_t(both) * 2 > std::max(of_a.size(), of_b.size());
}

bool build_sass_flow(const Function& f, const SassFunction& s, SassFlow& flow) {
  if (!s.has_lines || s.code.empty() || f.code.empty()) return false;
  std::map<int, int32_t> by_line;
  for (size_t i = f.code.size(); i-- > 0;)
    if (f.code[i].ptx_line > 0) by_line[f.code[i].ptx_line] = int32_t(i);
  flow.ptx.assign(s.code.size(), -1);
  for (size_t i = 0; i < s.code.size(); ++i) {
    auto it = by_line.find(s.code[i].ptx_line);
    if (it != by_line.end()) flow.ptx[i] = it->second;
  }
  place_texture_accesses(f, s, flow.ptx);
  flow.spill = find_spills(f, s, flow.ptx);
  flow.jump.assign(s.code.size(), 0);
  for (size_t i = 0; i < s.code.size(); ++i)
    flow.jump[i] = s.code[i].op() == sass::bra || (s.code[i].op() == sass::call && flow.ptx[i] >= 0 &&
                                                   f.code[size_t(flow.ptx[i])].meaning.op == Op::bra);
  find_blocks(s, flow);
  Anchors(f, s, flow).run();
  return !flow.blocks.empty() && flow.blocks[0].anchor >= 0;
}

}  // namespace dojo::ptx
