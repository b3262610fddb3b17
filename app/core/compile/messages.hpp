#pragma once
// NVRTC's log as diagnostics.
#include <map>
#include <string>
#include <vector>

#include "core/types.hpp"

namespace dojo::compile_detail {

struct MessageContext {
  std::string file;                    ///< the student's file, as handed to the compiler
  std::map<int, std::string> refused;  ///< of the include scan
  std::vector<std::string> folders;    ///< folders whose files may be named
};

/// Errors, and the warnings of the student's own file. Lines that quote source text only give the column: no
/// text of a file is ever part of a message.
std::vector<Diagnostic> parse_log(const std::string& log, const MessageContext&);

/// A compiler's message about a name that CUDA or the C library has and this machine does not, in one line
/// that says what to do in its place. Empty for any other message. Example: `identifier "fopen" is undefined`
/// -> "fopen is not supported here: ...".
std::string not_there(const std::string& message);

}  // namespace dojo::compile_detail
