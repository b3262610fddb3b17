#pragma once
// What the rules of the estimate share about the order of memory.
#include <algorithm>

#include "ptx/code_shape.hpp"

namespace dojo::ptx {

/// A load of memory that no thread writes while the kernel runs (.nc).
inline bool read_only(const Instruction& i) {
  return std::find(i.parts.begin(), i.parts.end(), "nc") != i.parts.end();
}

/// No access to memory passes it: branches, barriers, fences, calls, asynchronous copies, and accesses with
/// an order of their own. Operations without a PTX instruction, too.
inline bool holds_accesses(const ShapeOp& op, const Function& f) {
  if (op.ptx < 0) return true;
  const Meaning& m = f.code[size_t(op.ptx)].meaning;
  return op.pipe == Pipe::branch || m.effect == Effect::none || m.effect == Effect::copy ||
         m.effect == Effect::bulk || m.op == Op::call || m.order != Order::weak;
}

}  // namespace dojo::ptx
