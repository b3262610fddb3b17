#include "ptx/flow/flow.hpp"

#include <algorithm>

#include "ptx/flow/meetings.hpp"

namespace dojo::ptx {
namespace {

using Graph = std::vector<std::vector<uint32_t>>;

/// Nodes reachable from root in reverse postorder.
std::vector<uint32_t> reverse_postorder(const Graph& g, uint32_t root) {
  std::vector<uint32_t> order;
  std::vector<uint8_t> seen(g.size(), 0);
  std::vector<std::pair<uint32_t, size_t>> stack{{root, 0}};
  seen[root] = 1;
  while (!stack.empty()) {
    auto& [node, next] = stack.back();
    if (next < g[node].size()) {
      uint32_t s = g[node][next++];
      if (!seen[s]) seen[s] = 1, stack.push_back({s, 0});
    } else {
      order.push_back(node);
      stack.pop_back();
    }
  }
  std::reverse(order.begin(), order.end());
  return order;
}

Graph reversed(const Graph& g) {
  Graph r(g.size());
  for (uint32_t i = 0; i < g.size(); ++i)
    for (uint32_t s : g[i]) r[s].push_back(i);
  return r;
}

bool dominates(const std::vector<int>& idom, uint32_t root, uint32_t a, uint32_t b) {
  for (int x = int(b);; x = idom[size_t(x)]) {
    if (x == int(a)) return true;
    if (x < 0 || x == int(root)) return false;
  }
}

/// Marks blocks on a cycle: strongly connected components of more than one block, or a block that follows
/// itself.
void mark_loops(Function& f, const Graph& g) {
  // Tarjan, with an explicit stack.
  size_t n = g.size();
  std::vector<int> index(n, -1), low(n, 0);
  std::vector<uint8_t> on(n, 0);
  std::vector<uint32_t> stack;
  int counter = 0;
  for (uint32_t root = 0; root < n; ++root) {
    if (index[root] >= 0) continue;
    std::vector<std::pair<uint32_t, size_t>> calls{{root, 0}};
    while (!calls.empty()) {
      auto [v, next] = calls.back();
      if (next == 0) index[v] = low[v] = counter++, stack.push_back(v), on[v] = 1;
      if (next < g[v].size()) {
        ++calls.back().second;
        uint32_t w = g[v][next];
        if (index[w] < 0)
          calls.push_back({w, 0});
        else if (on[w])
          low[v] = std::min(low[v], index[w]);
        continue;
      }
      calls.pop_back();
      if (!calls.empty()) low[calls.back().first] = std::min(low[calls.back().first], low[v]);
      if (low[v] != index[v]) continue;
      bool many = stack.back() != v;
      bool self = std::find(g[v].begin(), g[v].end(), v) != g[v].end();
      for (uint32_t w = n;;) {
        w = stack.back();
        stack.pop_back();
        on[w] = 0;
        f.blocks[w].in_loop = many || self;
        if (w == v) break;
      }
    }
  }
}

}  // namespace

bool ends_block(const Instruction& i) {
  return i.meaning.is({Op::bra, Op::brx, Op::ret, Op::exit, Op::trap});
}

std::vector<int> dominators(const Graph& g, uint32_t root) {
  std::vector<int> idom(g.size(), -1), number(g.size(), -1);
  auto order = reverse_postorder(g, root);
  for (size_t i = 0; i < order.size(); ++i) number[order[i]] = int(i);
  Graph pred = reversed(g);
  idom[root] = int(root);
  auto meet = [&](int a, int b) {
    while (a != b) {
      while (number[size_t(a)] > number[size_t(b)]) a = idom[size_t(a)];
      while (number[size_t(b)] > number[size_t(a)]) b = idom[size_t(b)];
    }
    return a;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t v : order) {
      if (v == root) continue;
      int d = -1;
      for (uint32_t p : pred[v])
        if (number[p] >= 0 && idom[p] >= 0) d = d < 0 ? int(p) : meet(int(p), d);
      if (d != idom[v]) idom[v] = d, changed = true;
    }
  }
  idom[root] = -1;
  return idom;
}

std::vector<LoopBody> loop_bodies(const Graph& g, uint32_t root) {
  std::vector<LoopBody> loops;
  const auto idom = dominators(g, root);
  const Graph pred = reversed(g);
  const auto reached = [&](uint32_t v) { return v == root || idom[v] >= 0; };
  for (uint32_t h = 0; h < g.size(); ++h) {
    std::vector<uint32_t> work;
    for (uint32_t p : pred[h])
      if (reached(p) && dominates(idom, root, h, p)) work.push_back(p);
    if (work.empty()) continue;
    LoopBody loop{h, std::vector<uint8_t>(g.size(), 0), 1};
    loop.in[h] = 1;
    while (!work.empty()) {
      const uint32_t v = work.back();
      work.pop_back();
      if (loop.in[v]) continue;
      loop.in[v] = 1, ++loop.count;
      for (uint32_t p : pred[v])
        if (reached(p)) work.push_back(p);
    }
    loops.push_back(std::move(loop));
  }
  std::stable_sort(loops.begin(), loops.end(),
                   [](const LoopBody& a, const LoopBody& b) { return a.count < b.count; });
  return loops;
}

Loops natural_loops(const Graph& g, uint32_t root) {
  Loops loops;
  loops.depth.assign(g.size(), 0);
  loops.head.assign(g.size(), -1);
  for (const LoopBody& loop : loop_bodies(g, root))
    for (uint32_t v = 0; v < g.size(); ++v) {
      if (!loop.in[v]) continue;
      ++loops.depth[v];
      if (loops.head[v] < 0) loops.head[v] = int(loop.head);
    }
  return loops;
}

namespace {

/// Calls `visit` with each label among an instruction's operands.
template <class Visit>
void each_target(const Instruction& i, Visit visit) {
  for (auto& o : i.operands) {
    if (o.kind == OperandKind::label) visit(uint32_t(o.value));
    for (auto& item : o.items)
      if (item.kind == OperandKind::label) visit(uint32_t(item.value));
  }
}

void cut_into_blocks(Function& f) {
  const uint32_t n = uint32_t(f.code.size());
  std::vector<uint8_t> leader(n, 0);
  leader[0] = 1;
  for (uint32_t i = 0; i < n; ++i) {
    if (!ends_block(f.code[i])) continue;
    if (i + 1 < n) leader[i + 1] = 1;
    each_target(f.code[i], [&](uint32_t t) { leader[t] = 1; });
  }
  for (uint32_t i = 0; i < n; ++i) {
    if (leader[i]) f.blocks.emplace_back().first = i;
    f.blocks.back().last = i;
    f.block_of[i] = uint32_t(f.blocks.size() - 1);
  }
}

/// Sets the blocks' successors, and returns them.
Graph link_blocks(Function& f) {
  const uint32_t count = uint32_t(f.blocks.size());
  Graph flow(count);
  for (uint32_t b = 0; b < count; ++b) {
    const Instruction& last = f.code[f.blocks[b].last];
    auto& out = f.blocks[b].successors;
    auto add = [&](uint32_t s) {
      if (std::find(out.begin(), out.end(), s) == out.end()) out.push_back(s);
    };
    if (last.meaning.is({Op::bra, Op::brx})) each_target(last, [&](uint32_t t) { add(f.block_of[t]); });
    const bool falls = !ends_block(last) || last.guard >= 0;
    if (falls && b + 1 < count) add(b + 1);
    flow[b] = out;
  }
  return flow;
}

/// The paths on which lanes can meet again; node `count` is the exit. In a kernel a branch straight to its
/// end is none: those lanes are gone.
Graph meeting_paths(const Function& f, const Graph& flow) {
  const uint32_t count = uint32_t(f.blocks.size());
  const auto straight_out = [&](uint32_t s) {
    const Instruction& only = f.code[f.blocks[s].first];
    return f.blocks[s].first == f.blocks[s].last && only.meaning.returns() && only.guard < 0;
  };
  Graph paths = flow;
  paths.resize(count + 1);
  for (uint32_t b = 0; b < count; ++b) {
    if (f.kernel && paths[b].size() >= 2 && !f.blocks[b].back_edge) {
      std::vector<uint32_t> kept;
      for (uint32_t s : paths[b])
        if (!straight_out(s)) kept.push_back(s);
      if (!kept.empty()) paths[b] = kept;
    }
    const Instruction& last = f.code[f.blocks[b].last];
    if (last.meaning.op == Op::ret && (last.guard < 0 || !f.kernel)) paths[b].push_back(count);
  }
  return paths;
}

/// Reconvergence: the post-dominators of `paths`. First of the blocks that can return; then of endless loops,
/// which get an exit from their back edges; at last of what only leads to a trap or an exit, so that a failed
/// assertion doesn't keep the other lanes from meeting.
void set_meeting_points(Function& f, Graph paths) {
  const uint32_t count = uint32_t(f.blocks.size());
  std::vector<uint8_t> done(count, 0);
  for (int stage = 0; stage < 3; ++stage) {
    for (uint32_t b = 0; b < count; ++b)
      if (!done[b] && ((stage == 1 && f.blocks[b].back_edge) || (stage == 2 && paths[b].empty())))
        paths[b].push_back(count);
    auto post = dominators(reversed(paths), count);
    for (uint32_t b = 0; b < count; ++b) {
      if (done[b] || post[b] < 0) continue;
      done[b] = 1;
      f.blocks[b].ipdom = post[b] < int(count) ? post[b] : -1;
    }
  }
}

}  // namespace

void build_flow(Function& f) {
  f.blocks.clear();
  f.block_of.assign(f.code.size(), 0);
  if (f.code.empty()) return;
  cut_into_blocks(f);
  const Graph flow = link_blocks(f);
  const auto idom = dominators(flow, 0);
  for (uint32_t b = 0; b < flow.size(); ++b)
    for (uint32_t s : flow[b])
      if (dominates(idom, 0, s, b)) f.blocks[b].back_edge = true;
  mark_loops(f, flow);
  const Graph paths = meeting_paths(f, flow);
  set_meeting_points(f, paths);
  set_nearer_meetings(f, flow, paths);
}

}  // namespace dojo::ptx
