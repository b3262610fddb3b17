#include "ptx/flow/meetings.hpp"

#include <algorithm>

#include "ptx/flow/flow.hpp"

namespace dojo::ptx {
namespace {

using Graph = std::vector<std::vector<uint32_t>>;

bool contains(const LoopBody& loop, uint32_t block) { return block < loop.in.size() && loop.in[block]; }

/// Loops are sorted, inner ones first.
const LoopBody* innermost(const std::vector<LoopBody>& loops, uint32_t block) {
  for (const LoopBody& l : loops)
    if (contains(l, block)) return &l;
  return nullptr;
}

/// The innermost loop that a block's lanes stay in on every path.
const LoopBody* scope_of(const std::vector<LoopBody>& loops, const Graph& paths, uint32_t block) {
  for (const LoopBody& l : loops)
    if (contains(l, block) &&
        std::all_of(paths[block].begin(), paths[block].end(), [&](uint32_t s) { return contains(l, s); }))
      return &l;
  return nullptr;
}

/// Post-dominators of a loop's blocks on the paths that stay in it; a round ends at its head.
std::vector<int> meetings_within(const LoopBody& loop, const Graph& paths) {
  const uint32_t end = uint32_t(paths.size());
  Graph backwards(end + 1);
  for (uint32_t b = 0; b < end; ++b)
    for (uint32_t s : paths[b])
      if (contains(loop, b) && contains(loop, s)) backwards[s == loop.head ? end : s].push_back(b);
  std::vector<int> post = dominators(backwards, end);
  for (int& p : post)
    if (p == int(end)) p = int(loop.head);
  return post;
}

/// Adds a block to those that lanes on an edge give up.
void give_up(BasicBlock& from, uint32_t to, uint32_t meeting) {
  from.leaves.resize(from.successors.size());
  for (size_t k = 0; k < from.successors.size(); ++k)
    if (from.successors[k] == to) from.leaves[k].push_back(meeting);
}

void meet_within_loops(Function& f, const std::vector<LoopBody>& loops, const Graph& flow,
                       const Graph& paths) {
  for (const LoopBody& loop : loops) {
    std::vector<int> post;
    std::vector<uint32_t> nearer;
    for (uint32_t b = 0; b < f.blocks.size(); ++b) {
      BasicBlock& block = f.blocks[b];
      if (paths[b].size() < 2 || scope_of(loops, paths, b) != &loop) continue;
      if (block.ipdom >= 0 && contains(loop, uint32_t(block.ipdom))) continue;
      if (post.empty()) post = meetings_within(loop, paths);
      if (post[b] < 0) continue;
      block.meet = post[b];
      nearer.push_back(uint32_t(post[b]));
    }
    for (uint32_t b = 0; b < f.blocks.size() && !nearer.empty(); ++b)
      for (uint32_t s : flow[b])
        if (contains(loop, b) && !contains(loop, s))
          for (uint32_t meeting : nearer) give_up(f.blocks[b], s, meeting);
  }
}

/// A block that only computes another condition: ptxas runs it under the predicate of the one before.
bool is_condition(const Function& f, const std::vector<uint32_t>& predecessors, uint32_t block) {
  const BasicBlock& b = f.blocks[block];
  if (predecessors[block] != 1 || b.successors.size() != 2 || b.last - b.first > longest_predicated)
    return false;
  if (f.code[b.last].meaning.op != Op::bra || f.code[b.last].guard < 0) return false;
  return std::all_of(f.code.begin() + b.first, f.code.begin() + b.last, [](const Instruction& i) {
    return i.guard < 0 && i.meaning.written && !i.meaning.accesses() && !i.meaning.changes() &&
           !i.meaning.is({Op::call, Op::atom, Op::div, Op::rem, Op::sqrt});
  });
}

void join_conditions(Function& f, const std::vector<LoopBody>& loops, const Graph& flow) {
  std::vector<uint32_t> predecessors(flow.size());
  for (const auto& out : flow)
    for (uint32_t s : out) ++predecessors[s];
  const auto other_than = [&](uint32_t b, uint32_t s) { return flow[b][0] == s ? flow[b][1] : flow[b][0]; };
  const auto continues = [&](uint32_t from, uint32_t next, uint32_t body) {
    return next != body && is_condition(f, predecessors, next) && flow[next][0] != flow[next][1] &&
           (flow[next][0] == body || flow[next][1] == body) && next != from;
  };
  for (uint32_t b = 0; b < f.blocks.size(); ++b) {
    if (flow[b].size() != 2 || f.code[f.blocks[b].last].meaning.op != Op::bra) continue;
    for (uint32_t body : flow[b]) {
      uint32_t last = other_than(b, body);
      const LoopBody* around = innermost(loops, b);
      if (f.blocks[b].meet == int(body) || !continues(b, last, body) || (around && !contains(*around, body)))
        continue;
      f.blocks[b].joins = int(body);
      for (size_t n = 0; n < f.blocks.size() && continues(last, other_than(last, body), body); ++n)
        last = other_than(last, body);
      give_up(f.blocks[last], other_than(last, body), body);
      break;
    }
  }
}

}  // namespace

void set_nearer_meetings(Function& f, const Graph& flow, const Graph& paths) {
  for (BasicBlock& b : f.blocks) b.meet = b.ipdom;
  const std::vector<LoopBody> loops = loop_bodies(flow, 0);
  meet_within_loops(f, loops, flow, paths);
  join_conditions(f, loops, flow);
  for (BasicBlock& b : f.blocks)
    for (auto& meetings : b.leaves) {
      std::sort(meetings.begin(), meetings.end());
      meetings.erase(std::unique(meetings.begin(), meetings.end()), meetings.end());
    }
}

}  // namespace dojo::ptx
