// Tensor cores: wmma, mma.sync, ldmatrix, stmatrix. Products are exact; a sum over k is made in double and
// rounded once to the accumulator's type (hardware truncates partial sums: results agree within a few units
// in the last place of the largest partial sum). How wmma spreads a matrix over lanes is the machine's own
// choice.
#include <array>

#include "simt/access.hpp"
#include "simt/machine_impl.hpp"
#include "simt/small_float.hpp"

namespace dojo::simt {
namespace {

using ptx::Space;
using ptx::Type;

/// Where the bytes of one access of each active lane are; faults, counts and checks it.
void touch(Exec& x, const Inst* p, const uint64_t* address, uint32_t mask, uint32_t bytes, bool write,
           bool count, std::byte** out) {
  AccessCount& c = x.access[p->access];
  alignas(32) uint64_t local[32];
  uint32_t shared = 0;
  DOJO_FOR_LANES(l, mask) {
    local[l] = address[l];
    if (p->space == Space::shared)
      shared |= 1u << l;
    else if (p->space == Space::none && window::in(local[l], window::shared))
      local[l] -= window::shared, shared |= 1u << l;
    const bool s = shared >> l & 1;
    out[l] = s ? shared_bytes(x, local[l], local[l] + bytes)
               : global_bytes(x, c, local[l], local[l] + bytes, write);
    if (!out[l] || (local[l] & (bytes - 1)))
      bad_access(x, p, local[l], bytes, l, write, s ? Space::shared : Space::global);
  }
  auto part = [&](uint32_t m, bool is_shared) {
    if (!m) return;
    Span s;
    find_span(s, local, m);
    if (is_shared) {
      if (count) count_shared(x, p, c, s);
      if (x.checks) check_shared(x, p, s, bytes, write, false);
    } else {
      if (count) count_global(x, p, c, s, write ? LineAccess::store : LineAccess::load);
      if (x.checks) check_global(x, p, c, s, bytes, write, false);
    }
  };
  part(mask & shared, true);
  part(mask & ~shared, false);
}

int bytes_of(Type t) { return std::max(1, ptx::bits(t) / 8); }

double to_value(uint64_t raw, Type t) {
  switch (t) {
    case Type::f16:
      return half_float(uint32_t(raw));
    case Type::bf16:
      return brain_float(uint32_t(raw) & 0xffff);
    case Type::tf32:
      return std::bit_cast<float>(uint32_t(raw) & 0xffffe000u);
    case Type::f32:
      return std::bit_cast<float>(uint32_t(raw));
    case Type::f64:
      return std::bit_cast<double>(raw);
    case Type::s8:
      return double(int8_t(raw));
    case Type::u8:
      return double(uint8_t(raw));
    default:
      return double(int32_t(raw));
  }
}
uint64_t from_value(double v, Type t, bool saturate) {
  switch (t) {
    case Type::f16:
      return to_small(v, f16_format, Round::near);
    case Type::f32: {
      float f = float(v);
      return f != f ? 0x7fffffffu : std::bit_cast<uint32_t>(f);
    }
    case Type::f64:
      return std::bit_cast<uint64_t>(v);
    default: {
      // Integer sums stay exact in double: |sum| < 2^53.
      if (saturate) v = v > 2147483647.0 ? 2147483647.0 : v < -2147483648.0 ? -2147483648.0 : v;
      return uint32_t(int64_t(v));
    }
  }
}

/// Elements of a lane's registers: `packed` to a 32-bit register.
uint64_t get_element(Exec& x, const std::vector<uint32_t>& regs, uint32_t l, uint32_t i, Type t) {
  if (t == Type::f64) return x.slot<u64a>(regs[i])[l];
  const uint32_t n = uint32_t(4 / bytes_of(t));
  if (n <= 1) return x.slot<u32a>(regs[i])[l];
  const uint32_t w = x.slot<u32a>(regs[i / n])[l], size = 32 / n;
  return w >> (i % n * size) & ((1u << size) - 1);
}
void put_element(Exec& x, const std::vector<uint32_t>& regs, uint32_t l, uint32_t i, Type t, uint64_t v) {
  if (t == Type::f64) {
    x.slot<u64a>(regs[i])[l] = v;
    return;
  }
  const uint32_t n = uint32_t(4 / bytes_of(t));
  if (n <= 1) {
    x.slot<u32a>(regs[i])[l] = uint32_t(v);
    return;
  }
  u32a& w = x.slot<u32a>(regs[i / n])[l];
  const uint32_t size = 32 / n, at = i % n * size, m = ((1u << size) - 1) << at;
  w = (w & ~m) | (uint32_t(v) << at & m);
}
uint32_t elements(const std::vector<uint32_t>& regs, Type t) {
  return uint32_t(regs.size()) * std::max<uint32_t>(1, t == Type::f64 ? 1 : uint32_t(4 / bytes_of(t)));
}

struct Shape {
  uint32_t m, n, k;
};
uint64_t pack(Shape s, Type a, Type b, Type c, Type d) {
  return s.m | s.n << 8 | s.k << 16 | uint64_t(a) << 32 | uint64_t(b) << 40 | uint64_t(c) << 48 |
         uint64_t(d) << 56;
}
Shape shape_of(uint64_t v) { return {uint32_t(v & 0xff), uint32_t(v >> 8 & 0xff), uint32_t(v >> 16 & 0xff)}; }

/// Row and column of element i of lane l; which: 0 A, 1 B, 2 C and D.
struct Place {
  uint32_t row, col;
};
Place mma_place(const Shape& s, Type t, int which, uint32_t l, uint32_t i) {
  const uint32_t g = l >> 2, q = l & 3;
  if (which == 2) return {g + (i >= 2 ? 8 : 0), q * 2 + (i & 1)};
  if (t == Type::f64)
    return which == 0 ? Place{g + 8 * (i & 1) * uint32_t(s.m == 16), q + 4 * (s.m == 16 ? i / 2 : i)}
                      : Place{q + 4 * i, g};
  if (t == Type::tf32) {
    if (which == 0) return {g + (i & 1) * 8, q + (i >> 1) * 4};
    return {q + i * 4, g};
  }
  if (bytes_of(t) == 2) {
    if (which == 0) return {g + (i >> 1 & 1) * 8, q * 2 + (i & 1) + (i >> 2) * 8};
    return {q * 2 + (i & 1) + (i >> 1) * 8, g};
  }
  // 8-bit integers
  if (which == 0) {
    if (s.m == 8) return {g, q * 4 + i};
    return {g + (i >> 2 & 1) * 8, q * 4 + (i & 3) + (i >> 3) * 16};
  }
  return {q * 4 + (i & 3) + (i >> 2) * 16, g};
}
/// wmma: elements in order over the lanes; where there is room for more, copies.
Place wmma_place(uint32_t rows, uint32_t cols, uint32_t per_lane, uint32_t l, uint32_t i) {
  const uint32_t e = (l * per_lane + i) % (rows * cols);
  return {e / cols, e % cols};
}

/// lists: d, a, b, c. sub: 0 wmma, 1 mma. flags: 1 saturate.
const Inst* multiply(const Inst* p, Exec& x) {
  if (!gather_lanes(p, x, ~0u)) return nullptr;
  const auto& lists = x.frame->code->lists;
  const auto &D = lists[size_t(p->target)], &A = lists[size_t(p->target) + 1],
             &B = lists[size_t(p->target) + 2], &C = lists[size_t(p->target) + 3];
  const Shape s = shape_of(p->imm);
  const Type at = Type(p->imm >> 32 & 0xff), bt = Type(p->imm >> 40 & 0xff), ct = Type(p->imm >> 48 & 0xff),
             dt = Type(p->imm >> 56);
  static thread_local std::array<double, 32 * 32> a, b, c;
  const uint32_t na = elements(A, at), nb = elements(B, bt), nc = elements(C, ct), nd = elements(D, dt);
  auto place = [&](int which, Type t, uint32_t per, uint32_t l, uint32_t i) {
    if (p->sub == 1) return mma_place(s, t, which, l, i);
    return which == 0   ? wmma_place(s.m, s.k, per, l, i)
           : which == 1 ? wmma_place(s.k, s.n, per, l, i)
                        : wmma_place(s.m, s.n, per, l, i);
  };
  for (uint32_t l = 0; l < 32; ++l) {
    for (uint32_t i = 0; i < na; ++i) {
      Place e = place(0, at, na, l, i);
      a[e.row * 32 + e.col] = to_value(get_element(x, A, l, i, at), at);
    }
    for (uint32_t i = 0; i < nb; ++i) {
      Place e = place(1, bt, nb, l, i);
      b[e.row * 32 + e.col] = to_value(get_element(x, B, l, i, bt), bt);
    }
    for (uint32_t i = 0; i < nc; ++i) {
      Place e = place(2, ct, nc, l, i);
      c[e.row * 32 + e.col] = to_value(get_element(x, C, l, i, ct), ct);
    }
  }
  for (uint32_t i = 0; i < s.m; ++i) {
    double row[32];
    for (uint32_t j = 0; j < s.n; ++j) row[j] = dt == Type::f64 ? c[i * 32 + j] : 0;
    for (uint32_t k = 0; k < s.k; ++k) {
      const double v = a[i * 32 + k];
      if (dt == Type::f64)
        for (uint32_t j = 0; j < s.n; ++j) row[j] = std::fma(v, b[k * 32 + j], row[j]);
      else
        for (uint32_t j = 0; j < s.n; ++j) row[j] += v * b[k * 32 + j];
    }
    for (uint32_t j = 0; j < s.n; ++j) c[i * 32 + j] = dt == Type::f64 ? row[j] : row[j] + c[i * 32 + j];
  }
  for (uint32_t l = 0; l < 32; ++l)
    for (uint32_t i = 0; i < nd; ++i) {
      Place e = place(2, dt, nd, l, i);
      put_element(x, D, l, i, dt, from_value(c[e.row * 32 + e.col], dt, p->flags & 1));
    }
  return p + 1;
}

/// a: address, b: leading dimension. sub: 0 A, 1 B, 2 C; flags: 1 column-major, 2 store.
const Inst* fragment(const Inst* p, Exec& x) {
  if (!gather_lanes(p, x, ~0u)) return nullptr;
  const auto& regs = x.frame->code->lists[size_t(p->target)];
  const Shape s = shape_of(p->imm);
  const Type t = p->type;
  const uint32_t n = elements(regs, t), rows = p->sub == 1 ? s.k : s.m, cols = p->sub == 0 ? s.k : s.n;
  const uint32_t size = uint32_t(t == Type::tf32 ? 4 : bytes_of(t));
  const bool column = p->flags & 1, store = p->flags & 2;
  alignas(32) uint64_t address[32];
  std::byte* where[32];
  for (uint32_t i = 0; i < n; ++i) {
    for (uint32_t l = 0; l < 32; ++l) {
      const Place e = wmma_place(rows, cols, n, l, i);
      const uint64_t base = (p->wide & 1 ? uint64_t(x.slot<u64a>(p->a)[l]) : uint64_t(x.slot<u32a>(p->a)[l]));
      const uint64_t ld = x.slot<u32a>(p->b)[l];
      address[l] = base + uint64_t(p->c) + size * (column ? e.col * ld + e.row : e.row * ld + e.col);
    }
    touch(x, p, address, x.mask, size, store, i == 0, where);
    DOJO_FOR_LANES(l, x.mask) {
      uint64_t v = 0;
      if (store) {
        v = get_element(x, regs, l, i, t);
        std::memcpy(where[l], &v, size);
      } else {
        std::memcpy(&v, where[l], size);
        put_element(x, regs, l, i, t, v);
      }
    }
  }
  return p + 1;
}

/// count: matrices; flags: 1 transposed, 2 store.
const Inst* matrices(const Inst* p, Exec& x) {
  if (!gather_lanes(p, x, ~0u)) return nullptr;
  const auto& regs = x.frame->code->lists[size_t(p->target)];
  const bool trans = p->flags & 1, store = p->flags & 2;
  alignas(32) uint64_t address[32];
  std::byte* where[32];
  const uint32_t rows = 8u * p->count, mask = rows == 32 ? ~0u : (1u << rows) - 1;
  DOJO_FOR_LANES(l, mask)
  address[l] = (p->wide & 1 ? uint64_t(x.slot<u64a>(p->a)[l]) : uint64_t(x.slot<u32a>(p->a)[l])) + p->imm;
  touch(x, p, address, mask, 16, store, true, where);
  for (uint32_t k = 0; k < p->count; ++k) {
    u32a* r = x.slot<u32a>(regs[k]);
    for (uint32_t l = 0; l < 32; ++l)
      for (uint32_t h = 0; h < 2; ++h) {
        const uint32_t row = trans ? 2 * (l & 3) + h : l >> 2, col = trans ? l >> 2 : 2 * (l & 3) + h;
        std::byte* at = where[8 * k + row] + 2 * col;
        uint16_t v;
        if (store) {
          v = uint16_t(r[l] >> (16 * h));
          std::memcpy(at, &v, 2);
        } else {
          std::memcpy(&v, at, 2);
          r[l] = h ? (r[l] & 0xffff) | uint32_t(v) << 16 : (r[l] & 0xffff0000u) | v;
        }
      }
  }
  return p + 1;
}

// ---- decoding -------------------------------------------------------------------------------------------
Shape parse_shape(Decoder& d) {
  for (const std::string& part : d.ins->parts) {
    unsigned m, n, k;
    char end;
    if (std::sscanf(part.c_str(), "m%un%uk%u%c", &m, &n, &k, &end) == 3) return {m, n, k};
  }
  d.refuse("an mma without a shape");
}
std::vector<uint32_t> registers(Decoder& d, const ptx::Operand& o, Type t, bool destination) {
  const Type as = t == Type::f64 ? Type::f64 : t == Type::f32 ? Type::f32 : Type::b32;
  std::vector<uint32_t> out;
  auto one = [&](const ptx::Operand& item) {
    out.push_back(destination ? d.dst(item, as) : d.src(item, as));
  };
  if (o.kind == ptx::OperandKind::list) {
    for (const ptx::Operand& item : o.items) one(item);
  } else {
    one(o);
  }
  return out;
}
void mma_common(Decoder& d, uint8_t sub) {
  const Shape s = parse_shape(d);
  // Types in order: D, A, B, C; wmma with halves names D and C only.
  std::vector<Type> types;
  for (size_t i = 0; d.type(i) != Type::none; ++i) types.push_back(d.type(i));
  Type dt, at, bt, ct;
  if (types.size() == 4)
    dt = types[0], at = types[1], bt = types[2], ct = types[3];
  else if (types.size() == 2)
    dt = types[0], at = bt = Type::f16, ct = types[1];
  else
    d.refuse("these types");
  auto known = [](Type t) {
    return t == Type::f16 || t == Type::bf16 || t == Type::tf32 || t == Type::f64 || t == Type::s8 ||
           t == Type::u8;
  };
  if (!known(at) || !known(bt)) d.refuse("operands of these types");
  if (s.m > 32 || s.n > 32 || s.k > 32) d.refuse("this shape");
  if (sub == 1) {
    const bool fine = (s.m == 16 && s.n == 8 && (s.k == 16 || s.k == 8 || s.k == 4 || s.k == 32)) ||
                      (s.m == 8 && s.n == 8 && (at == Type::f64 || s.k == 16));
    if (!fine || d.has("sp")) d.refuse("this shape");
    if (!d.has("row") || !d.has("col")) d.refuse("this layout");
  }
  const auto D = registers(d, d.op(0), dt, true), A = registers(d, d.op(1), at, false),
             B = registers(d, d.op(2), bt, false), C = registers(d, d.op(3), ct, false);
  const uint32_t first = d.list(D);
  d.list(A);
  d.list(B);
  d.list(C);
  Inst& i = d.emit(multiply);
  i.kind = Kind::sync;
  i.imm = pack(s, at, bt, ct, dt);
  i.target = int32_t(first);
  i.sub = sub;
  i.flags = d.has("satfinite");
}
void wmma(Decoder& d) {
  if (d.host) d.refuse("tensor instructions in host code");
  const std::string& what = d.ins->parts.at(1);
  if (what == "mma") return mma_common(d, 0);
  const Shape s = parse_shape(d);
  const bool store = what == "store";
  const std::string& which = d.ins->parts.at(2);
  const uint8_t sub = which == "a" ? 0 : which == "b" ? 1 : 2;
  const Type t = d.type();
  const ptx::Operand& where = d.op(store ? 0 : 1);
  const ptx::Operand& data = d.op(store ? 1 : 0);
  const auto regs = registers(d, data, t, !store);
  const bool column = d.has("col");
  const uint32_t rows = sub == 1 ? s.k : s.m, cols = sub == 0 ? s.k : s.n;
  uint32_t ld = d.operands() > 2 ? d.src(2, Type::b32) : d.constant(column ? rows : cols, false);
  bool wide;
  uint64_t imm;
  uint32_t a = d.address(where, &wide, &imm);
  Inst& i = d.emit(fragment, 0, a, ld, uint32_t(imm));
  i.kind = Kind::memory;
  i.imm = pack(s, t, t, t, t);
  i.target = int32_t(d.list(regs));
  i.sub = sub;
  i.type = t;
  i.width = uint8_t(std::min<uint32_t>(16, elements(regs, t) * uint32_t(bytes_of(t))));
  i.flags = uint8_t((column ? 1 : 0) | (store ? 2 : 0));
  i.wide = wide;
  i.space = d.space();
  i.access = d.access();
}
void mma(Decoder& d) {
  if (d.host) d.refuse("tensor instructions in host code");
  mma_common(d, 1);
}
void ldmatrix(Decoder& d) {
  if (d.host || !d.has("m8n8") || d.type() != Type::b16) d.refuse("this form");
  const bool store = d.ins->parts[0] == "stmatrix";
  const auto regs = registers(d, d.op(store ? 1 : 0), Type::b32, !store);
  bool wide;
  uint64_t imm;
  uint32_t a = d.address(d.op(store ? 0 : 1), &wide, &imm);
  Inst& i = d.emit(matrices, 0, a);
  i.kind = Kind::memory;
  i.imm = imm;
  i.target = int32_t(d.list(regs));
  i.count = uint8_t(regs.size());
  i.width = uint8_t(16 / regs.size());
  i.flags = uint8_t((d.has("trans") ? 1 : 0) | (store ? 2 : 0));
  i.wide = wide;
  i.space = Space::shared;
  i.access = d.access();
}

constexpr Family families[] = {
    {"wmma", c_any, wmma}, {"mma", c_any, mma}, {"ldmatrix", c_any, ldmatrix}, {"stmatrix", c_any, ldmatrix}};

}  // namespace

std::span<const Family> tensor_families() { return families; }

}  // namespace dojo::simt
