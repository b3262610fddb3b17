// Integers packed into a register: pairs of 16 bits, quadruples of bytes, cvt.pack; fns and szext.
#include <algorithm>
#include <cstdlib>

#include "simt/ops/emitters.hpp"
#include "simt/ops/lanes.hpp"

namespace dojo::simt {
namespace {

using ptx::Type;

enum Packed : uint8_t { p_add, p_min, p_max };

/// Two 16-bit integers. sub: operation; flags: 1 signed, 2 relu, 4 saturating.
uint32_t pair_of(uint32_t a, uint32_t b, uint8_t op, uint8_t flags) {
  uint32_t r = 0;
  for (int h = 0; h < 32; h += 16) {
    const int32_t x = flags & 1 ? int16_t(a >> h) : int32_t(a >> h & 0xffff);
    const int32_t y = flags & 1 ? int16_t(b >> h) : int32_t(b >> h & 0xffff);
    int32_t v = op == p_add ? x + y : op == p_min ? std::min(x, y) : std::max(x, y);
    if (flags & 4) v = flags & 1 ? std::clamp(v, -32768, 32767) : std::min(v, 65535);
    if (flags & 2) v = std::max(v, 0);
    r |= (uint32_t(v) & 0xffff) << h;
  }
  return r;
}
void pair_lane(const Inst* p, Exec& x, uint32_t l) {
  x.slot<u32a>(p->d)[l] = pair_of(x.slot<u32a>(p->a)[l], x.slot<u32a>(p->b)[l], p->sub, p->flags);
}

/// |a - b| of the parts of two registers. imm: bits of a part; flags: 1 a signed, 2 b signed, 4 their sum on
/// top of c.
void video_difference(const Inst* p, Exec& x, uint32_t l) {
  const uint32_t a = x.slot<u32a>(p->a)[l], b = x.slot<u32a>(p->b)[l], c = x.slot<u32a>(p->c)[l];
  const uint32_t n = uint32_t(p->imm), mask = (1u << n) - 1;
  auto part = [&](uint32_t v, uint32_t at, bool sign) {
    const uint32_t u = v >> at & mask;
    return sign ? int32_t(u << (32 - n)) >> (32 - n) : int32_t(u);
  };
  uint32_t sum = c, packed = 0;
  for (uint32_t at = 0; at < 32; at += n) {
    const uint32_t v = uint32_t(std::abs(part(a, at, p->flags & 1) - part(b, at, p->flags & 2)));
    sum += v;
    packed |= (v & mask) << at;
  }
  x.slot<u32a>(p->d)[l] = p->flags & 4 ? sum : packed;
}
void video_decode(Decoder& d) {
  if (d.has("sat") || d.has("b0") || d.operands() != 4) d.refuse("this form of a video instruction");
  const uint32_t a = d.src(1, Type::b32), b = d.src(2, Type::b32), c = d.src(3, Type::b32);
  Inst& i = d.emit(per_lane<video_difference>, d.dst(0, Type::b32), a, b, c);
  i.imm = d.ins->meaning.op == ptx::Op::vabsdiff4 ? 8 : 16;
  i.flags =
      uint8_t((d.type(1) == Type::s32 ? 1 : 0) | (d.type(2) == Type::s32 ? 2 : 0) | (d.has("add") ? 4 : 0));
}

/// fns: the n-th set bit of a mask, counted from a base upwards (n > 0) or downwards (n < 0).
void fns_lane(const Inst* p, Exec& x, uint32_t l) {
  const uint32_t mask = x.slot<u32a>(p->a)[l], base = x.slot<u32a>(p->b)[l];
  const int64_t n = int32_t(x.slot<u32a>(p->c)[l]);
  uint32_t found = ~0u;
  if (n == 0) {
    if (base < 32 && (mask >> base & 1)) found = base;
  } else if (base < 32) {
    int64_t left = std::llabs(n) - 1;
    for (int64_t at = base; at >= 0 && at<32; at += n> 0 ? 1 : -1)
      if (mask >> at & 1) {
        if (left-- == 0) {
          found = uint32_t(at);
          break;
        }
      }
  }
  x.slot<u32a>(p->d)[l] = found;
}
void fns(Decoder& d) {
  const uint32_t a = d.src(1, Type::b32), b = d.src(2, Type::b32), c = d.src(3, Type::b32);
  d.emit(per_lane<fns_lane>, d.dst(0, Type::b32), a, b, c);
}

/// szext: a's low b bits, extended. sub: signed; flags: 1 wrap (else clamp).
void szext_lane(const Inst* p, Exec& x, uint32_t l) {
  const uint32_t a = x.slot<u32a>(p->a)[l], b = x.slot<u32a>(p->b)[l];
  const uint32_t n = p->flags & 1 ? b & 31 : std::min(b, 32u);
  uint32_t r = n == 0 ? 0 : n == 32 ? a : a & ((1u << n) - 1);
  if (p->sub && n && n < 32) r = uint32_t(int32_t(a << (32 - n)) >> (32 - n));
  x.slot<u32a>(p->d)[l] = r;
}
void szext(Decoder& d) {
  const uint32_t a = d.src(1, Type::b32), b = d.src(2, Type::b32);
  Inst& i = d.emit(per_lane<szext_lane>, d.dst(0, Type::b32), a, b);
  i.sub = d.type() == Type::s32;
  i.flags = d.has("wrap");
}

/// cvt.pack: a and b saturated to n bits (imm) and put below c. flags: 1 to a signed type, 2 from a signed
/// one.
void pack_lane(const Inst* p, Exec& x, uint32_t l) {
  const uint32_t n = uint32_t(p->imm);
  const int64_t low = p->flags & 1 ? -(int64_t(1) << (n - 1)) : 0,
                high = (int64_t(1) << (p->flags & 1 ? n - 1 : n)) - 1;
  auto saturated = [&](uint32_t v) {
    const int64_t w = p->flags & 2 ? int64_t(int32_t(v)) : int64_t(v);
    return uint64_t(std::clamp(w, low, high)) & ((uint64_t(1) << n) - 1);
  };
  const uint64_t c = p->sub ? x.slot<u32a>(p->c)[l] : 0;
  x.slot<u32a>(p->d)[l] =
      uint32_t(c << (2 * n) | saturated(x.slot<u32a>(p->a)[l]) << n | saturated(x.slot<u32a>(p->b)[l]));
}

constexpr Family kPackedFamilies[] = {{"vabsdiff4", c_any, video_decode},
                                      {"vabsdiff2", c_any, video_decode},
                                      {"fns", c_bits, fns},
                                      {"szext", c_int, szext}};

}  // namespace

void decode_packed_integer(Decoder& d) {
  const ptx::Op op = d.ins->meaning.op;
  if (!d.ins->meaning.is({ptx::Op::add, ptx::Op::min, ptx::Op::max})) d.refuse("packed 16-bit integers here");
  const uint32_t a = d.src(1, Type::b32), b = d.src(2, Type::b32);
  Inst& i = d.emit(per_lane<pair_lane>, d.dst(0, Type::b32), a, b);
  i.sub = op == ptx::Op::add ? p_add : op == ptx::Op::min ? p_min : p_max;
  i.flags = uint8_t((d.type() == Type::s16x2 ? 1 : 0) | (d.has("relu") ? 2 : 0) | (d.has("sat") ? 4 : 0));
}

void decode_pack(Decoder& d) {
  static const std::pair<const char*, int> to[] = {{"u16", 16}, {"s16", 16}, {"u8", 8}, {"s8", 8},
                                                   {"u4", 4},   {"s4", 4},   {"u2", 2}, {"s2", 2}};
  const std::string& name = d.ins->parts.size() > 3 ? d.ins->parts[3] : d.ins->parts[0];
  for (const auto& [word, n] : to) {
    if (name != word) continue;
    const uint32_t a = d.src(1, Type::b32), b = d.src(2, Type::b32),
                   c = d.operands() > 3 ? d.src(3, Type::b32) : a;
    Inst& i = d.emit(per_lane<pack_lane>, d.dst(0, Type::b32), a, b, c);
    i.imm = uint64_t(n);
    i.sub = d.operands() > 3;
    i.flags = uint8_t((name[0] == 's' ? 1 : 0) | (d.has("s32") ? 2 : 0));
    return;
  }
  d.refuse("cvt.pack to this type");
}

std::span<const Family> packed_families() { return kPackedFamilies; }

}  // namespace dojo::simt
