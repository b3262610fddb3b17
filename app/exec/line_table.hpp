#pragma once
// Source lines of native code, from .debug_line (DWARF 2 to 5) of the program's ELF files. A file without
// debug information gives function names from its symbol table. Each file is read at the first question about
// it.
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/types.hpp"

namespace dojo::exec {

/// A row of a line program: from `address` to the next row, code belongs to this line.
struct LineRow {
  uint64_t address = 0;
  uint32_t file = 0;
  int line = 0;
  bool end = false;  ///< the first address after a sequence
};

/// The line programs of one ELF file.
struct LineProgram {
  std::vector<std::string> files;
  std::vector<LineRow> rows;  ///< by address
};
/// Reads .debug_line; `strings` are .debug_line_str's bytes and `text` .debug_str's. Never throws: what is
/// damaged ends the table.
LineProgram read_debug_lines(std::string_view lines, std::string_view strings, std::string_view text);

class NativeCode {
 public:
  /// Source line and function of an address in this process. where.file is empty without debug information.
  struct Place {
    SourceLoc where;
    std::string function;     ///< demangled; empty: not known
    bool of_program = false;  ///< the address is in a file of the program's own, not in a system library
  };
  const Place& place(uint64_t address);
  /// The line of the program's own source that called a library function. If the call is in a header of the
  /// toolkit, the nearest caller outside of those.
  Place caller(uint64_t return_address);

 private:
  struct File;
  File* file_of(uint64_t address, uint64_t* in_file);
  std::map<std::string, std::unique_ptr<File>> files_;
  std::map<uint64_t, Place> places_;
  std::map<uint64_t, Place> callers_;

 public:
  NativeCode();
  ~NativeCode();
};

/// Is this a header of the toolkit or the system?
bool of_toolkit(const std::string& file);

}  // namespace dojo::exec
