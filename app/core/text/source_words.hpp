#pragma once
// Identifiers of a CUDA source text, comments and literals left out.
#include <string>
#include <string_view>

namespace dojo {

/// How often `word` occurs in the text as an identifier, or as a qualified name: "tiled_partition",
/// "cg::reduce", "cudaMemcpyAsync". Comments, strings, characters and #include lines don't count.
int count_word(std::string_view text, std::string_view word);

}  // namespace dojo
