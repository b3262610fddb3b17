#pragma once
// Markdown of briefs as blocks and spans: headings, paragraphs, lists, quotes, fenced code, tables, rules,
// and
// {{live numbers}}. Layout and drawing are elsewhere.
#include <string>
#include <vector>

namespace dojo::gui {

struct MdSpan {
  enum Kind : unsigned char { text, bold, italic, code, live, link } kind = text;
  std::string s;       ///< the text; of a live number, the expression until a brief is rendered (brief.hpp)
  std::string target;  ///< of a link
};
using MdText = std::vector<MdSpan>;

struct MdBlock {
  enum Kind : unsigned char { paragraph, heading, item, quote, code, table, rule } kind = paragraph;
  int level = 0;       ///< heading 1..6; nesting of an item from 0
  std::string marker;  ///< of an item: "•" or "1."
  MdText text;
  std::vector<std::string> lines;  ///< of code
  std::string language;
  std::vector<std::vector<MdText>> rows;  ///< of a table; the first is its head
  std::vector<int> align;                 ///< of each column: -1 left, 0 centre, 1 right
};

std::vector<MdBlock> parse_markdown(const std::string&);

}  // namespace dojo::gui
