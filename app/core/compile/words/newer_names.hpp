#pragma once
// Names of CUDA that exist from one architecture on. For an older one the compiler says only that it does not
// know them.
#include <string>

namespace dojo::compile_detail {

/// What a compiler's message about such a name needs behind it, "It needs compute_80; this file is compiled
/// for compute_75."; empty: the message is about something else, or `arch` ("compute_75") has the name.
std::string needs_newer(const std::string& message, const std::string& arch);

}  // namespace dojo::compile_detail
