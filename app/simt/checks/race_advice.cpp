#include "simt/checks/race_advice.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ptx/flow/uniform.hpp"
#include "simt/state/element_names.hpp"
#include "simt/state/findings.hpp"
#include "simt/state/supervisor.hpp"

namespace dojo::simt {
namespace {

using ptx::Function;
using ptx::Instruction;
using ptx::Op;
using ptx::Operand;
using ptx::OperandKind;

const Operand* address_of(const Instruction& i) {
  for (const Operand& o : i.operands)
    if (o.kind == OperandKind::address) return &o;
  return nullptr;
}

bool same_address(const Operand& a, const Operand& b) {
  return a.base_is_reg == b.base_is_reg && a.offset == b.offset &&
         (a.base_is_reg ? a.value == b.value : a.name == b.name);
}

/// The instruction that gives a register its value, or null: there is none, or there are several.
const Instruction* definition(const Function& f, uint64_t reg) {
  const Instruction* found = nullptr;
  for (const Instruction& i : f.code) {
    if (!i.meaning.written || i.operands[0].kind != OperandKind::reg || i.operands[0].value != reg) continue;
    if (found) return nullptr;
    found = &i;
  }
  return found;
}

const char* atomic_of(Op operation) {
  switch (operation) {
    case Op::add:
    case Op::fma:
    case Op::mad:
      return "atomicAdd()";
    case Op::sub:
      return "atomicSub()";
    case Op::max:
      return "atomicMax()";
    case Op::min:
      return "atomicMin()";
    case Op::and_:
      return "atomicAnd()";
    case Op::or_:
      return "atomicOr()";
    case Op::xor_:
      return "atomicXor()";
    default:
      return "an atomic function";
  }
}

/// The load whose value a store writes back, changed by one operation or a few.
struct Update {
  uint32_t load = 0;
  const char* atomic = "";
};
Update update_of(const Function& f, uint32_t store) {
  const Instruction& s = f.code[store];
  const Operand* to = address_of(s);
  if (s.meaning.op != Op::st || !to || s.operands.size() < 2 || s.operands[1].kind != OperandKind::reg)
    return {};
  constexpr int most_operations = 4;
  struct Path {
    uint64_t value;
    const char* atomic;  ///< what the operations so far are, null: there was none
  };
  std::vector<Path> paths = {{s.operands[1].value, nullptr}};
  for (int depth = 0; depth <= most_operations && !paths.empty(); ++depth) {
    std::vector<Path> next;
    for (const Path& path : paths) {
      const Instruction* i = definition(f, path.value);
      if (!i) continue;
      if (i->meaning.op == Op::ld) {
        const Operand* from = address_of(*i);
        if (path.atomic && from && same_address(*from, *to))
          return {uint32_t(i - f.code.data()), path.atomic};
        continue;
      }
      const char* atomic = path.atomic;
      if (!i->meaning.is({Op::mov, Op::cvt}))
        atomic = atomic ? "an atomic function" : atomic_of(i->meaning.op);
      for (size_t k = 1; k < i->operands.size(); ++k)
        if (i->operands[k].kind == OperandKind::reg) next.push_back({i->operands[k].value, atomic});
    }
    paths = std::move(next);
  }
  return {};
}

}  // namespace

std::string atomic_for(const Program& program, uint32_t access, uint32_t other) {
  const auto& owners = program.accesses();
  if (access >= owners.size() || other >= owners.size()) return {};
  if (owners[access].function != owners[other].function) return {};
  const Function& f = program.module().functions[owners[access].function];
  for (const auto& [store, with] : {std::pair(access, other), std::pair(other, access)}) {
    const Update u = update_of(f, owners[store].ptx);
    if (*u.atomic && (store == with || owners[with].ptx == u.load)) return u.atomic;
  }
  return {};
}

namespace {
/// Two threads at one store that each executes once: no barrier comes between them.
bool is_one_store(const Program& program, uint32_t access, const OtherSide& other) {
  const auto& owners = program.accesses();
  if (!other.writes || access != other.access || access >= owners.size()) return false;
  const Function& f = program.module().functions[owners[access].function];
  // A function that is called may be called in a loop.
  return f.kernel && !f.blocks[f.block_of[owners[access].ptx]].in_loop;
}

/// Are the two in a loop that warps may leave at different times? No barrier of the block can stand in it.
bool in_loop_of_warps(const Program& program, uint32_t access, uint32_t other) {
  const auto& owners = program.accesses();
  if (access >= owners.size() || other >= owners.size()) return false;
  if (owners[access].function != owners[other].function) return false;
  return !ptx::loops_together(program.module().functions[owners[access].function], owners[access].ptx,
                              owners[other].ptx);
}

/// A plain load that looks before an atomicCAS() of its function decides, as in a search over a graph. A load
/// behind it reads a result, and needs what orders the two.
bool looks_before_swap(const Program& program, uint32_t access, uint32_t other) {
  const auto& owners = program.accesses();
  if (access >= owners.size() || other >= owners.size()) return false;
  if (owners[access].function != owners[other].function) return false;
  const Function& f = program.module().functions[owners[access].function];
  const auto looks = [&](uint32_t load, uint32_t swap) {
    const ptx::Meaning& later = f.code[owners[swap].ptx].meaning;
    return f.code[owners[load].ptx].meaning.op == Op::ld && later.op == Op::atom &&
           later.change == ptx::Change::cas && owners[load].ptx < owners[swap].ptx;
  };
  return looks(access, other) || looks(other, access);
}
}  // namespace

std::string separation(const Exec& x, const Inst* p, const OtherSide& other) {
  if (other.same_launch && looks_before_swap(*x.program, p->access, other.access))
    return "Let atomicCAS() alone decide, or read the word by an atomic load (cuda::atomic_ref).";
  if (const std::string atomic = atomic_for(*x.program, p->access, other.access); !atomic.empty())
    return "Use " + atomic + ": reading, changing and writing are three steps.";
  if (is_one_store(*x.program, p->access, other))
    return "Give each thread an element of its own, or let one thread write it.";
  if (other.same_block) {
    const bool apart = in_loop_of_warps(*x.program, p->access, other.access);
    if (other.same_warp) return std::string(apart ? loop_separation : warp_separation);
    return std::string(apart ? loop_order : block_separation);
  }
  return other.same_launch ? "Blocks are ordered only by kernel launches, or by a fence and an atomic flag."
                           : "Kernels of two streams are ordered by an event (cudaStreamWaitEvent), or by a "
                             "fence and an atomic flag.";
}

std::string race_message(const Exec& x, uint32_t lane, bool write, const std::string& element,
                         const OtherSide& other, const std::string& advice) {
  const Grid& g = *x.grid;
  const bool inside = other.same_block && g.grid.count() > 1;
  const std::string me =
      inside ? thread_name(g.block, g.block.at(thread_index(x, int(lane)))) : lane_name(x, lane);
  return fmt::format(
      "Race{}: {} {} {} while {} {} it. {}", inside ? " in " + block_name(g.grid, x.block->index) : "", me,
      write ? "writes" : "reads", element, other.name, other.writes ? "writes" : "reads", advice);
}

OtherSide other_side(const Exec& x, const Block* by, uint32_t thread, uint32_t access, bool writes) {
  OtherSide o;
  o.access = access, o.writes = writes;
  o.same_block = by == x.block;
  o.same_warp = o.same_block && thread / 32 == x.warp->index;
  o.thread = thread_of(x, thread);
  o.name = thread_name(x.grid->block, *o.thread);
  if (!by) return o;
  o.block = by->index;
  if (!o.same_block) o.name += " of " + block_name(x.grid->grid, by->index);
  return o;
}

Related other_place(const Exec& x, const OtherSide& other) {
  Related r;
  r.block = other.block, r.thread = other.thread;
  r.message = other.writes ? "the other thread writes here" : "the other thread reads here";
  const auto& owners = x.program->accesses();
  if (other.access < owners.size())
    r.where = place_of(*x.program, owners[other.access].function, owners[other.access].ptx);
  return r;
}

}  // namespace dojo::simt
