#pragma once
// The bytes that a lab's outputs hold before a run, and how an element that no thread wrote is told from a
// wrong one. Read as an int they are -875836469, which must not be shown as a result.
#include <cstdint>
#include <cstring>

#include "core/report.hpp"
#include "core/types.hpp"

namespace dojo {

/// No plausible result has these bytes throughout, in any element type.
inline constexpr uint8_t poison = 0xCB;

/// The element still holds its poison, and no thread is known to have written it. Elements of one byte are
/// never told: their poison is an ordinary value.
inline bool never_written(const Mismatch& m) {
  if (m.block || m.thread) return false;
  const auto holds = [&]<class T>(T value) {
    std::memset(&value, poison, sizeof value);
    return m.got == static_cast<double>(value);
  };
  const uint16_t half = poison << 8 | poison;
  return holds(float{}) || holds(double{}) || holds(int32_t{}) || holds(uint32_t{}) || holds(int64_t{}) ||
         m.got == double(half_to_float(half)) || m.got == double(bf16_to_float(half));
}

}  // namespace dojo
