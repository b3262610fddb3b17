#include "ptx/lines/refused_ptx.hpp"

#include <algorithm>
#include <string_view>

#include "ptx/lines/text_places.hpp"

namespace dojo::ptx {
namespace {

Diagnostic compile_error(SourceLoc where, const std::string& file, std::string message) {
  if (!where.line) where.file = file;
  return {.kind = FindingKind::compile, .where = std::move(where), .message = std::move(message)};
}

/// "Modifier '.NaN' requires .target sm_80 or higher": what the architecture lacks.
bool about_architecture(const std::string& message) {
  return message.find(".target") != message.npos || message.find("sm_") != message.npos;
}

/// The first call of a function that no code defines.
SourceLoc place_of_call(const Module& m, const std::string& callee) {
  const auto found = m.function_by_name.find(callee);
  if (found == m.function_by_name.end()) return {};
  for (const Function& f : m.functions)
    for (const Instruction& i : f.code)
      if (std::any_of(i.operands.begin(), i.operands.end(), [&](const Operand& o) {
            return o.symbol == SymbolKind::function && uint32_t(o.target) == found->second;
          }))
        return m.place(i);
  return {};
}

/// Is the text of an asm() in the lines up to this one (from 1)? A missing semicolon shows in a later line.
bool near_inline_asm(std::string_view ptx, int line) {
  constexpr int lines_before = 5;
  size_t begin = 0;
  for (int i = 1; begin < ptx.size() && i <= line; ++i) {
    const size_t end = std::min(ptx.find('\n', begin), ptx.size());
    if (i >= line - lines_before && ptx.substr(begin, end - begin).find("inline asm") != ptx.npos)
      return true;
    begin = end + 1;
  }
  return false;
}

}  // namespace

Diagnostic refused_by_parser(const ParseError& e, const std::string& ptx, const std::string& student_file) {
  return compile_error(place_in_text(ptx, e.ptx_line, student_file), student_file,
                       "The PTX of this line can't be read: " + e.reason +
                           (near_inline_asm(ptx, e.ptx_line)
                                ? ". Check the text of asm(): each instruction ends with a semicolon."
                                : ". The compiler wrote it, not your file: please report it to WarpDojo."));
}

Diagnostic refused_by_ptxas(const Assembled& a, const Module& m, const std::string& stripped) {
  constexpr std::string_view unresolved = "Unresolved extern function '";
  if (const size_t at = a.message.find(unresolved); at != a.message.npos) {
    const size_t begin = at + unresolved.size();
    const std::string callee = a.message.substr(begin, a.message.find('\'', begin) - begin);
    return compile_error(
        place_of_call(m, callee), m.student_file,
        "Device code calls " + base_name(callee) + ", which is not defined in this file. Write its body.");
  }
  std::string message = a.message;
  if (about_architecture(message)) {
    std::string arch = m.target;
    if (arch.starts_with("sm_")) arch = "compute_" + arch.substr(3);
    message += ". This file is compiled for " + arch + ": use an instruction that it has";
  }
  return compile_error(place_in_text(stripped, a.ptx_line, m.student_file), m.student_file, message + ".");
}

}  // namespace dojo::ptx
