#pragma once
// A brief as it is read: Markdown whose live numbers stand as values. Window, terminal and deck all render
// through here, so that none of them shows a template such as {{global_loads / warps}}.
#include <string>
#include <vector>

#include "core/labs/lab.hpp"
#include "core/report.hpp"
#include "gui/model/text/markdown.hpp"

namespace dojo::gui {

/// Parses a text and puts the report's value, or an em dash without one, into every live number.
std::vector<MdBlock> render_brief(const std::string& markdown, const Step*, const Report*);

/// Blocks as lines for a terminal of `columns` characters; code and tables keep their own lines.
std::string plain_text(const std::vector<MdBlock>&, size_t columns);

/// What a brief asks for, in one line: its "To do" paragraph, else its first paragraph.
std::string to_do(const std::vector<MdBlock>&);

}  // namespace dojo::gui
