#pragma once
#include "core/compile/messages.hpp"

namespace dojo::compile_detail {

/// As parse_log, of clang's log without carets: FILE:LINE:COLUMN: error: MESSAGE, and notes below.
std::vector<Diagnostic> parse_clang_log(const std::string& log, const MessageContext&);

}  // namespace dojo::compile_detail
