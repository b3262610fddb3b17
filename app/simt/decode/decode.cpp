// From a parsed function to decoded code: frame layout, constants, liveness, branch targets.
#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "ptx/flow/uniform.hpp"
#include "ptx/instructions/stack_parameters.hpp"
#include "simt/decode/decoder.hpp"
#include "simt/decode/vocabulary.hpp"

namespace dojo::simt {

using ptx::Operand;
using ptx::OperandKind;
using ptx::Type;

Decoder::Decoder(const Program& prog, const ptx::Module& m, const ptx::Function& f, uint32_t i, bool h,
                 Code& c)
    : program(prog), instructions(prog.instructions()), module(m), fn(f), code(c), index(i), host(h) {}

const Operand& Decoder::op(size_t i) const {
  if (i >= ins->operands.size()) refuse("too few operands");
  return ins->operands[i];
}
bool Decoder::has(std::string_view part) const {
  return std::find(ins->parts.begin() + 1, ins->parts.end(), part) != ins->parts.end();
}
Type Decoder::type() const { return ins->meaning.type; }
ptx::Space Decoder::space() const { return ins->meaning.space; }
Type Decoder::type(size_t n) const {
  for (size_t i = 1; i < ins->parts.size(); ++i)
    if (Type t = ptx::type_from(ins->parts[i]); t != Type::none && n-- == 0) return t;
  return Type::none;
}
Inst& Decoder::emit(Handlers h, uint32_t d, uint32_t a, uint32_t b, uint32_t c) {
  Inst i;
  i.fn[0] = host ? h.single : h.full;
  i.fn[1] = host ? h.single : h.partial;
  i.d = d;
  i.a = a;
  i.b = b;
  i.c = c;
  i.ptx = ptx_index;
  code.insts.push_back(i);
  return code.insts.back();
}
Inst& Decoder::emit(Handler h, uint32_t d, uint32_t a, uint32_t b, uint32_t c) {
  return emit({h, h, h}, d, a, b, c);
}
uint32_t Decoder::list(std::vector<uint32_t> offsets) {
  code.lists.push_back(std::move(offsets));
  return uint32_t(code.lists.size() - 1);
}
uint32_t Decoder::access() { return host ? 0 : program.new_access(index, ptx_index); }

bool Decoder::joined() {
  if (host) return false;
  if (!knows_uniform_) uniform_ = ptx::uniform_registers(fn), knows_uniform_ = true;
  return ptx::joined_in_warp(*ins, uniform_);
}

void Decoder::decode_one() {
  const size_t start = code.insts.size();
  const Family* family = instructions.find(*ins);
  std::string why;
  if (!family) why = why_refused(*ins);
  if (family) {
    const auto undo = [&] {
      family = nullptr;
      code.insts.resize(start);
      while (!fixups_.empty() && fixups_.back().inst >= start) fixups_.pop_back();
    };
    try {
      if (const std::string word = unknown_word(*ins); !word.empty())
        refuse("its part ." + word + " is unknown");
      family->decode(*this);
    } catch (const NotInTable& no) {
      why = no.why;
      undo();
    } catch (const std::out_of_range&) {  // an opcode with too few parts
      why = "an opcode that is cut short is not taken";
      undo();
    }
  }
  if (!family) {
    Inst& i = emit(instructions.run_unsupported);
    i.target = int32_t(code.notes.size());
    code.notes.push_back(why);
  }
  if (ins->guard < 0 || code.insts.size() == start) return;
  Inst& last = code.insts.back();
  if (last.flags & 0) return;
  if (ins->meaning.is({ptx::Op::bra, ptx::Op::brx, ptx::Op::ret, ptx::Op::exit}))
    return;  // these look at their guard themselves
  // What sets operands up may run for all lanes; the operation itself runs for those the guard lets through.
  if (last.kind == Kind::plain || last.kind == Kind::memory) {
    Inst outer;
    outer.fn[0] = outer.fn[1] = instructions.run_guarded;
    outer.ptx = ptx_index;
    outer.a = slot_of_[uint32_t(ins->guard)];
    outer.flags = ins->guard_negated ? flag::negated : 0;
    outer.target = int32_t(code.guarded.size());
    outer.access = last.access;
    code.guarded.push_back(last);
    Inst end;
    end.fn[0] = end.fn[1] = instructions.run_end;
    code.guarded.push_back(end);
    last = outer;
  } else {
    // It may suspend: the others go around it and meet behind it.
    Inst inner = last;
    Inst outer;
    outer.fn[0] = outer.fn[1] = instructions.run_guard_branch;
    outer.kind = Kind::control;
    outer.ptx = ptx_index;
    outer.a = slot_of_[uint32_t(ins->guard)];
    outer.flags = ins->guard_negated ? flag::negated : 0;
    outer.access = access();
    last = outer;
    code.insts.push_back(inner);
    emit(instructions.enter_nothing);  // the meeting point
  }
}

/// Before the first block: a loop may come back to that one.
void Decoder::parameters_to_stack() {
  if (fn.kernel) return;
  for (const ptx::Variable& v : fn.locals)
    for (size_t i = 0; i < fn.params.size(); ++i)
      if (v.name == fn.params[i].name + ptx::on_stack) instructions.param_to_stack(*this, i, v.offset);
}

void Decoder::run() {
  code.fn = &fn;
  code.index = index;
  code.host = host;
  layout();
  liveness();
  if (compiled_as_written(module)) find_unset();
  code.first_block = host ? 0 : program.new_blocks(uint32_t(fn.blocks.size()));
  code.block_start.resize(fn.blocks.size());
  parameters_to_stack();
  for (size_t b = 0; b < fn.blocks.size(); ++b) {
    const ptx::BasicBlock& block = fn.blocks[b];
    block_index = uint32_t(b);
    code.block_start[b] = uint32_t(code.insts.size());
    ptx_index = block.first;
    ins = nullptr;
    Inst& e = emit(host ? instructions.enter_host : instructions.enter_device);
    e.kind = Kind::control;
    e.imm = block.last - block.first + 1;
    e.access = code.first_block + uint32_t(b);
    e.target = int32_t(b);
    for (uint32_t k = block.first; k <= block.last && k < fn.code.size(); ++k) {
      ins = &fn.code[k];
      ptx_index = k;
      check_unset_operands();
      decode_one();
    }
    const bool last_block = b + 1 == fn.blocks.size();
    if (last_block) emit(instructions.run_fall_off).kind = Kind::control;
  }
  for (const Fix& f : fixups_) {
    int32_t rel = int32_t(code.block_start[f.block]) - int32_t(f.inst);
    (f.what == 0 ? code.insts[f.inst].target : code.insts[f.inst].reconverge) = rel;
  }
  for (const Fix& f : join_fixups_)
    code.meetings[size_t(f.what)].joins = int32_t(code.block_start[f.block]) - int32_t(f.inst);
  for (const SwitchFix& f : switch_fixups_)
    code.switches[f.which][f.entry] = int32_t(code.block_start[f.block]) - int32_t(f.inst);
  code.frame_bytes = (top_ + 63) & ~63u;
}

}  // namespace dojo::simt
