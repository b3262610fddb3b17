#pragma once
// The lines of a text.
#include <string_view>
#include <vector>

namespace dojo {

/// Without their line ends; behind the last line end no further line begins.
std::vector<std::string_view> lines_of(std::string_view text);

}  // namespace dojo
