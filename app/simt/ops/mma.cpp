// Products of matrices on tensor cores: wmma.mma and mma.sync. Products are exact; a sum over k is made in
// double and rounded once to the accumulator's type (hardware truncates partial sums: results agree within a
// few units in the last place of the largest partial sum).
#include "simt/ops/lanes.hpp"
#include "simt/ops/tensor.hpp"
#include "simt/state/splits.hpp"

namespace dojo::simt {
namespace tensor {

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
    case Type::e4m3:
      return from_small(uint32_t(raw) & 0xff, e4m3_format);
    case Type::e5m2:
      return from_small(uint32_t(raw) & 0xff, e5m2_format);
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
      return std::bit_cast<uint64_t>(v) | (v != v ? 0x0008000000000000ull : 0);
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

namespace {

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
/// v cut to a float's 24 bits (towards zero).
double cut_to_float(double v) {
  const float f = float(v);
  if (std::isinf(f) || std::fabs(double(f)) <= std::fabs(v)) return double(f);
  return double(std::bit_cast<float>(std::bit_cast<uint32_t>(f) - 1));
}

/// c += a b, of matrices 32 wide in memory. lowest: the exponent of the factors' subnormals.
void multiply_aligned(const Shape& s, int lowest, const double* a, const double* b, double* c,
                      bool to_float) {
  constexpr int nothing = -100000;
  auto exponent = [](double v, int least) {
    const int e = int(std::bit_cast<uint64_t>(v) >> 52 & 0x7ff) - 1023;
    return v == 0 ? nothing : std::max(e, least);
  };
  int ea[32], eb[32 * 32];
  for (uint32_t k = 0; k < s.k; ++k)
    for (uint32_t j = 0; j < s.n; ++j) eb[k * 32 + j] = exponent(b[k * 32 + j], lowest);
  for (uint32_t i = 0; i < s.m; ++i) {
    int top[32];
    double plain[32], scale[32], sum[32];
    for (uint32_t j = 0; j < s.n; ++j) top[j] = exponent(c[i * 32 + j], -126), plain[j] = c[i * 32 + j];
    for (uint32_t k = 0; k < s.k; ++k) ea[k] = exponent(a[i * 32 + k], lowest);
    for (uint32_t k = 0; k < s.k; ++k) {
      const double v = a[i * 32 + k];
      for (uint32_t j = 0; j < s.n; ++j) {
        top[j] = std::max(top[j], ea[k] + eb[k * 32 + j]);
        plain[j] += v * b[k * 32 + j];
      }
    }
    for (uint32_t j = 0; j < s.n; ++j) {
      const int shift = std::clamp(25 - top[j], -900, 900);
      scale[j] = std::bit_cast<double>(uint64_t(shift + 1023) << 52);
      sum[j] = std::trunc(c[i * 32 + j] * scale[j]);
    }
    for (uint32_t k = 0; k < s.k; ++k) {
      const double v = a[i * 32 + k];
      for (uint32_t j = 0; j < s.n; ++j) sum[j] += std::trunc(v * b[k * 32 + j] * scale[j]);
    }
    for (uint32_t j = 0; j < s.n; ++j) {
      // Infinities and NaNs come out of any order; nothing but zeros is summed as it stands.
      double r = plain[j];
      if (std::isfinite(r) && top[j] > nothing / 2) r = sum[j] / scale[j];
      c[i * 32 + j] = to_float && std::isfinite(r) ? cut_to_float(r) : r;
    }
  }
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
  const bool aligned =
      (dt == Type::f32 || dt == Type::f16) && (at == Type::f16 || at == Type::bf16 || at == Type::tf32);
  if (aligned) {
    multiply_aligned(s, at == Type::f16 ? -14 : -126, a.data(), b.data(), c.data(), dt == Type::f32);
  } else {
    for (uint32_t i = 0; i < s.m; ++i) {
      double row[32];
      for (uint32_t j = 0; j < s.n; ++j) row[j] = dt == Type::f64 ? c[i * 32 + j] : 0;
      for (uint32_t k = 0; k < s.k; ++k) {
        const double v = a[i * 32 + k];
        if (dt == Type::f64)
          for (uint32_t j = 0; j < s.n; ++j) {
            const double w = b[k * 32 + j], r = std::fma(v, w, row[j]);
            // Of several NaNs: the sum's, A's, B's.
            row[j] = r == r ? r : row[j] != row[j] ? row[j] : v != v ? v : w != w ? w : r;
          }
        else
          for (uint32_t j = 0; j < s.n; ++j) row[j] += v * b[k * 32 + j];
      }
      for (uint32_t j = 0; j < s.n; ++j) c[i * 32 + j] = dt == Type::f64 ? row[j] : row[j] + c[i * 32 + j];
    }
  }
  for (uint32_t l = 0; l < 32; ++l)
    for (uint32_t i = 0; i < nd; ++i) {
      Place e = place(2, dt, nd, l, i);
      put_element(x, D, l, i, dt, from_value(c[e.row * 32 + e.col], dt, p->flags & 1));
    }
  return p + 1;
}

/// mma.m8n8k4 on halves: four products of 8x4 and 4x8, each by two groups of four lanes (PTX ISA, "Matrix
/// fragments for mma.m8n8k4"). flags: 2 A column-major, 4 B column-major.
const Inst* multiply_quads(const Inst* p, Exec& x) {
  if (!gather_lanes(p, x, ~0u)) return nullptr;
  const auto& lists = x.frame->code->lists;
  const auto &D = lists[size_t(p->target)], &A = lists[size_t(p->target) + 1],
             &B = lists[size_t(p->target) + 2], &C = lists[size_t(p->target) + 3];
  const Type ct = Type(p->imm >> 48 & 0xff), dt = Type(p->imm >> 56);
  auto place = [](Type t, uint32_t l, uint32_t i) -> Place {
    const uint32_t low = l & 3, upper = l >= 16 ? 4 : 0;
    if (t == Type::f16) return {low + upper, i};
    return {(l & 1) + (i & 2) + upper, (i & 4) + (l & 2) + (i & 1)};
  };
  for (uint32_t quad = 0; quad < 4; ++quad) {
    double a[8][4], b[4][8], c[8][8];
    for (uint32_t half = 0; half < 2; ++half)
      for (uint32_t k = 0; k < 4; ++k) {
        const uint32_t l = half * 16 + quad * 4 + k, low = l & 3, upper = half * 4;
        for (uint32_t i = 0; i < 4; ++i) {
          const double u = to_value(get_element(x, A, l, i, Type::f16), Type::f16),
                       v = to_value(get_element(x, B, l, i, Type::f16), Type::f16);
          (p->flags & 2 ? a[i + upper][low] : a[low + upper][i]) = u;
          (p->flags & 4 ? b[i][low + upper] : b[low][i + upper]) = v;
        }
        for (uint32_t i = 0; i < 8; ++i) {
          const Place e = place(ct, l, i);
          c[e.row][e.col] = to_value(get_element(x, C, l, i, ct), ct);
        }
      }
    for (auto& row : c) {
      const size_t i = size_t(&row - c);
      for (uint32_t j = 0; j < 8; ++j) {
        double sum = 0;
        for (uint32_t k = 0; k < 4; ++k) sum += a[i][k] * b[k][j];
        row[j] += sum;
      }
    }
    for (uint32_t half = 0; half < 2; ++half)
      for (uint32_t k = 0; k < 4; ++k) {
        const uint32_t l = half * 16 + quad * 4 + k;
        for (uint32_t i = 0; i < 8; ++i) {
          const Place e = place(dt, l, i);
          put_element(x, D, l, i, dt, from_value(c[e.row][e.col], dt, false));
        }
      }
  }
  return p + 1;
}

}  // namespace

void decode_multiply(Decoder& d, uint8_t sub) {
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
  auto known = [sub](Type t) {
    return t == Type::f16 || t == Type::bf16 || t == Type::tf32 || t == Type::f64 || t == Type::s8 ||
           t == Type::u8 || (sub == 1 && (t == Type::e4m3 || t == Type::e5m2));
  };
  if (!known(at) || !known(bt)) d.refuse("operands of these types");
  if (s.m > 32 || s.n > 32 || s.k > 32 || !s.m || !s.n || !s.k) d.refuse("this shape");
  if (d.has("sp") || d.has("sp::ordered_metadata")) d.refuse("sparse matrices");
  if (d.has("b1") || d.has("s4") || d.has("u4") || d.has("block_scale")) d.refuse("operands of these types");
  const bool quads = sub == 1 && s.m == 8 && s.n == 8 && s.k == 4 && at == Type::f16;
  if (sub == 1) {
    const bool fine = quads || (s.m == 16 && s.n == 8 && (s.k == 16 || s.k == 8 || s.k == 4 || s.k == 32)) ||
                      (s.m == 8 && s.n == 8 && (at == Type::f64 || s.k == 16));
    if (!fine) d.refuse("this shape");
    if (!quads && (!d.has("row") || !d.has("col"))) d.refuse("this layout");
  }
  const auto D = registers(d, d.op(0), dt, true), A = registers(d, d.op(1), at, false),
             B = registers(d, d.op(2), bt, false), C = registers(d, d.op(3), ct, false);
  // As many elements in 32 lanes as the matrices have; wmma's may be copies.
  auto fits = [&](const std::vector<uint32_t>& regs, Type t, uint32_t size) {
    const uint32_t all = elements(regs, t) * 32;
    if (quads ? all != 4 * size : sub == 1 ? all != size : all < size || all % size)
      d.refuse("this number of registers");
  };
  fits(A, at, s.m * s.k);
  fits(B, bt, s.k * s.n);
  fits(C, ct, s.m * s.n);
  fits(D, dt, s.m * s.n);
  const uint32_t first = d.list(D);
  d.list(A);
  d.list(B);
  d.list(C);
  Inst& i = d.emit(quads ? multiply_quads : multiply);
  i.kind = Kind::sync;
  i.imm = pack(s, at, bt, ct, dt);
  i.target = int32_t(first);
  i.sub = sub;
  i.flags = d.has("satfinite");
  if (quads) {
    // The layouts stand in order: of A, then of B.
    bool seen = false;
    for (const std::string& part : d.ins->parts)
      if (part == "row" || part == "col") {
        if (part == "col") i.flags |= seen ? 4 : 2;
        seen = true;
      }
  }
}

}  // namespace tensor
}  // namespace dojo::simt
