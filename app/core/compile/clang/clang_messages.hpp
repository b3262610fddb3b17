#pragma once
// clang's error log as diagnostics at the student's lines.
#include "core/compile/messages.hpp"

namespace dojo::compile_detail {

/// Like parse_log (core/compile/messages.hpp), for clang's lines FILE:LINE:COLUMN: error: MESSAGE and the
/// notes that follow them; clang runs with -fno-caret-diagnostics. An error in a header is shown at the
/// student's line that such a note names.
std::vector<Diagnostic> parse_clang_log(const std::string& log, const MessageContext&);
/// Is an error of the log at a line of a file?
bool names_a_line(const std::string& log);

}  // namespace dojo::compile_detail
