#pragma once
// Matrix elements in registers: what the tensor instructions share.
#include <array>

#include "simt/ops/arithmetic/small_float.hpp"
#include "simt/ops/lanes.hpp"
#include "simt/ops/ops.hpp"

namespace dojo::simt::tensor {

using ptx::Type;

/// Bytes of an element in a register (at least one).
inline int bytes_of(Type t) { return std::max(1, ptx::bits(t) / 8); }
double to_value(uint64_t raw, Type);
/// `saturate`: integers to the 32-bit range, else modulo 2^32.
uint64_t from_value(double, Type, bool saturate);
/// Element i of a lane's registers, several packed to a 32-bit one.
uint64_t get_element(Exec&, const std::vector<uint32_t>& regs, uint32_t lane, uint32_t i, Type);
void put_element(Exec&, const std::vector<uint32_t>& regs, uint32_t lane, uint32_t i, Type, uint64_t);
inline uint32_t elements(const std::vector<uint32_t>& regs, Type t) {
  return uint32_t(regs.size()) * std::max<uint32_t>(1, t == Type::f64 ? 1 : uint32_t(4 / bytes_of(t)));
}

struct Shape {
  uint32_t m, n, k;
};
inline uint64_t pack(Shape s, Type a, Type b, Type c, Type d) {
  return s.m | s.n << 8 | s.k << 16 | uint64_t(a) << 32 | uint64_t(b) << 40 | uint64_t(c) << 48 |
         uint64_t(d) << 56;
}
inline Shape shape_of(uint64_t v) {
  return {uint32_t(v & 0xff), uint32_t(v >> 8 & 0xff), uint32_t(v >> 16 & 0xff)};
}

/// Row and column of an element.
struct Place {
  uint32_t row, col;
};
/// wmma: elements in order over the lanes; where there is room for more, copies.
inline Place wmma_place(uint32_t rows, uint32_t cols, uint32_t per_lane, uint32_t l, uint32_t i) {
  const uint32_t e = (l * per_lane + i) % (rows * cols);
  return {e / cols, e % cols};
}

Shape parse_shape(Decoder&);
std::vector<uint32_t> registers(Decoder&, const ptx::Operand&, Type, bool destination);
/// wmma.mma (sub 0) and mma.sync (sub 1).
void decode_multiply(Decoder&, uint8_t sub);

}  // namespace dojo::simt::tensor
