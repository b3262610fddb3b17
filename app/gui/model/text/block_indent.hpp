#pragma once
#include <string>
#include <vector>

namespace dojo::gui {

/// The indentation, in spaces, of the line with the '{' that is still open before `line`; -1: there is none.
/// Braces in comments and texts count as well.
int block_indent(const std::vector<std::string>& lines, int line);

}  // namespace dojo::gui
