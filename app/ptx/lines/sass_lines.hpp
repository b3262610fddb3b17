#pragma once
// The line program of .nv_debug_line_sass (DWARF 2's form): machine address to line of the PTX text.
#include <span>
#include <string_view>
#include <vector>

#include "ptx/sass.hpp"

namespace dojo::ptx {

struct LineSymbol {
  std::string_view name;
  uint64_t value = 0, size = 0;
  uint32_t section = 0;
  bool is_function = false;
};

struct LineRelocation {
  uint64_t at = 0;  ///< offset in the line section of an 8-byte address
  uint32_t symbol = 0;
  int64_t addend = 0;
  bool in_place = false;  ///< REL: the addend stands where the address goes
};

/// Sets ptx_line of a function's instructions from those parts of the program whose addresses lie in
/// `section`.
void read_lines(std::span<const std::byte> program, std::span<const LineRelocation>,
                std::span<const LineSymbol>, uint32_t section, SassFunction&);

}  // namespace dojo::ptx
