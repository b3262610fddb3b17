#include "ptx/lines/refused_ptx.hpp"

#include <algorithm>

#include "ptx/lines/text_places.hpp"

namespace dojo::ptx {
namespace {

Diagnostic compile_error(SourceLoc where, const std::string& file, std::string message) {
  if (!where.line) where.file = file;
  return {.kind = "compile", .where = std::move(where), .message = std::move(message)};
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

}  // namespace

Diagnostic refused_by_parser(const ParseError& e, const std::string& ptx, const std::string& student_file) {
  return compile_error(place_in_text(ptx, e.ptx_line, student_file), student_file,
                       "The PTX of this line can't be read: " + e.reason +
                           ". Check the text of asm(): each instruction ends with a semicolon.");
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
