#include "ptx/sass_parts.hpp"

#include <algorithm>

#include "ptx/opcode_class.hpp"

namespace dojo::ptx {

int32_t SassBranches::of(uint32_t m, uint32_t i) const {
  if (is_branch(flow_.ptx[i])) return flow_.ptx[i];
  const uint32_t b = uint32_t(flow_.blocks[m].anchor);
  const int32_t last = int32_t(f_.blocks[b].last);
  if (s_.code[i].op() == sass::brx) return is_branch(last) ? last : -1;
  // A jump that the PTX takes always, at the end of a body that is predicated here: it stands for the branch
  // around.
  if (const int32_t p = flow_.ptx[i]; p >= 0 && s_.code[i].op() == sass::bra && s_.code[i].conditional &&
                                      f_.code[size_t(p)].meaning.op == Op::bra) {
    const uint32_t body = f_.block_of[size_t(p)];
    int32_t around = -1;
    for (const auto& x : f_.blocks)
      if (std::find(x.successors.begin(), x.successors.end(), body) != x.successors.end())
        around = around < 0 && is_branch(int32_t(x.last)) ? int32_t(x.last) : int32_t(f_.code.size());
    if (around >= 0 && around < int32_t(f_.code.size())) return around;
  }
  // Branches on uniform predicates carry the line of what stands before them.
  if (s_.code[i].op() == sass::bra && is_branch(last) &&
      (flow_.ptx[i] < 0 || f_.block_of[size_t(flow_.ptx[i])] == b) && (s_.code[i].opcode >> 9) == 2)
    return last;
  return -1;
}

std::vector<int32_t> SassBranches::until(uint32_t bsync) const {
  std::vector<int32_t> list;
  const int64_t meets = int64_t(s_.code[bsync].address);
  std::vector<int64_t> open;  // where the pairs around an instruction end
  for (uint32_t i = 0; i < bsync; ++i) {
    const SassInstruction& inst = s_.code[i];
    while (!open.empty() && open.back() <= int64_t(inst.address)) open.pop_back();
    if (inst.op() == sass::bssy) open.push_back(inst.target - 16);
    if (open.empty() || open.back() != meets) continue;
    const bool table = inst.op() == sass::brx;
    if ((!table && (!flow_.jumps(i) || !inst.conditional)) || !flow_.blocks[flow_.block_of[i]].reached)
      continue;
    const int32_t p = of(flow_.block_of[i], i);
    if (p < 0) continue;
    for (int32_t branch : table ? tree(p) : std::vector<int32_t>{p})
      if (std::find(list.begin(), list.end(), branch) == list.end()) list.push_back(branch);
  }
  return list;
}

std::vector<int32_t> SassBranches::tree(int32_t root) const {
  std::vector<uint8_t> left(f_.blocks.size(), 0);
  for (uint32_t i = 0; i < s_.code.size(); ++i)
    if (flow_.ptx[i] >= 0 && flow_.blocks[flow_.block_of[i]].reached)
      left[f_.block_of[size_t(flow_.ptx[i])]] = 1;
  std::vector<int32_t> list{root};
  for (size_t k = 0; k < list.size(); ++k)
    for (uint32_t b : f_.blocks[f_.block_of[size_t(list[k])]].successors) {
      const int32_t last = int32_t(f_.blocks[b].last);
      if (!left[b] && is_branch(last) && std::find(list.begin(), list.end(), last) == list.end())
        list.push_back(last);
    }
  return list;
}

int32_t SassBranches::slow_path(uint32_t m) const {
  for (uint32_t i = flow_.blocks[m].first; i <= flow_.blocks[m].last; ++i)
    if (s_.code[i].op() == sass::call && !flow_.jumps(i) && flow_.ptx[i] >= 0 &&
        f_.code[size_t(flow_.ptx[i])].meaning.op != Op::call && m > 0 &&
        !integer_routine(f_.code[size_t(flow_.ptx[i])]))
      return flow_.ptx[i];
  return -1;
}

int32_t SassBranches::repeated(uint32_t m) const {
  const auto& block = flow_.blocks[m];
  if (std::find(block.successors.begin(), block.successors.end(), m) == block.successors.end()) return -1;
  int32_t load = -1;
  for (uint32_t i = block.first; i <= block.last; ++i) {
    const auto a = sass_access(s_.code[i]);
    const int32_t p = flow_.ptx[i];
    if (p >= 0 && s_.code[i].op() == sass::ublkcp && f_.code[size_t(p)].meaning.effect == Effect::bulk)
      return p;
    if (p >= 0 && s_.code[i].op() == sass::syncs && f_.code[size_t(p)].meaning.op == Op::mbarrier) return p;
    if (a.space != Space::shared || p < 0 || !f_.code[size_t(p)].meaning.changes()) continue;
    if (a.atomic) return p == load ? p : -1;
    if (a.load) load = p;
  }
  return -1;
}

bool SassBranches::returns_at_once(uint32_t b) const {
  for (uint32_t i = f_.blocks[b].first; i <= f_.blocks[b].last; ++i) {
    if (f_.code[i].meaning.returns()) return true;
    if (classify(f_.code[i], f_.kernel).ops > 0) return false;
  }
  return false;
}

}  // namespace dojo::ptx
