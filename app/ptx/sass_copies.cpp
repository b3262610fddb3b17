// Copies of PTX blocks in the machine code. The assembler unrolls loops again and peels off first turns, so
// that one machine block may hold a PTX instruction several times. Copies are counted by instructions that
// stay one machine instruction each: loads, stores, barriers, shuffles, fused multiplications and additions.
#include <algorithm>
#include <map>
#include <set>

#include "ptx/opcode_class.hpp"
#include "ptx/sass_parts.hpp"

namespace dojo::ptx {

SassCopies::SassCopies(const Function& f, const SassFunction& s, SassFlow& flow)
    : f_(f), s_(s), flow_(flow), whole_(f.blocks.size(), -1) {
  std::vector<std::vector<uint32_t>> graph;
  for (auto& b : f.blocks) graph.push_back(b.successors);
  loops_ = natural_loops(graph, 0);
  graph.assign(flow.blocks.size(), {});
  for (uint32_t m = 0; m < flow.blocks.size(); ++m)
    if (flow.blocks[m].reached) graph[m] = flow.blocks[m].successors;
  above_ = dominators(graph, 0);
  join_whole_loops();
}

bool SassCopies::one_to_one(uint32_t i) const {
  if (flow_.ptx[i] < 0) return false;
  const Instruction& p = f_.code[size_t(flow_.ptx[i])];
  const Meaning& m = p.meaning;
  auto a = sass_access(s_.code[i]);
  if (a.memory()) {
    // Not a vector load of which only some elements are used: it becomes several narrower ones. Nor the
    // load of an atomic without an instruction of its own, which becomes a loop of a load and an ATOM.CAS.
    if (s_.code[i].width < m.width) return false;
    return m.is({Op::ld, Op::st}) || (a.atomic && m.changes());
  }
  // (Before a barrier in a loop whose lanes may come apart stands a WARPSYNC of its own.)
  if (m.is({Op::bar, Op::shfl})) return fixedness(s_.code[i]) >= 4 && s_.code[i].op() != sass::warpsync;
  return m.is({Op::fma, Op::add, Op::mul}) && sass_pipe(s_.code[i]) == Pipe::fma;
}

uint32_t SassCopies::pace(int32_t p) const {
  const uint32_t b = f_.block_of[size_t(p)];
  return whole_[b] >= 0 ? uint32_t(whole_[b]) : b;
}

/// The PTX blocks of the loop with head `h`; none where it is one block, or other loops are inside.
std::vector<uint8_t> SassCopies::blocks_of_innermost(uint32_t h) const {
  std::vector<uint8_t> in(f_.blocks.size(), 0);
  size_t count = 0;
  uint32_t last = h;
  for (uint32_t b = 0; b < f_.blocks.size(); ++b)
    if (loops_.head[b] == int(h)) in[b] = 1, ++count, last = b;
  bool inner = false;
  for (uint32_t b = h; b <= last; ++b) inner |= !in[b] && loops_.depth[b] > loops_.depth[h];
  if (count < 2 || inner) return {};
  return in;
}

/// Whether a machine block holds an access of the loop's more than once, and every machine block with
/// accesses of the loop has them of all its PTX blocks that have any.
bool SassCopies::unrolled_whole(const std::vector<uint8_t>& in) const {
  std::map<uint32_t, std::set<uint32_t>> work;  // machine block -> PTX blocks whose accesses it holds
  std::set<uint32_t> wanted;
  int most = 0;
  for (uint32_t m = 0; m < flow_.blocks.size(); ++m) {
    const auto& block = flow_.blocks[m];
    if (!block.reached || block.anchor < 0 || !in[size_t(block.anchor)]) continue;
    std::map<int32_t, int> seen;
    for (uint32_t i = block.first; i <= block.last; ++i)
      if (one_to_one(i) && sass_access(s_.code[i]).memory() && in[f_.block_of[size_t(flow_.ptx[i])]]) {
        const uint32_t b = f_.block_of[size_t(flow_.ptx[i])];
        wanted.insert(b);
        work[m].insert(b);
        most = std::max(most, ++seen[flow_.ptx[i]]);
      }
  }
  return most >= 2 && std::all_of(work.begin(), work.end(),
                                  [&](const auto& m) { return m.second.size() == wanted.size(); });
}

void SassCopies::join_whole_loops() {
  for (uint32_t h = 0; h < f_.blocks.size(); ++h) {
    if (loops_.head[h] != int(h)) continue;
    const std::vector<uint8_t> in = blocks_of_innermost(h);
    if (in.empty() || !unrolled_whole(in)) continue;
    for (auto& m : flow_.blocks)
      if (m.reached && m.anchor >= 0 && in[size_t(m.anchor)]) m.anchor = int(h);
    for (uint32_t b = 0; b < f_.blocks.size(); ++b)
      if (in[b]) whole_[b] = int(h);
  }
}

int SassCopies::of(uint32_t m, uint32_t b) const {
  std::map<int32_t, int> count;
  for (uint32_t i = flow_.blocks[m].first; i <= flow_.blocks[m].last; ++i)
    if (one_to_one(i) && pace(flow_.ptx[i]) == b) ++count[flow_.ptx[i]];
  std::vector<int> counts;
  for (auto [p, n] : count) counts.push_back(n);
  if (counts.empty()) return 0;
  // The upper quartile: a single instruction may be there twice because its neighbour's line was given to it.
  std::sort(counts.begin(), counts.end(), std::greater<>());
  return counts[(counts.size() - 1) / 4];
}

int SassCopies::peeled_iterations(uint32_t b, uint32_t in_loop) const {
  // Counts the accesses of PTX block b in machine block m, by PTX instruction.
  const auto count_accesses = [&](uint32_t m, std::map<int32_t, int>& seen) {
    for (uint32_t i = flow_.blocks[m].first; i <= flow_.blocks[m].last; ++i)
      if (one_to_one(i) && sass_access(s_.code[i]).memory() && f_.block_of[size_t(flow_.ptx[i])] == b)
        ++seen[flow_.ptx[i]];
  };
  std::map<int32_t, int> iteration;
  for (uint32_t m = 0; m < flow_.blocks.size(); ++m) {
    const auto& block = flow_.blocks[m];
    if (!block.reached || loops_.head[size_t(block.anchor)] != loops_.head[b]) continue;
    if (uint32_t(block.anchor) != b) return 0;
    count_accesses(m, iteration);
  }
  if (iteration.empty()) return 0;
  int iterations = 0;
  for (int m = above_[in_loop]; m >= 0; m = above_[size_t(m)]) {
    const auto& block = flow_.blocks[size_t(m)];
    if (block.anchor == int(b) || block.depth >= flow_.blocks[in_loop].depth) continue;
    std::map<int32_t, int> seen;
    count_accesses(uint32_t(m), seen);
    int whole = seen.size() == iteration.size() ? 1 << 16 : 0;
    for (const auto& [p, n] : seen) whole = std::min(whole, n);
    iterations += whole;
  }
  return iterations;
}

}  // namespace dojo::ptx
