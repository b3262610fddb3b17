#pragma once
// The pane under the source: PTX and machine code as rows, those of the chosen line lit.
#include <string>
#include <vector>

#include "core/code_listing.hpp"

namespace dojo::gui {

enum class CodeKind { ptx, sass };

struct CodeRow {
  enum Kind { function, note, label, code, source } kind = code;
  std::string text;
  std::string
      detail;  ///< function: what it needs; code: the file and line it comes from, when that is another file
  std::string where;      ///< machine code: its address
  int line = 0;           ///< of the listed file; 0: of none
  bool lit = false;       ///< belongs to the chosen line
  bool counted = false;   ///< `executed` is known
  uint64_t executed = 0;  ///< by warps
  double heat = 0;        ///< of the row executed most often, 0..1
};

struct CodeRows {
  std::vector<CodeRow> rows;
  int first_lit = -1;  ///< index of the first lit row; -1: the line became no code
  size_t lit = 0, instructions = 0;
  std::string note;  ///< one line for all of it: why there is no machine code, or no operands
};

/// `line`: the chosen one. `only`: just its rows. Counts belong to PTX; a row of machine code has none of its
/// own.
CodeRows lay_out_code(const CodeListing&, int line, CodeKind, bool only);

/// "12 PTX, 9 machine instructions": what a line became, for a tooltip; empty when nothing.
std::string became(const CodeListing&, int line);

}  // namespace dojo::gui
