// Accesses to memory as the machine code makes them: how wide, how often per PTX instruction, and whether the
// assembler kept them at all. ptxas joins neighbouring accesses, and keeps small local arrays in registers.
#include <algorithm>

#include "ptx/opcode_class.hpp"
#include "ptx/sass_parts.hpp"

namespace dojo::ptx {

void shape_accesses(const Function& f, const SassFunction& s, const SassFlow& flow, CodeShape& shape) {
  std::vector<uint8_t> width(f.code.size(), 0);
  std::vector<uint8_t> block_has(f.blocks.size(), 0);
  for (uint32_t i = 0; i < s.code.size(); ++i) {
    if (flow.ptx[i] < 0 || !flow.blocks[flow.block_of[i]].reached) continue;
    block_has[f.block_of[size_t(flow.ptx[i])]] = 1;
    if (sass_access(s.code[i]).memory())
      width[size_t(flow.ptx[i])] = std::max(width[size_t(flow.ptx[i])], s.code[i].width);
  }
  for (uint32_t p = 0; p < f.code.size(); ++p) {
    const Meaning& c = f.code[p].meaning;
    // ptxas keeps small arrays with computed indices in registers and picks by comparisons: local accesses
    // are gone then.
    const bool counts = c.space == Space::shared || c.space == Space::global || c.space == Space::local;
    if (!c.is({Op::ld, Op::st}) || !counts) continue;
    auto& a = shape.accesses[p];
    a.counted = width[p] > 0 && block_has[f.block_of[p]];
    if (width[p] > c.width) a.merged_width = width[p];
  }
  // A load joined with those of other iterations of its loop: an unrolled loop has fewer machine instructions
  // of it than iterations. A loop unrolled whole lies in another block: it has as many iterations as there
  // are copies of an access that was not joined.
  std::vector<uint16_t> loads(f.code.size(), 0), iterations(f.code.size(), 0), copies(f.code.size(), 0);
  std::vector<uint16_t> most_copies(f.blocks.size(), 0);
  for (uint32_t b = 0; b < shape.blocks.size(); ++b)
    for (const ShapeOp& op : shape.blocks[b].ops) {
      if (op.memory < 0) continue;
      const size_t p = size_t(op.memory);
      if (const uint32_t own = f.block_of[p]; own != b)
        most_copies[own] = std::max(most_copies[own], ++copies[p]);
      if (op.period < 2 || op.period < iterations[p]) continue;
      loads[p] = op.period > iterations[p] ? 1 : uint16_t(loads[p] + 1);
      iterations[p] = op.period;
    }
  for (uint32_t p = 0; p < f.code.size(); ++p) {
    auto& a = shape.accesses[p];
    if (!a.merged_width) continue;
    if (iterations[p] && loads[p] < iterations[p])
      a.to = loads[p], a.of = iterations[p];
    else if (!iterations[p] && copies[p] && copies[p] < most_copies[f.block_of[p]])
      a.to = copies[p], a.of = most_copies[f.block_of[p]];
  }
}

bool finds_accesses(const Function& f, const SassFunction& s, const SassFlow& flow, const CodeShape& shape) {
  const auto kind = [](Space space, bool store) { return int(space == Space::shared) * 2 + int(store); };
  const auto is_checked = [](Space space) { return space == Space::global || space == Space::shared; };
  // By space and direction: machine code accesses what no PTX access stands for; a PTX access has no machine
  // code. Both at once: the mapping between the two is wrong.
  bool unexplained[4] = {}, missing[4] = {};
  for (uint32_t i = 0; i < s.code.size(); ++i) {
    const SassAccess a = sass_access(s.code[i]);
    if (!flow.blocks[flow.block_of[i]].reached || !(a.load || a.store) || !is_checked(a.space)) continue;
    const Meaning of = flow.ptx[i] < 0 ? Meaning() : f.code[size_t(flow.ptx[i])].meaning;
    if (!of.accesses() || of.space == Space::param || of.space == Space::constant)
      unexplained[kind(a.space, a.store)] = true;
  }
  for (uint32_t p = 0; p < f.code.size(); ++p) {
    const Meaning& m = f.code[p].meaning;
    if (m.is({Op::ld, Op::st}) && is_checked(m.space) && !shape.accesses[p].counted)
      missing[kind(m.space, m.stores())] = true;
  }
  for (int k = 0; k < 4; ++k)
    if (unexplained[k] && missing[k]) return false;
  return true;
}

}  // namespace dojo::ptx
