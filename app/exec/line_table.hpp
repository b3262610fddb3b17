#pragma once
// Source lines of native code, from the debug information of the program's files (DWARF 5's and older
// .debug_line), or function names from their symbol tables where a file has none. Read when first asked;
// nothing is kept open.
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/types.hpp"

namespace dojo::exec {

/// A row of a line program: the code from `address` on is of this line.
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
  /// The line of an address of this process, and the function. file is empty where there is no debug
  /// information.
  struct Place {
    SourceLoc where;
    std::string function;     ///< demangled; empty: not known
    bool of_program = false;  ///< the address is in a file of the program's own, not in a system library
  };
  const Place& place(uint64_t address);
  /// The place in the program's own source that called, seen from a library function that returns to
  /// `address`: that line, or the nearest caller whose line is not in a header of the toolkit.
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
