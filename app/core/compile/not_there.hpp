#pragma once
#include <string>

namespace dojo::compile_detail {

/// A compiler's message about a name that CUDA or the C library has and this machine does not, in one line
/// that says what to do in its place. Empty for any other message. Example: `identifier "fopen" is undefined`
/// -> "fopen is not supported here: ...".
std::string not_there(const std::string& message);

}  // namespace dojo::compile_detail
