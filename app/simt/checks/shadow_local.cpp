// Unwritten bytes of local memory.
#include <algorithm>
#include <mutex>

#include "simt/checks/shadow_bits.hpp"
#include "simt/state/element_names.hpp"
#include "simt/state/findings.hpp"
#include "simt/state/supervisor.hpp"

namespace dojo::simt {
namespace {

/// How a bit-field is set: the word is loaded, some of its bits are replaced, and it is stored.
bool puts_bits(const ptx::Instruction& i) {
  const std::string& word = i.parts[0];
  return word == "and" || word == "or" || word == "bfi";
}

/// Is the value that an instruction loads only ever stored or moved on? Copying a structure copies members
/// that were never set, and padding: wrong is only to use them.
bool only_carried(const ptx::Function& f, uint32_t ptx) {
  std::vector<uint64_t> todo, seen;
  auto add = [&](const ptx::Operand& o) {
    if (o.kind == ptx::OperandKind::reg && std::find(seen.begin(), seen.end(), o.value) == seen.end())
      todo.push_back(o.value), seen.push_back(o.value);
    for (const ptx::Operand& i : o.items)
      if (i.kind == ptx::OperandKind::reg && std::find(seen.begin(), seen.end(), i.value) == seen.end())
        todo.push_back(i.value), seen.push_back(i.value);
  };
  auto reads = [](const ptx::Operand& o, uint64_t r) {
    auto is = [&](const ptx::Operand& a) {
      return (a.kind == ptx::OperandKind::reg || (a.kind == ptx::OperandKind::address && a.base_is_reg)) &&
             a.value == r;
    };
    return is(o) || std::any_of(o.items.begin(), o.items.end(), is);
  };
  add(f.code[ptx].operands.at(0));
  while (!todo.empty()) {
    const uint64_t r = todo.back();
    todo.pop_back();
    for (const ptx::Instruction& i : f.code) {
      if (i.guard == int(r)) return false;
      for (size_t k = 0; k < i.operands.size(); ++k) {
        if (!reads(i.operands[k], r)) continue;
        if (i.meaning.op == ptx::Op::st) {
          if (k == 0 || i.meaning.space == ptx::Space::global)
            return false;  // an address, or shown to others
        } else if (i.meaning.op == ptx::Op::mov || puts_bits(i)) {
          if (k > 0) add(i.operands[0]);
        } else if (k >= i.meaning.written || i.operands[k].kind != ptx::OperandKind::reg) {
          return false;
        }
      }
    }
  }
  return true;
}

}  // namespace

bool copies_only(Exec& x, const Inst* p) {
  static std::mutex lock;
  std::lock_guard guard(lock);
  auto [it, first] = x.machine->carriers.try_emplace(p, false);
  if (first) {
    const ptx::Instruction& i = x.frame->code->fn->code[p->ptx];
    // A library's own variables are its own affair.
    it->second = only_carried(*x.frame->code->fn, p->ptx) || x.program->module().places(i).empty();
  }
  return it->second;
}

void check_local(Exec& x, const Inst* p, uint32_t lane, uint64_t offset, uint32_t bytes, bool write) {
  Warp& w = *x.warp;
  uint8_t* init = w.local_init.data() + size_t(lane) * w.local_stride + offset;
  if (write) {
    std::memset(init, 1, bytes);
    return;
  }
  if (std::all_of(init, init + bytes, [](uint8_t i) { return i; })) return;
  std::memset(init, 1, bytes);
  if (copies_only(x, p)) return;
  if (!x.machine->wanted(finding_key(Check::local_unwritten, p->access))) return;
  const std::string element = local_element(x, p, offset).element;
  emit(x, finding(
              x, p, FindingKind::uninitialized,
              subject(x, lane) + " reads " +
                  (element.empty() ? "an element of a local array that it has" : element + ", which it has") +
                  " not written.",
              int(lane)));
}

}  // namespace dojo::simt
