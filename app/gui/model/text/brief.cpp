#include "gui/model/text/brief.hpp"

#include <algorithm>

#include "gui/model/verdict.hpp"

namespace dojo::gui {

namespace {
/// A brief names the unit of its own device; on another GPU a toy's units are microseconds, and the reverse.
void name_unit(MdSpan& after, const ReportDevice& device) {
  const std::string_view wrong = in_units(device) ? " µs" : " units";
  if (after.kind == MdSpan::text && after.s.starts_with(wrong))
    after.s.replace(0, wrong.size(), std::string(" ") + time_unit(device));
}

void fill(MdText& text, const Step* step, const Report* report) {
  for (size_t i = 0; i < text.size(); ++i) {
    MdSpan& span = text[i];
    if (span.kind != MdSpan::live) continue;
    if (report && i + 1 < text.size() && span.s.ends_with("_us")) name_unit(text[i + 1], report->device);
    span.s = step ? live_value(span.s, *step, report) : "—";
  }
}

std::string plain(const MdText& text) {
  std::string out;
  for (auto& span : text) out += span.kind == MdSpan::code ? "`" + span.s + "`" : span.s;
  return out;
}

size_t letters_of(const std::string& s) {
  return size_t(std::count_if(s.begin(), s.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

/// Breaks at blanks; the first line stands behind `first`, the others behind as many blanks.
std::string wrapped(const std::string& text, size_t columns, const std::string& first) {
  const std::string indent(letters_of(first), ' ');
  std::string out, line = first;
  bool empty = true;
  for (size_t at = 0; at < text.size();) {
    size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    if (!empty && letters_of(line) + 1 + letters_of(word) > columns) {
      out += line + "\n";
      line = indent;
      empty = true;
    }
    line += (empty ? "" : " ") + word;
    empty = false;
    at = end + 1;
  }
  return out + line + "\n";
}

std::string plain_table(const MdBlock& b) {
  std::vector<size_t> width(b.align.size(), 0);
  for (auto& row : b.rows)
    for (size_t c = 0; c < width.size(); ++c) width[c] = std::max(width[c], letters_of(plain(row[c])));
  std::string out;
  for (auto& row : b.rows) {
    std::string line;
    for (size_t c = 0; c < width.size(); ++c) {
      const std::string cell = plain(row[c]), gap(width[c] - letters_of(cell), ' ');
      line += (c ? "  " : "") + (b.align[c] > 0 ? gap + cell : cell + gap);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += "  " + line + "\n";
  }
  return out;
}
}  // namespace

std::vector<MdBlock> render_brief(const std::string& markdown, const Step* step, const Report* report) {
  auto blocks = parse_markdown(markdown);
  for (auto& b : blocks) {
    fill(b.text, step, report);
    for (auto& row : b.rows)
      for (auto& cell : row) fill(cell, step, report);
  }
  return blocks;
}

std::string plain_text(const std::vector<MdBlock>& blocks, size_t columns) {
  std::string out;
  for (size_t i = 0; i < blocks.size(); ++i) {
    auto& b = blocks[i];
    const bool list_goes_on = b.kind == MdBlock::item && i > 0 && blocks[i - 1].kind == MdBlock::item;
    if (i > 0 && !list_goes_on) out += "\n";
    switch (b.kind) {
      case MdBlock::code:
        for (auto& l : b.lines) out += "    " + l + "\n";
        break;
      case MdBlock::table:
        out += plain_table(b);
        break;
      case MdBlock::rule:
        out += std::string(std::min<size_t>(columns, 40), '-') + "\n";
        break;
      case MdBlock::item:
        out += wrapped(plain(b.text), columns, std::string(size_t(b.level) * 2, ' ') + b.marker + " ");
        break;
      case MdBlock::quote:
        out += wrapped(plain(b.text), columns, "  ");
        break;
      default:
        out += wrapped(plain(b.text), columns, "");
    }
  }
  return out;
}

std::string to_do(const std::vector<MdBlock>& blocks) {
  std::string first;
  for (auto& b : blocks) {
    if (b.kind != MdBlock::paragraph) continue;
    // The fold is one line of plain text: without the marks of code.
    std::string text;
    for (auto& span : b.text) text += span.s;
    if (text.starts_with("To do")) return text;
    if (first.empty()) first = text;
  }
  return first;
}

}  // namespace dojo::gui
