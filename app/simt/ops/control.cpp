// Control: entering blocks, branches, calls, returns, traps, predicated instructions.
#include <fmt/format.h>

#include "ptx/instructions/stack_parameters.hpp"
#include "simt/ops/calls.hpp"
#include "simt/ops/control.hpp"
#include "simt/ops/lanes.hpp"
#include "simt/state/findings.hpp"
#include "simt/state/spins.hpp"
#include "simt/state/splits.hpp"

namespace dojo::simt {

/// Out of line: what grows a vector needs registers that every entered block would have to save.
[[gnu::noinline]] const Inst* enter_traced(const Inst* p, Exec& x) {
  x.warp->trace->steps.push_back({x.frame->code->index, uint32_t(p->target), x.mask, 0});
  return p + 1;
}

/// Groups of eight lanes, from lane 0 on, with no lane in the mask.
uint64_t idle_eights(uint32_t mask) {
  mask |= mask >> 4, mask |= mask >> 2, mask |= mask >> 1;
  return 4 - uint64_t(std::popcount(mask & 0x01010101u));
}

const Inst* enter_device(const Inst* p, Exec& x) {
  if (p == x.conv_at && x.frame == x.conv_frame) [[unlikely]] {
    if (!(p = reconverge(p, x))) return nullptr;
  }
  if (x.slice < 0) [[unlikely]]
    return suspend(p, x, Wait::ready);
  BlockCount& c = x.visits[p->access];
  ++c.visits;
  c.lanes += uint32_t(std::popcount(x.mask));
  if (x.mask != ~0u) c.idle_eights += idle_eights(x.mask);
  x.executed += p->imm;
  x.slice -= int64_t(p->imm);
  x.sig = fold(x.sig, uint64_t(p->access) << 32 | x.mask);
  if (x.warp->trace) [[unlikely]]
    return enter_traced(p, x);
  return p + 1;
}

/// A place where lanes meet inside a block.
const Inst* enter_nothing(const Inst* p, Exec& x) {
  if (p == x.conv_at && x.frame == x.conv_frame && !reconverge(p, x)) return nullptr;
  return p + 1;
}

/// Behind an inner instruction: handlers may go on by themselves.
const Inst* run_end(const Inst*, Exec&) { return nullptr; }

const Inst* run_guarded(const Inst* p, Exec& x) {
  const uint32_t pm = x.pred(p->a), before = x.mask;
  const uint32_t m = before & (p->flags & flag::negated ? ~pm : pm);
  if (!m) return p + 1;
  const Inst& inner = x.frame->code->guarded[size_t(p->target)];
  if (m == before) {
    inner.fn[x.partial](&inner, x);
    return p + 1;
  }
  x.set_mask(m);
  inner.fn[x.partial](&inner, x);
  x.set_mask(before);
  return p + 1;
}

const Inst* run_guard_branch(const Inst* p, Exec& x) {
  const uint32_t pm = x.pred(p->a);
  const uint32_t on = x.mask & (p->flags & flag::negated ? ~pm : pm);
  if (on == x.mask) return p + 1;
  if (!on) return p + 2;
  return diverge(p, x, x.mask & ~on, p + 2, p + 1, p + 2);
}

const Inst* run_unsupported(const Inst* p, Exec& x) {
  const Code& code = *x.frame->code;
  const ptx::Instruction& ins = code.fn->code[p->ptx];
  const std::string& why = code.notes[size_t(p->target)];
  Diagnostic d = finding(x, p, FindingKind::unsupported,
                         fmt::format("The instruction {} is not supported by the SIMT machine{}.", ins.opcode,
                                     why.empty() ? "" : " (" + why + ")"),
                         -1);
  throw RunStopped(Status::finding, std::move(d));
}

const Inst* run_fall_off(const Inst*, Exec& x) { return exit_or_return(x); }

namespace {

using ptx::OperandKind;
using ptx::Type;

const Inst* jump(const Inst* p, Exec& x) { return go_on(p + p->target - 1, x); }

const Inst* jump_back(const Inst* p, Exec& x) {
  if (x.touched && spin_check(p, x, p + p->target)) return nullptr;
  return p + p->target;
}

template <bool Back>
const Inst* branch(const Inst* p, Exec& x) {
  uint32_t pm = x.pred(p->a);
  if (p->flags & flag::negated) pm = ~pm;
  const uint32_t taken = pm & x.mask;
  if (taken == 0) return go_on(p, x);
  if (Back && x.touched && taken == x.mask) {
    if (spin_check(p, x, p + p->target)) return nullptr;
  }
  if (taken == x.mask) return go_on(p + p->target - 1, x);
  ++x.access[p->access].divergent;
  const Inst* meet = p->reconverge ? p + p->reconverge : nullptr;
  if (Back) {
    // The lanes that leave a loop go first to the meeting point; those that stay may spin.
    const Inst* next = diverge(p, x, x.mask & ~taken, p + 1, p + p->target, meet);
    if (x.touched && next && spin_check(p, x, next)) return nullptr;
    return next;
  }
  return diverge(p, x, taken, p + p->target, p + 1, meet);
}

/// A branch on whose edges lanes give up meetings, or wait for more conditions.
template <bool Back>
const Inst* branch_out(const Inst* p, Exec& x) {
  const NearerMeetings& near = x.frame->code->meetings[size_t(p->imm)];
  uint32_t pm = x.pred(p->a);
  if (p->flags & flag::negated) pm = ~pm;
  uint32_t lanes[2] = {x.mask & pm, x.mask & ~pm};
  const Inst* const to[2] = {p + p->target, p + 1};
  const Inst* meet = p->reconverge ? p + p->reconverge : nullptr;
  bool gave_up = false;
  for (int edge : {0, 1}) {
    if (!lanes[edge] || !meets_at(x, near.given_up[edge])) continue;
    if (!gave_up && lanes[edge ^ 1]) ++x.access[p->access].divergent;
    gave_up = true;
    if (!give_up_meetings(x, lanes[edge], to[edge], near.given_up[edge], meet)) return nullptr;
    lanes[edge] = 0;
  }
  if (gave_up) {
    if (Back && lanes[0] && x.touched && spin_check(p, x, to[0])) return nullptr;
    return lanes[0] ? to[0] : to[1];
  }
  if (!near.joins || !lanes[0] || !lanes[1]) return branch<Back>(p, x);
  ++x.access[p->access].divergent;
  const Inst* body = p + near.joins;
  const int edge = body == to[0] ? 0 : 1;
  if (!(body == x.conv_at && x.frame == x.conv_frame)) open_meeting(x, meet);  // the first of the conditions
  return await_conditions(x, lanes[edge], body, to[edge ^ 1]);
}

const Inst* leave(const Inst*, Exec& x) { return exit_or_return(x); }
const Inst* leave_thread(const Inst*, Exec& x) { return exit_lanes_checked(x); }
const Inst function_exit{{leave, leave}}, thread_exit{{leave_thread, leave_thread}};

/// Host code: one lane.
const Inst* branch_host(const Inst* p, Exec& x) {
  const bool taken = (x.pred(p->a) & 1) != uint32_t(p->flags & flag::negated ? 1 : 0);
  return taken ? p + p->target : p + 1;
}
const Inst* exit_guarded(const Inst* p, Exec& x) {
  uint32_t pm = x.pred(p->a);
  if (p->flags & flag::negated) pm = ~pm;
  const uint32_t out = pm & x.mask;
  if (!out) return p + 1;
  if (out == x.mask) return p->sub ? exit_lanes_checked(x) : exit_or_return(x);
  // Those that stay run on; those that leave end in a split of their own.
  ++x.access[p->access].divergent;
  return diverge(p, x, out, p->sub ? &thread_exit : &function_exit, p + 1, nullptr);
}

void bra(Decoder& d) {
  const ptx::Operand& o = d.op(0);
  if (o.kind != OperandKind::label) d.refuse("a branch to something else than a label");
  const uint32_t target = d.fn.block_of[o.value];
  const bool back = target <= d.block_index;
  const size_t at = d.here();
  if (d.ins->guard < 0) {
    d.emit(back && !d.host ? jump_back : jump).kind = Kind::control;
  } else {
    ptx::Operand guard;
    guard.kind = OperandKind::reg;
    guard.value = uint64_t(d.ins->guard);
    uint32_t p = d.pred_src(guard);
    const ptx::BasicBlock& block = d.fn.blocks[d.block_index];
    const bool out = !d.host && (block.joins >= 0 || !block.leaves.empty());
    const auto parting = out    ? (back ? branch_out<true> : branch_out<false>)
                         : back ? branch<true>
                                : branch<false>;
    Inst& i = d.emit(d.host ? branch_host : parting, 0, p);
    i.kind = Kind::control;
    i.flags = d.ins->guard_negated ? flag::negated : 0;
    i.access = d.access();
    d.meet_at(at, block.meet);
    if (out) {
      i.imm = d.code.meetings.size();
      NearerMeetings& near = d.code.meetings.emplace_back();
      for (size_t k = 0; k < block.leaves.size(); ++k)
        near.given_up[block.successors[k] == target ? 0 : 1] = block.leaves[k];
      if (block.joins >= 0) d.join_at(at, size_t(i.imm), uint32_t(block.joins));
    }
  }
  d.branch_to(at, target);
}

const Inst* brx(const Inst* p, Exec& x) {
  const auto& table = x.frame->code->switches[size_t(p->imm)];
  auto index = [&](uint32_t l) -> uint32_t {
    return std::min<uint32_t>(x.slot<u32a>(p->a)[l], uint32_t(table.size()) - 1);
  };
  const uint32_t first = index(uint32_t(std::countr_zero(x.mask)));
  uint32_t same = 0;
  DOJO_FOR_LANES(l, x.mask) same |= uint32_t(index(l) == first) << l;
  const Inst* meet = p->reconverge ? p + p->reconverge : nullptr;
  const auto& given_up = x.frame->code->switches_give_up[size_t(p->imm)];
  const bool gives_up = !given_up.empty() && meets_at(x, given_up[first]);
  if (same != x.mask) ++x.access[p->access].divergent;
  if (gives_up) return give_up_meetings(x, same, p + table[first], given_up[first], meet) ? p : nullptr;
  if (same == x.mask) return p + table[first];
  // One target at a time: the rest comes back here as a split of its own.
  return diverge(p, x, x.mask & ~same, p, p + table[first], meet);
}
void brx_decode(Decoder& d) {
  uint32_t a = d.src(0, Type::u32);
  const ptx::Operand& list = d.op(1);
  if (list.kind != OperandKind::list || list.items.empty()) d.refuse("brx without a table");
  const size_t at = d.here();
  Inst& i = d.emit(brx, 0, a);
  i.kind = Kind::control;
  i.access = d.access();
  i.imm = d.code.switches.size();
  d.code.switches.emplace_back(list.items.size());
  auto& given_up = d.code.switches_give_up.emplace_back();
  const ptx::BasicBlock& block = d.fn.blocks[d.block_index];
  for (size_t k = 0; k < list.items.size(); ++k)
    d.fix_switch(at, uint32_t(d.code.switches.size() - 1), k, d.fn.block_of[list.items[k].value]);
  for (size_t k = 0; k < list.items.size() && !block.leaves.empty(); ++k)
    for (size_t s = 0; s < block.leaves.size(); ++s)
      if (block.successors[s] == d.fn.block_of[list.items[k].value])
        given_up.resize(list.items.size()), given_up[k] = block.leaves[s];
  d.meet_at(at, block.meet);
}

void ret(Decoder& d) {
  const bool thread = d.ins->meaning.op == ptx::Op::exit;
  if (d.ins->guard >= 0) {
    ptx::Operand guard;
    guard.kind = OperandKind::reg;
    guard.value = uint64_t(d.ins->guard);
    uint32_t p = d.pred_src(guard);
    Inst& i = d.emit(exit_guarded, 0, p);
    i.kind = Kind::control;
    i.flags = d.ins->guard_negated ? flag::negated : 0;
    i.sub = thread;
    i.access = d.access();
    return;
  }
  d.emit(thread ? leave_thread : leave).kind = Kind::control;
}

const Inst* call(const Inst* p, Exec& x) {
  const CallSite& site = x.frame->code->calls[size_t(p->target)];
  if (site.function >= 0) return call_function(p, x, uint32_t(site.function));
  // Through a pointer: lanes with the same callee go together.
  uint64_t first = x.slot<u64a>(p->a)[x.host ? 0 : std::countr_zero(x.mask)];
  uint32_t same = 0;
  if (x.host)
    same = 1;
  else
    DOJO_FOR_LANES(l, x.mask) same |= uint32_t(x.slot<u64a>(p->a)[l] == first) << l;
  const auto& functions = x.program->module().functions;
  uint64_t n = (first - window::code) / 16;
  if (first < window::code || n == 0 || n > functions.size() || (first & 15)) {
    Diagnostic d = finding(
        x, p, FindingKind::trap,
        first == 0 ? "A call through a null function pointer."
                   : fmt::format("A call through the address 0x{:x}, where there is no function.", first),
        x.host ? -1 : std::countr_zero(x.mask));
    throw RunStopped(Status::finding, std::move(d));
  }
  if (same == x.mask) return call_function(p, x, uint32_t(n - 1));
  diverge(p, x, x.mask & ~same, p, p, p + 1);
  return call_function(p, x, uint32_t(n - 1));
}
void call_decode(Decoder& d) {
  const ptx::Operand& callee = d.op(1);
  CallSite site;
  uint32_t a = 0;
  if (callee.kind == OperandKind::symbol) {
    if (callee.symbol != ptx::SymbolKind::function)
      d.refuse("a call of " + callee.name + ", which is no function");
    site.function = callee.target;
  } else {
    a = d.src(callee, Type::b64);
  }
  // Register arguments are legal PTX too; NVRTC passes call-site parameters only.
  auto areas = [&](const ptx::Operand& list, std::vector<ParamArea>& out) {
    for (const ptx::Operand& o : list.items) {
      if (o.kind != OperandKind::symbol) d.refuse("a call whose arguments are registers");
      out.push_back(d.area(o));
    }
  };
  areas(d.op(0), site.results);
  areas(d.op(2), site.args);
  if (callee.kind == OperandKind::symbol && !site.args.empty() &&
      site.args.back().bytes > ptx::most_variadic_bytes &&
      d.module.functions[size_t(callee.target)].params.size() == site.args.size() &&
      d.module.functions[size_t(callee.target)].params.back().bytes == ptx::most_variadic_bytes)
    d.refuse("more than 512 bytes of arguments behind the named ones");
  Inst& i = d.emit(call, 0, a);
  i.kind = Kind::sync;
  i.target = int32_t(d.code.calls.size());
  i.access = d.access();
  d.code.calls.push_back(std::move(site));
  if (!d.host) d.emit(enter_nothing);  // where the lanes of a call meet again
}

const Inst* trap(const Inst* p, Exec& x) {
  int lane = x.host ? -1 : std::countr_zero(x.mask);
  Diagnostic d = finding(x, p, FindingKind::trap, "", lane);
  const std::vector<ptx::Instruction>& code = x.frame->code->fn->code;
  // What the compiler puts in place of code has no line: the one before it is the nearest.
  for (uint32_t i = p->ptx; !d.where.line && i-- > 0;)
    d.where = place_of(*x.program, x.frame->code->index, i);
  for (uint32_t i = p->ptx; !d.where.line && ++i < code.size();)
    d.where = place_of(*x.program, x.frame->code->index, i);
  if (!x.host && in_library(x, p) && !x.grid->workspace)
    d.message =
        "grid.sync() needs a cooperative launch. Start this kernel with cudaLaunchCooperativeKernel in place "
        "of <<<>>>.";
  else
    d.message =
        "A trap ended the kernel. It is __trap() in the source, or the compiler put it in the place of an "
        "access that can never be right: one through a null pointer, or a store to a __constant__ variable.";
  throw RunStopped(Status::finding, std::move(d));
}
void trap_decode(Decoder& d) { d.emit(trap); }
const Inst* nothing(const Inst* p, Exec&) { return p + 1; }
void nothing_decode(Decoder& d) { d.emit(nothing); }

constexpr Family kControlFamilies[] = {
    {"bra", c_any, bra},           {"brx", c_any, brx_decode},         {"ret", c_any, ret},
    {"exit", c_any, ret},          {"call", c_any, call_decode},       {"trap", c_any, trap_decode},
    {"brkpt", c_any, trap_decode}, {"pmevent", c_any, nothing_decode}, {"setmaxnreg", c_any, nothing_decode},
};

}  // namespace

std::span<const Family> control_families() { return kControlFamilies; }

}  // namespace dojo::simt
