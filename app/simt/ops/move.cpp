// mov, cvta, and addresses that depend on the frame or the block.
#include "simt/ops/emitters.hpp"
#include "simt/ops/lanes.hpp"
#include "simt/state/access.hpp"
#include "simt/state/findings.hpp"
#include "simt/state/host_state.hpp"
#include "simt/state/splits.hpp"

namespace dojo::simt {

namespace {

using ptx::OperandKind;
using ptx::Type;

template <class T>
struct Copy {
  using D = T;
  using A = T;
  static T f(T a) { return a; }
};
template <class T, int Shift>
struct Part {  // bits [Shift, Shift + 16 or 32) of a
  using D = uint32_t;
  using A = T;
  static uint32_t f(T a) { return uint32_t(a >> Shift); }
};
template <int Shift>
struct Half16 {
  using D = uint16_t;
  using A = uint64_t;
  static uint16_t f(uint64_t a) { return uint16_t(a >> Shift); }
};
template <int Shift>
struct Half16Of32 {
  using D = uint16_t;
  using A = uint32_t;
  static uint16_t f(uint32_t a) { return uint16_t(a >> Shift); }
};
struct Join16 {
  using D = uint32_t;
  using A = uint16_t;
  using B = uint16_t;
  static uint32_t f(uint16_t a, uint16_t b) { return uint32_t(b) << 16 | a; }
};
template <int Shift>
struct ByteOf {
  using D = uint8_t;
  using A = uint32_t;
  static uint8_t f(uint32_t a) { return uint8_t(a >> Shift); }
};
struct Join8 {
  using D = uint16_t;
  using A = uint8_t;
  using B = uint8_t;
  static uint16_t f(uint8_t a, uint8_t b) { return uint16_t(b << 8 | a); }
};
struct Join32 {
  using D = uint64_t;
  using A = uint32_t;
  using B = uint32_t;
  static uint64_t f(uint32_t a, uint32_t b) { return uint64_t(b) << 32 | a; }
};
struct Plus {
  using D = uint64_t;
  using A = uint64_t;
  using B = uint64_t;
  static uint64_t f(uint64_t a, uint64_t b) { return a + b; }
};

/// mov.b128: whole, from two 64-bit registers, or into them.
void wide_mov(Decoder& d) {
  const ptx::Operand &to = d.op(0), &from = d.op(1);
  const uint32_t plane = d.slot_bytes(true);
  auto half = [&](const ptx::Operand& o, uint32_t h, bool write) -> uint32_t {
    if (o.kind == OperandKind::list) {
      if (o.items.size() != 2) d.refuse("a move of this many parts");
      return write ? d.dst(o.items[h], Type::b64) : d.src(o.items[h], Type::b64);
    }
    if (o.kind != OperandKind::reg || ptx::bits(d.reg_type(o)) != 128)
      d.refuse("a 128-bit register is expected");
    return (write ? d.dst(o, Type::b128) : d.src(o, Type::b128)) + h * plane;
  };
  if (from.kind == OperandKind::list && to.kind == OperandKind::list) d.refuse("a move between lists");
  for (uint32_t h = 0; h < 2; ++h) {
    const uint32_t a = half(from, h, false);
    d.emit(unary<Copy<uint64_t>>, half(to, h, true), a);
  }
}

void mov(Decoder& d) {
  Type t = d.type();
  const ptx::Operand &to = d.op(0), &from = d.op(1);
  const int n = ptx::bits(t);
  if (n == 128) return wide_mov(d);
  if (to.kind == OperandKind::list) {
    const size_t parts = to.items.size();
    uint32_t a = d.src(from, t);
    for (size_t i = 0; i < parts; ++i) {
      if (to.items[i].kind == OperandKind::sink) continue;
      if (n == 64 && parts == 2)
        d.emit(i ? unary<Part<uint64_t, 32>> : unary<Part<uint64_t, 0>>, d.dst(to.items[i], Type::b32), a);
      else if (n == 64 && parts == 4)
        d.emit(i == 0   ? unary<Half16<0>>
               : i == 1 ? unary<Half16<16>>
               : i == 2 ? unary<Half16<32>>
                        : unary<Half16<48>>,
               d.dst(to.items[i], Type::b16), a);
      else if (n == 32 && parts == 2)
        d.emit(i ? unary<Half16Of32<16>> : unary<Half16Of32<0>>, d.dst(to.items[i], Type::b16), a);
      else if ((n == 16 && parts == 2) || (n == 32 && parts == 4))
        d.emit(i == 0   ? unary<ByteOf<0>>
               : i == 1 ? unary<ByteOf<8>>
               : i == 2 ? unary<ByteOf<16>>
                        : unary<ByteOf<24>>,
               d.dst(to.items[i], Type::b8), a);
      else
        d.refuse("a move into this many parts");
    }
    return;
  }
  if (from.kind == OperandKind::list) {
    const size_t parts = from.items.size();
    if (n == 64 && parts == 2) {
      uint32_t a = d.src(from.items[0], Type::b32), b = d.src(from.items[1], Type::b32);
      d.emit(binary<Join32>, d.dst(0, t), a, b);
    } else if (n == 32 && parts == 2) {
      uint32_t a = d.src(from.items[0], Type::b16), b = d.src(from.items[1], Type::b16);
      d.emit(binary<Join16>, d.dst(0, t), a, b);
    } else if (n == 64 && parts == 4) {
      uint32_t low = d.temp(false), high = d.temp(false);
      uint32_t a = d.src(from.items[0], Type::b16), b = d.src(from.items[1], Type::b16);
      d.emit(binary<Join16>, low, a, b);
      a = d.src(from.items[2], Type::b16), b = d.src(from.items[3], Type::b16);
      d.emit(binary<Join16>, high, a, b);
      d.emit(binary<Join32>, d.dst(0, t), low, high);
    } else if ((n == 16 && parts == 2) || (n == 32 && parts == 4)) {
      const auto join = [&](size_t i, uint32_t to_slot) {
        const uint32_t a = d.src(from.items[i], Type::b8), b = d.src(from.items[i + 1], Type::b8);
        d.emit(binary<Join8>, to_slot, a, b);
      };
      if (n == 16) {
        join(0, d.dst(0, t));
      } else {
        const uint32_t low = d.temp(false), high = d.temp(false);
        join(0, low), join(2, high);
        d.emit(binary<Join16>, d.dst(0, t), low, high);
      }
    } else {
      d.refuse("a move of this many parts");
    }
    return;
  }
  if (from.kind == OperandKind::special) {
    // The type may be narrower or wider than the register ("mov.u32 %r, %clock64" reads the low half).
    const bool wide = ptx::bits(d.reg_type(to)) == 64;
    decode_special(d, from.name, d.dst(to, wide ? Type::u64 : Type::u32), wide ? Type::u64 : Type::u32);
    return;
  }
  uint32_t a = d.src(from, t);
  d.emit(n == 64 ? unary<Copy<uint64_t>> : unary<Copy<uint32_t>>, d.dst(0, t), a);
}

void cvta(Decoder& d) {
  const bool to = d.has("to");
  const ptx::Space s = d.space();
  uint64_t base = 0;
  if (!d.host) {
    if (s == ptx::Space::shared) base = window::shared;
    if (s == ptx::Space::local) base = window::local;
    if (s == ptx::Space::param) base = window::param;
  }
  Type t = d.type();
  if (ptx::bits(t) == 32 && base) d.refuse("32-bit generic addresses");
  uint32_t a = d.src(1, t);
  if (!base) {
    d.emit(ptx::bits(t) == 64 ? unary<Copy<uint64_t>> : unary<Copy<uint32_t>>, d.dst(0, t), a);
    return;
  }
  d.emit(binary<Plus>, d.dst(0, t), a, d.constant(to ? uint64_t(0) - base : base, true));
}

const Inst* isspacep(const Inst* p, Exec& x) {
  uint32_t r = 0;
  DOJO_FOR_LANES(l, x.mask) {
    const uint64_t a = x.slot<u64a>(p->a)[l];
    const bool shared = window::in(a, window::shared), local = window::in(a, window::local),
               param = window::in(a, window::param);
    bool yes = false;
    switch (p->space) {
      case ptx::Space::shared:
        yes = shared;
        break;
      case ptx::Space::local:
        yes = local;
        break;
      case ptx::Space::param:
        yes = param;
        break;
      case ptx::Space::constant: {
        Region* region = x.memory->find(a);
        yes = region && region->owner == Owner::constant;
        break;
      }
      default:
        yes = !shared && !local && !param;
        break;
    }
    r |= uint32_t(yes) << l;
  }
  uint32_t& d = x.pred(p->d);
  d = (d & ~x.mask) | r;
  return p + 1;
}
void isspacep_decode(Decoder& d) {
  uint32_t a = d.src(1, Type::b64);
  d.emit(isspacep, d.pred_dst(d.op(0)), a).space = d.space();
}

const Inst* local_address(const Inst* p, Exec& x) {
  auto* d = x.slot<u64a>(p->d);
  const uint64_t v = x.frame->local_base + p->imm;
  if (x.host)
    d[0] = v;
  else
    DOJO_FOR_LANES(l, x.mask) d[l] = v;
  return p + 1;
}
const Inst* dynamic_shared(const Inst* p, Exec& x) {
  auto* d = x.slot<u64a>(p->d);
  DOJO_FOR_LANES(l, x.mask) d[l] = x.grid->dynamic_base + p->imm;
  return p + 1;
}
/// Parameters of a kernel: an offset in the parameter block. Others live in the frame and have no address.
const Inst* param_address(const Inst* p, Exec& x) {
  auto* d = x.slot<u64a>(p->d);
  DOJO_FOR_LANES(l, x.mask) d[l] = p->imm;
  return p + 1;
}

/// b, c: where the lanes' bytes are in the frame, and their stride; a: how many; imm: offset in local memory.
const Inst* param_to_stack(const Inst* p, Exec& x) {
  const uint64_t to = x.frame->local_base + p->imm;
  if (x.host) {
    const Region& stack = *x.host->stack;
    std::memcpy(stack.data + (to - stack.base), x.r + p->b, p->a);
    return p + 1;
  }
  DOJO_FOR_LANES(l, x.mask) {
    std::byte* at = local_bytes(x, l, to, p->a);
    std::memcpy(at, x.r + p->b + l * p->c, p->a);
    std::memset(x.warp->local_init.data() + size_t(l) * x.warp->local_stride + to, 1, p->a);
  }
  return p + 1;
}

constexpr Family kMoveFamilies[] = {{"mov", c_bits | c_int | c_f32 | c_f64 | c_half, mov},
                                    {"cvta", c_any, cvta},
                                    {"isspacep", c_any, isspacep_decode}};

}  // namespace

void decode_local_address(Decoder& d, uint64_t offset, uint32_t dst) {
  d.emit(local_address, dst).imm = offset;
}
void decode_dynamic_shared(Decoder& d, uint64_t offset, uint32_t dst) {
  if (d.host) d.refuse("shared memory in host code");
  d.emit(dynamic_shared, dst).imm = offset;
}
void decode_param_address(Decoder& d, const ptx::Operand& o, uint64_t offset, uint32_t dst) {
  if (o.symbol == ptx::SymbolKind::param && d.fn.kernel) {
    d.emit(param_address, dst).imm = d.fn.params[size_t(o.target)].offset + offset;
    return;
  }
  d.refuse("the address of a function's parameter");
}

void decode_param_to_stack(Decoder& d, size_t param, uint64_t offset) {
  const ParamArea from = d.area(ptx::SymbolKind::param, int(param));
  d.emit(param_to_stack, 0, from.bytes, from.offset, from.stride).imm = offset;
}

std::span<const Family> move_families() { return kMoveFamilies; }

}  // namespace dojo::simt
