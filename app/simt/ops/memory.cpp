// ld and st: how each form is decoded. memory_lanes.cpp and memory_host.cpp execute them.
#include "simt/ops/emitters.hpp"
#include "simt/ops/memory_moves.hpp"

namespace dojo::simt {
namespace {

using ptx::Space;
using ptx::Type;

/// What a ld or st moves: `width` bytes per lane to or from each register.
struct Move {
  int width = 4;
  Type type = Type::b32;
  Space space = Space::none;
  bool wide = false;  ///< registers of 64 bits
  uint8_t flags = 0;
  std::vector<uint32_t> registers;
};

/// The registers may be wider than the type.
bool wide_registers(const Decoder& d, const std::vector<ptx::Operand>& items, int width) {
  bool wide = false;
  for (const ptx::Operand& o : items)
    if (o.kind == ptx::OperandKind::reg)
      wide = d.reg_wide(o);
    else if (o.kind != ptx::OperandKind::sink)
      wide = width == 8;
  return wide || width == 8;
}

void find_registers(Decoder& d, Move& m, bool store) {
  const ptx::Operand& data = d.op(store ? 1 : 0);
  std::vector<ptx::Operand> items;
  if (data.kind == ptx::OperandKind::list)
    items = data.items;
  else
    items.push_back(data);
  m.wide = wide_registers(d, items, m.width);
  const Type t = m.type;
  for (const ptx::Operand& o : items) {
    if (t == Type::b128) {  // two planes of 64-bit lanes
      const uint32_t at = store ? d.src(o, t) : d.dst(o, t);
      m.registers.push_back(at);
      m.registers.push_back(at + d.slot_bytes(true));
    } else if (store) {
      Type as = m.wide ? Type::b64 : Type::b32;
      if (o.kind == ptx::OperandKind::imm && !m.wide && t == Type::f32) as = t;
      if (t == Type::f64) as = t;
      m.registers.push_back(d.src(o, as));
    } else {
      m.registers.push_back(d.dst(o, m.wide ? Type::b64 : Type::b32));
    }
  }
}

uint8_t flags_of(const Decoder& d, Type t) {
  uint8_t flags = 0;
  if (t == Type::s8 || t == Type::s16 || t == Type::s32) flags |= flag::sign;
  const ptx::Meaning& m = d.ins->meaning;
  if (m.order != ptx::Order::weak) flags |= flag::strong;
  if (m.order == ptx::Order::is_volatile) flags |= flag::volatile_;
  if (m.acquires() && m.scope != ptx::Scope::cta) flags |= flag::acquire;
  if (m.releases()) flags |= flag::release;
  if (d.has("nc")) flags |= flag::nc;
  if (d.has("cg") || d.has("cv")) flags |= flag::past_l1;
  return flags;
}

void describe(Decoder& d, const Move& m, Inst& i) {
  i.count = uint8_t(m.registers.size());
  i.width = uint8_t(m.width);
  i.flags = m.flags;
  i.space = m.space;
  i.type = m.type;
  i.wide |= m.wide ? 2 : 0;
  i.kind = Kind::memory;
  if (m.registers.size() > 1) i.target = int32_t(d.list(m.registers));
}

/// A parameter by its name: of the kernel, or of a function and its call sites.
void decode_parameter(Decoder& d, const Move& m, const ptx::Operand& where, bool store) {
  if (where.symbol == ptx::SymbolKind::param && d.fn.kernel) {
    Inst& i = d.emit(kernel_param_handler(m.width), m.registers[0]);
    i.imm = d.fn.params[size_t(where.target)].offset + uint64_t(where.offset);
    return describe(d, m, i);
  }
  const ParamArea area = d.area(where);
  const uint64_t bytes = uint64_t(m.width) * m.registers.size();
  if (where.offset < 0 || uint64_t(where.offset) + bytes > area.bytes)
    d.refuse("an access past a parameter's end");
  const uint32_t at = area.offset + uint32_t(where.offset);
  describe(d, m, d.emit(frame_param_handler(m.width, store), m.registers[0], 0, at, area.stride));
}

template <bool Store>
void access_decode(Decoder& d) {
  Move m;
  m.type = d.type();
  if (m.type == Type::none) d.refuse("this type");
  const bool async = Store && d.has("async");
  if (async) async_start_decode(d);
  m.width = std::clamp(ptx::bits(m.type) / 8, 1, 8);
  m.space = d.space();
  if (d.host && m.space == Space::shared) d.refuse("shared memory in host code");
  find_registers(d, m, Store);
  m.flags = flags_of(d, m.type);
  const ptx::Operand& where = d.op(Store ? 0 : 1);
  if (m.space == Space::param && where.kind == ptx::OperandKind::address && !where.base_is_reg)
    return decode_parameter(d, m, where, Store);
  bool address_wide;
  uint64_t imm;
  const uint32_t a = d.address(where, &address_wide, &imm);
  const Handler general = d.host ? host_handler(m.width, Store) : lanes_handler(m.space, m.width, Store);
  Inst& i = d.emit(general, m.registers[0], a);
  i.wide = address_wide ? 1 : 0;
  i.imm = imm;
  describe(d, m, i);
  i.access = d.access();
  const bool one = m.registers.size() == 1;
  if (!d.host && m.space == Space::shared && m.width == 4 && one && !m.wide && !(m.flags & flag::strong))
    i.fn[0] = shared_word_handler(Store);
  const bool extends = !Store && m.width < 8 && (m.flags & flag::sign) && (m.width < 4 || m.wide);
  if (d.host && one && address_wide && m.wide == (m.width == 8) && !extends && m.type != Type::b128)
    i.fn[0] = i.fn[1] = plain_host_handler(m.width, Store);
  if (async) async_end_decode(d, uint32_t(m.width) * uint32_t(m.registers.size()));
}

constexpr Family kMemoryFamilies[] = {
    {"ld", c_any, access_decode<false>},
    {"ldu", c_any, access_decode<false>},
    {"st", c_any, access_decode<true>},
};

}  // namespace

std::span<const Family> memory_families() { return kMemoryFamilies; }

}  // namespace dojo::simt
