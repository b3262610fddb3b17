// From a parsed function to decoded code: frame layout, constants, liveness, branch targets.
#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "simt/ops.hpp"

namespace dojo::simt {

using ptx::Operand;
using ptx::OperandKind;
using ptx::Type;

const Inst* enter_device(const Inst*, Exec&);
const Inst* enter_host(const Inst*, Exec&);
const Inst* run_guarded(const Inst*, Exec&);
const Inst* run_guard_branch(const Inst*, Exec&);
const Inst* enter_nothing(const Inst*, Exec&);
const Inst* run_unsupported(const Inst*, Exec&);
const Inst* run_fall_off(const Inst*, Exec&);
void decode_special(Decoder&, const std::string& name, uint32_t dst, Type);
void decode_local_address(Decoder&, uint64_t offset, uint32_t dst);
void decode_dynamic_shared(Decoder&, uint64_t offset, uint32_t dst);
void decode_param_address(Decoder&, const ptx::Operand&, uint64_t offset, uint32_t dst);
void decode_resize(Decoder&, uint32_t dst, uint32_t src, bool from_wide);
void decode_not_pred(Decoder&, uint32_t dst, uint32_t src);

uint32_t class_of(Type t) {
  switch (t) {
    case Type::none:
      return c_none;
    case Type::pred:
      return c_pred;
    case Type::b8:
    case Type::b16:
    case Type::b32:
    case Type::b64:
    case Type::b128:
      return c_bits;
    case Type::u8:
    case Type::u16:
    case Type::u32:
    case Type::u64:
    case Type::s8:
    case Type::s16:
    case Type::s32:
    case Type::s64:
      return c_int;
    case Type::f32:
      return c_f32;
    case Type::f64:
      return c_f64;
    default:
      return c_half;
  }
}

const Family* find_family(const ptx::Instruction& ins) {
  static const std::multimap<std::string, const Family*, std::less<>> table = [] {
    std::multimap<std::string, const Family*, std::less<>> t;
    for (auto families :
         {integer_families(), float_families(), half_families(), convert_families(), compare_families(),
          move_families(), memory_families(), atomic_families(), warp_families(), barrier_families(),
          control_families(), tensor_families(), async_families()})
      for (const Family& f : families) t.emplace(f.base, &f);
    return t;
  }();
  if (ins.parts.empty()) return nullptr;
  Type last = Type::none;
  for (const std::string& part : ins.parts)
    if (Type t = ptx::type_from(part); t != Type::none) last = t;
  auto [first, end] = table.equal_range(ins.parts[0]);
  for (auto it = first; it != end; ++it)
    if (it->second->classes & class_of(last)) return it->second;
  return nullptr;
}

Decoder::Decoder(const Program& prog, const ptx::Module& m, const ptx::Function& f, uint32_t i, bool h,
                 Code& c)
    : program(prog), module(m), fn(f), code(c), index(i), host(h) {}

const Operand& Decoder::op(size_t i) const {
  if (i >= ins->operands.size()) refuse("too few operands");
  return ins->operands[i];
}
bool Decoder::has(std::string_view part) const {
  return std::find(ins->parts.begin() + 1, ins->parts.end(), part) != ins->parts.end();
}
Type Decoder::type() const {
  for (size_t i = ins->parts.size(); i-- > 1;)
    if (Type t = ptx::type_from(ins->parts[i]); t != Type::none) return t;
  return Type::none;
}
Type Decoder::type(size_t n) const {
  for (size_t i = 1; i < ins->parts.size(); ++i)
    if (Type t = ptx::type_from(ins->parts[i]); t != Type::none && n-- == 0) return t;
  return Type::none;
}
ptx::Space Decoder::space() const {
  for (size_t i = 1; i < ins->parts.size(); ++i) {
    std::string_view p = ins->parts[i];
    if (auto colon = p.find(':'); colon != p.npos) p = p.substr(0, colon);
    if (p == "global") return ptx::Space::global;
    if (p == "shared") return ptx::Space::shared;
    if (p == "local") return ptx::Space::local;
    if (p == "param") return ptx::Space::param;
    if (p == "const") return ptx::Space::constant;
  }
  return ptx::Space::none;
}

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
      bool is_wide = reg_wide(o);
      if (is_wide == wide) return slot_of_[o.value];
      uint32_t d = temp(wide);
      decode_resize(*this, d, slot_of_[o.value], is_wide);
      return d;
    }
    case OperandKind::imm: {
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
        decode_dynamic_shared(*this, offset, d);
        return narrow(d);
      };
      if (o.symbol == ptx::SymbolKind::local) {
        const ptx::Variable& v = fn.locals[size_t(o.target)];
        if (v.space == ptx::Space::shared) return shared(v);
        if (v.space == ptx::Space::local) {
          uint32_t d = temp(true);
          decode_local_address(*this, v.offset + offset, d);
          return narrow(d);
        }
      }
      if (o.symbol == ptx::SymbolKind::param || o.symbol == ptx::SymbolKind::result ||
          o.symbol == ptx::SymbolKind::local) {
        uint32_t d = temp(true);
        decode_param_address(*this, o, offset, d);
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
      decode_special(*this, o.name, d, wide ? Type::u64 : Type::u32);
      return d;
    }
    default:
      refuse("an operand of a kind that is not taken here");
  }
}
uint32_t Decoder::src_narrow(uint32_t wide_slot) {
  uint32_t d = temp(false);
  decode_resize(*this, d, wide_slot, true);
  return d;
}

uint32_t Decoder::dst(const Operand& o, Type t) {
  const bool wide = ptx::bits(t) == 64;
  if (o.kind == OperandKind::sink) return scratch_;
  if (o.kind != OperandKind::reg) refuse("a destination that is no register");
  if (reg_wide(o) != wide) refuse("a destination register of another width");
  return slot_of_[o.value];
}
uint32_t Decoder::pred_src(const Operand& o) {
  if (o.kind == OperandKind::imm) return constant(o.value ? ~uint64_t(0) : 0, false);
  if (o.kind != OperandKind::reg || ptx::bits(fn.registers[o.value].type) != 1)
    refuse("a predicate is expected");
  if (!o.negated) return slot_of_[o.value];
  uint32_t d = temp(false);
  decode_not_pred(*this, d, slot_of_[o.value]);
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
    *wide = ptx::bits(fn.registers[o.value].type) == 64;
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

void Decoder::layout() {
  // Registers by class, then constants and temporaries behind them as they come.
  slot_of_.resize(fn.registers.size());
  uint32_t at = 0;
  scratch_ = 0;
  at += slot_bytes(true);
  carry_ = at;
  at += 64;
  for (size_t i = 0; i < fn.registers.size(); ++i) {
    int n = ptx::bits(fn.registers[i].type);
    slot_of_[i] = at;
    at += host ? (n == 128 ? 16 : 8) : n == 1 ? 4 : n == 64 ? 256 : n == 128 ? 512 : 128;
    if (!host && n == 1 && (i + 1 == fn.registers.size() || ptx::bits(fn.registers[i + 1].type) != 1))
      at = (at + 63) & ~63u;
  }
  // Parameters: a kernel's live in the launch's block; all others are bytes of each lane.
  const uint32_t lanes = host ? 1 : 32;
  auto round16 = [](uint64_t n) { return uint32_t((n + 15) & ~uint64_t(15)); };
  at = (at + 63) & ~63u;
  code.zero_at = at;
  uint64_t result_bytes = 0;
  for (const ptx::Variable& v : fn.returns) result_bytes = std::max(result_bytes, v.offset + v.bytes);
  params_at_ = at, params_stride_ = fn.kernel ? 0 : round16(fn.param_bytes), at += params_stride_ * lanes;
  results_at_ = at, results_stride_ = round16(result_bytes), at += results_stride_ * lanes;
  code.zero_bytes = at - code.zero_at;
  call_at_ = at, call_stride_ = round16(fn.call_bytes), at += call_stride_ * lanes;
  if (!fn.kernel)
    for (size_t i = 0; i < fn.params.size(); ++i) code.params.push_back(area(ptx::SymbolKind::param, int(i)));
  for (size_t i = 0; i < fn.returns.size(); ++i)
    code.results.push_back(area(ptx::SymbolKind::result, int(i)));
  top_ = (at + 63) & ~63u;
}

namespace {
void registers_of(const Operand& o, std::vector<uint32_t>& out) {
  if (o.kind == OperandKind::reg || (o.kind == OperandKind::address && o.base_is_reg))
    out.push_back(uint32_t(o.value));
  for (const Operand& item : o.items) registers_of(item, out);
}
/// Does the first operand name what the instruction writes?
bool writes_first(const ptx::Instruction& i) {
  static const char* none[] = {
      "st",       "bra",       "brx",           "ret",     "exit",       "bar",
      "barrier",  "red",       "membar",        "fence",   "trap",       "cp",
      "prefetch", "prefetchu", "nanosleep",     "call",    "brkpt",      "griddepcontrol",
      "stmatrix", "discard",   "applypriority", "pmevent", "setmaxnreg", "stackrestore"};
  const std::string& b = i.parts[0];
  if (b == "barrier" || b == "bar")
    return i.parts.size() > 1 && std::find(i.parts.begin(), i.parts.end(), "red") != i.parts.end();
  if (b == "wmma") return i.parts.size() > 1 && i.parts[1] != "store";
  if (b == "mbarrier") {
    const std::string& w = i.parts.size() > 1 ? i.parts[1] : b;
    return !(w == "init" || w == "inval" || w == "expect_tx" || w == "complete_tx") && !i.operands.empty() &&
           i.operands[0].kind != OperandKind::address;
  }
  for (const char* n : none)
    if (b == n) return false;
  return true;
}
}  // namespace

/// Which registers an instruction reads and writes (guards and partial writes read too).
void reads_and_writes(const ptx::Instruction& i, std::vector<uint32_t>& reads,
                      std::vector<uint32_t>& writes) {
  reads.clear();
  writes.clear();
  if (i.guard >= 0) reads.push_back(uint32_t(i.guard));
  const bool first = writes_first(i);
  for (size_t k = 0; k < i.operands.size(); ++k)
    registers_of(i.operands[k], k == 0 && first ? writes : reads);
}

void Decoder::liveness() {
  const size_t nregs = fn.registers.size(), nblocks = fn.blocks.size();
  reg_read_.assign(nregs, 0);
  std::vector<uint32_t> reads, writes;
  const size_t words = (nregs + 63) / 64;
  std::vector<uint64_t> use(nblocks * words), def(nblocks * words), in(nblocks * words);
  for (size_t b = 0; b < nblocks; ++b)
    for (uint32_t k = fn.blocks[b].first; k <= fn.blocks[b].last && k < fn.code.size(); ++k) {
      reads_and_writes(fn.code[k], reads, writes);
      for (uint32_t r : reads) {
        reg_read_[r] = 1;
        if (!(def[b * words + r / 64] >> (r % 64) & 1)) use[b * words + r / 64] |= uint64_t(1) << (r % 64);
      }
      if (fn.code[k].guard < 0)
        for (uint32_t r : writes) def[b * words + r / 64] |= uint64_t(1) << (r % 64);
    }
  bool changed = true;
  while (changed) {
    changed = false;
    for (size_t b = nblocks; b-- > 0;)
      for (size_t w = 0; w < words; ++w) {
        uint64_t out = 0;
        for (uint32_t s : fn.blocks[b].successors) out |= in[s * words + w];
        uint64_t v = use[b * words + w] | (out & ~def[b * words + w]);
        if (v != in[b * words + w]) in[b * words + w] = v, changed = true;
      }
  }
  if (nblocks == 0) return;
  for (size_t r = 0; r < nregs; ++r)
    if (in[r / 64] >> (r % 64) & 1) {
      int n = ptx::bits(fn.registers[r].type);
      (n == 1 ? code.zero1 : n >= 64 ? code.zero64 : code.zero32).push_back(slot_of_[r]);
    }
}

void Decoder::decode_one() {
  const size_t start = code.insts.size();
  const Family* family = find_family(*ins);
  std::string why;
  if (family) {
    try {
      family->decode(*this);
    } catch (const NotInTable& no) {
      why = no.why;
      family = nullptr;
      code.insts.resize(start);
      while (!fixups_.empty() && fixups_.back().inst >= start) fixups_.pop_back();
    }
  }
  if (!family) {
    Inst& i = emit(run_unsupported);
    i.target = int32_t(code.notes.size());
    code.notes.push_back(why);
  }
  if (ins->guard < 0 || code.insts.size() == start) return;
  Inst& last = code.insts.back();
  if (last.flags & 0) return;
  const bool branch =
      ins->parts[0] == "bra" || ins->parts[0] == "ret" || ins->parts[0] == "exit" || ins->parts[0] == "brx";
  if (branch) return;  // these look at their guard themselves
  // What sets operands up may run for all lanes; the operation itself runs for those the guard lets through.
  if (last.kind == Kind::plain || last.kind == Kind::memory) {
    Inst outer;
    outer.fn[0] = outer.fn[1] = run_guarded;
    outer.ptx = ptx_index;
    outer.a = slot_of_[uint32_t(ins->guard)];
    outer.flags = ins->guard_negated ? flag::negated : 0;
    outer.target = int32_t(code.guarded.size());
    outer.access = last.access;
    code.guarded.push_back(last);
    last = outer;
  } else {
    // It may suspend: the others go around it and meet behind it.
    Inst inner = last;
    Inst outer;
    outer.fn[0] = outer.fn[1] = run_guard_branch;
    outer.kind = Kind::control;
    outer.ptx = ptx_index;
    outer.a = slot_of_[uint32_t(ins->guard)];
    outer.flags = ins->guard_negated ? flag::negated : 0;
    outer.access = access();
    last = outer;
    code.insts.push_back(inner);
    emit(enter_nothing);  // the meeting point
  }
}

void Decoder::run() {
  code.fn = &fn;
  code.index = index;
  code.host = host;
  layout();
  liveness();
  code.first_block = host ? 0 : program.new_blocks(uint32_t(fn.blocks.size()));
  code.block_start.resize(fn.blocks.size());
  for (size_t b = 0; b < fn.blocks.size(); ++b) {
    const ptx::BasicBlock& block = fn.blocks[b];
    block_index = uint32_t(b);
    code.block_start[b] = uint32_t(code.insts.size());
    ptx_index = block.first;
    ins = nullptr;
    Inst& e = emit(host ? enter_host : enter_device);
    e.kind = Kind::control;
    e.imm = block.last - block.first + 1;
    e.access = code.first_block + uint32_t(b);
    e.target = int32_t(b);
    for (uint32_t k = block.first; k <= block.last && k < fn.code.size(); ++k) {
      ins = &fn.code[k];
      ptx_index = k;
      decode_one();
    }
    const bool last_block = b + 1 == fn.blocks.size();
    if (last_block) emit(run_fall_off).kind = Kind::control;
  }
  for (const Fix& f : fixups_) {
    int32_t rel = int32_t(code.block_start[f.block]) - int32_t(f.inst);
    (f.what == 0 ? code.insts[f.inst].target : code.insts[f.inst].reconverge) = rel;
  }
  for (const SwitchFix& f : switch_fixups_)
    code.switches[f.which][f.entry] = int32_t(code.block_start[f.block]) - int32_t(f.inst);
  code.frame_bytes = (top_ + 63) & ~63u;
}

}  // namespace dojo::simt
