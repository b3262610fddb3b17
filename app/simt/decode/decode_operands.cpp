// Operands of an instruction to slots of the frame.
#include <bit>

#include "simt/decode/decoder.hpp"

namespace dojo::simt {

using ptx::Operand;
using ptx::OperandKind;
using ptx::Type;

bool Decoder::reg_wide(const Operand& o) const {
  return o.kind == OperandKind::reg && ptx::bits(fn.registers[o.value].type) == 64;
}
Type Decoder::reg_type(const Operand& o) const {
  return o.kind == OperandKind::reg ? fn.registers[o.value].type : Type::none;
}
bool Decoder::dst_unused(const Operand& o) const {
  return o.kind == OperandKind::sink || (o.kind == OperandKind::reg && !reg_read_[o.value]);
}

uint32_t Decoder::constant(uint64_t value, bool wide) {
  auto [it, fresh] = consts_.try_emplace({value, wide}, top_);
  if (fresh) {
    code.consts.push_back({top_, value, wide});
    top_ += slot_bytes(wide);
  }
  return it->second;
}
uint32_t Decoder::temp(bool wide) {
  uint32_t t = top_;
  top_ += slot_bytes(wide);
  return t;
}

namespace {
uint64_t float_bits(const Operand& o, Type t) {
  // A float immediate (0f..., 0d...) as bits of type t.
  if (o.float_bits == 64) {
    if (ptx::bits(t) == 64) return o.value;
    return std::bit_cast<uint32_t>(float(std::bit_cast<double>(o.value)));
  }
  if (ptx::bits(t) == 64) return std::bit_cast<uint64_t>(double(std::bit_cast<float>(uint32_t(o.value))));
  return uint32_t(o.value);
}
uint64_t trim(uint64_t v, Type t) {
  int n = ptx::bits(t);
  return n >= 64 || n == 0 ? v : v & ((uint64_t(1) << n) - 1);
}
}  // namespace

ParamArea Decoder::area(ptx::SymbolKind kind, int target) const {
  if (target >= 0 && kind == ptx::SymbolKind::param && !fn.kernel) {
    const ptx::Variable& v = fn.params[size_t(target)];
    return {params_at_ + uint32_t(v.offset), params_stride_, uint32_t(v.bytes)};
  }
  if (target >= 0 && kind == ptx::SymbolKind::result) {
    const ptx::Variable& v = fn.returns[size_t(target)];
    return {results_at_ + uint32_t(v.offset), results_stride_, uint32_t(v.bytes)};
  }
  if (target >= 0 && kind == ptx::SymbolKind::local) {
    const ptx::Variable& v = fn.locals[size_t(target)];
    if (v.space == ptx::Space::param) return {call_at_ + uint32_t(v.offset), call_stride_, uint32_t(v.bytes)};
  }
  refuse("an unknown parameter");
}
ParamArea Decoder::area(const Operand& o) const { return area(o.symbol, o.target); }

uint32_t Decoder::src_any(const Operand& o, bool* wide) {
  if (o.kind == OperandKind::reg) {
    const int n = ptx::bits(fn.registers[o.value].type);
    if (n == 1 || n > 64) refuse("a register of another width");
    *wide = reg_wide(o);
    return slot_of_[o.value];
  }
  *wide = true;
  return src(o, Type::b64);
}

uint32_t Decoder::src(const Operand& o, Type t) {
  const bool wide = ptx::bits(t) == 64;
  switch (o.kind) {
    case OperandKind::reg: {
      if (ptx::bits(fn.registers[o.value].type) == 1) refuse("a predicate where a value is expected");
      if ((ptx::bits(t) == 128) != (ptx::bits(reg_type(o)) == 128)) refuse("a register of another width");
      bool is_wide = reg_wide(o);
      if (is_wide == wide) return slot_of_[o.value];
      uint32_t d = temp(wide);
      instructions.resize(*this, d, slot_of_[o.value], is_wide);
      return d;
    }
    case OperandKind::imm: {
      if (ptx::bits(t) == 128) refuse("a 128-bit constant");
      uint64_t v = o.is_float ? float_bits(o, t)
                              : trim(o.value, wide              ? Type::b64
                                              : t == Type::pred ? Type::b32
                                                                : t);
      if (!o.is_float && (t == Type::f32 || t == Type::f64)) v = o.value;
      return constant(v, wide);
    }
    case OperandKind::symbol: {
      const uint64_t offset = uint64_t(o.offset);
      auto narrow = [&](uint32_t d) { return wide ? d : src_narrow(d); };
      auto shared = [&](const ptx::Variable& v) {
        if (v.bytes && !v.is_extern) return constant(v.offset + offset, wide);
        uint32_t d = temp(true);
        instructions.dynamic_shared(*this, offset, d);
        return narrow(d);
      };
      if (o.symbol == ptx::SymbolKind::local) {
        const ptx::Variable& v = fn.locals[size_t(o.target)];
        if (v.space == ptx::Space::shared) return shared(v);
        if (v.space == ptx::Space::local) {
          uint32_t d = temp(true);
          instructions.local_address(*this, v.offset + offset, d);
          return narrow(d);
        }
      }
      if (o.symbol == ptx::SymbolKind::param || o.symbol == ptx::SymbolKind::result ||
          o.symbol == ptx::SymbolKind::local) {
        uint32_t d = temp(true);
        instructions.param_address(*this, o, offset, d);
        return narrow(d);
      }
      if (o.symbol == ptx::SymbolKind::function) {
        code.uses_address_of_functions = true;
        return constant(window::code + uint64_t(o.target + 1) * 16, wide);
      }
      if (o.symbol == ptx::SymbolKind::variable) {
        const ptx::Variable& v = module.variables[size_t(o.target)];
        if (v.space == ptx::Space::shared) return shared(v);
      }
      if (auto s = program.symbols().find(o.name); s != program.symbols().end())
        return constant(s->second + offset, wide);
      refuse("the symbol " + o.name + " has no address");
    }
    case OperandKind::special: {
      uint32_t d = temp(wide);
      instructions.special(*this, o.name, d, wide ? Type::u64 : Type::u32);
      return d;
    }
    default:
      refuse("an operand of a kind that is not taken here");
  }
}
uint32_t Decoder::src_narrow(uint32_t wide_slot) {
  uint32_t d = temp(false);
  instructions.resize(*this, d, wide_slot, true);
  return d;
}

uint32_t Decoder::dst(const Operand& o, Type t) {
  const bool wide = ptx::bits(t) == 64;
  if (o.kind == OperandKind::sink) return scratch_;
  if (o.kind != OperandKind::reg) refuse("a destination that is no register");
  if (reg_wide(o) != wide || (ptx::bits(t) == 128) != (ptx::bits(reg_type(o)) == 128))
    refuse("a destination register of another width");
  if (ptx::bits(reg_type(o)) == 1 && t != Type::pred) refuse("a predicate where a value goes");
  return slot_of_[o.value];
}
uint32_t Decoder::pred_src(const Operand& o) {
  if (o.kind == OperandKind::imm) return constant(o.value ? ~uint64_t(0) : 0, false);
  if (o.kind != OperandKind::reg || ptx::bits(fn.registers[o.value].type) != 1)
    refuse("a predicate is expected");
  if (!o.negated) return slot_of_[o.value];
  uint32_t d = temp(false);
  instructions.not_pred(*this, d, slot_of_[o.value]);
  return d;
}
uint32_t Decoder::pred_dst(const Operand& o) {
  if (o.kind == OperandKind::sink) return scratch_;
  if (o.kind != OperandKind::reg) refuse("a predicate register is expected");
  return slot_of_[o.value];
}

uint32_t Decoder::address(const Operand& o, bool* wide, uint64_t* imm) {
  *imm = 0;
  if (o.kind == OperandKind::reg) return src_any(o, wide);
  if (o.kind == OperandKind::imm) {
    *wide = true;
    return constant(o.value, true);
  }
  if (o.kind == OperandKind::symbol) {
    *wide = true;
    return src(o, Type::b64);
  }
  if (o.kind != OperandKind::address) refuse("an address is expected");
  if (o.base_is_reg) {
    *imm = uint64_t(o.offset);
    const int n = ptx::bits(fn.registers[o.value].type);
    if (n == 1 || n > 64) refuse("an address in a register of this width");
    *wide = n == 64;
    return slot_of_[o.value];
  }
  *wide = true;
  if (o.name.empty()) return constant(o.value + uint64_t(o.offset), true);
  Operand symbol;
  symbol.kind = OperandKind::symbol;
  symbol.name = o.name;
  symbol.offset = o.offset;
  symbol.symbol = o.symbol;
  symbol.target = o.target;
  return src(symbol, Type::b64);
}

}  // namespace dojo::simt
