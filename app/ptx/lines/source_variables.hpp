#pragma once
// Where the variables of the source are, from the debug information in PTX that was compiled as written (-G):
// DWARF 2 as .b8 and .b64 directives, its addresses as labels, its registers by name
// (https://dwarfstd.org, sections 2.5, 4.1, 7.5). Optimised PTX has none.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ptx/module.hpp"

namespace dojo::ptx {

/// A variable or parameter of one function.
struct SourceVariable {
  std::string name;
  int line = 0;                   ///< of its declaration, 0: not known
  uint64_t element_bytes = 0;     ///< of one element of an array, else of the variable; 0: not known
  std::vector<uint64_t> extents;  ///< of an array, outermost first
  /// A register that holds it in front of the instructions [first, last).
  struct Held {
    std::string reg;  ///< "%r12"
    uint32_t first = 0, last = 0;
  };
  std::vector<Held> held;
  std::string
      symbol;  ///< of the memory that it is in (a function's local memory, a shared array), else empty
  uint64_t offset = 0;  ///< in bytes, from the symbol
};

/// By function of the module. Empty lists where there is no debug information, or none that can be read.
std::vector<std::vector<SourceVariable>> source_variables(const Module&);

/// The variables that a register holds in front of an instruction; where none is said to be there, those that
/// it holds anywhere in the function.
std::vector<std::string> variables_in(const std::vector<SourceVariable>&, std::string_view reg,
                                      uint32_t instruction);

/// "t[3]", "m[2][1]": the element of an array that is `bytes` from its start; empty: it is no whole element.
/// The outermost index may be beyond the array.
std::string element_of(const SourceVariable&, int64_t bytes);

}  // namespace dojo::ptx
