#pragma once
// NVRTC's log as diagnostics.
#include <map>
#include <string>
#include <vector>

#include "core/compile/front_end.hpp"
#include "core/types.hpp"

namespace dojo::compile_detail {

/// What is said of a variable whose initialiser is no constant.
inline constexpr const char* early_global =
    "a global or static variable's initialiser must be a constant here: initialise it in main instead, or in "
    "the step's function";

struct MessageContext {
  std::string file;                    ///< the student's file, as handed to the compiler
  std::map<int, std::string> refused;  ///< of the include scan
  std::vector<std::string> folders;    ///< folders whose files may be named
  std::vector<OwnText> headers;        ///< of the program's own: named as the student knows them
  int last_line = 0;                   ///< of the file: where the compiler finds that something is missing
};

/// The own header that a compiler names by its key; null: another file.
const OwnText* own_text(const MessageContext&, const std::string& file);

/// Errors, and the warnings of the student's own file. Lines that quote source text only give the column: no
/// text of a file is ever part of a message.
std::vector<Diagnostic> parse_log(const std::string& log, const MessageContext&);

/// A compiler's message about a name that CUDA or the C library has and this machine does not, in one line
/// that says what to do in its place. Empty for any other message. Example: `identifier "cudaIpcX" is
/// undefined` -> "cudaIpcX is not supported: ...".
std::string not_there(const std::string& message);

/// A compiler's message with the names that a program writes, where our headers or NVRTC have their own.
/// Example: "__dojo_file *" -> "FILE *".
std::string plain_names(std::string message);

}  // namespace dojo::compile_detail
