#include "gui/model/text/markdown.hpp"

#include <algorithm>
#include <cctype>
#include <sstream>

namespace dojo::gui {

namespace {
std::string trim(const std::string& s) {
  size_t a = s.find_first_not_of(" \t"), b = s.find_last_not_of(" \t");
  return a == std::string::npos ? "" : s.substr(a, b - a + 1);
}

MdText inline_spans(const std::string& s) {
  MdText out;
  std::string plain;
  auto flush = [&] {
    if (!plain.empty()) out.push_back({MdSpan::text, plain, ""});
    plain.clear();
  };
  auto starts = [&](size_t i, const char* w) {
    return s.compare(i, std::char_traits<char>::length(w), w) == 0;
  };
  for (size_t i = 0; i < s.size();) {
    if (s[i] == '\\' && i + 1 < s.size() && std::ispunct(static_cast<unsigned char>(s[i + 1]))) {
      plain += s[i + 1];
      i += 2;
      continue;
    }
    if (starts(i, "{{")) {
      size_t e = s.find("}}", i + 2);
      if (e != std::string::npos) {
        flush();
        out.push_back({MdSpan::live, trim(s.substr(i + 2, e - i - 2)), ""});
        i = e + 2;
        continue;
      }
    }
    if (s[i] == '`') {
      size_t e = s.find('`', i + 1);
      if (e != std::string::npos) {
        flush();
        std::string code = s.substr(i + 1, e - i - 1);
        // A live number may stand inside code marks.
        if (code.size() > 4 && code.starts_with("{{") && code.ends_with("}}"))
          out.push_back({MdSpan::live, trim(code.substr(2, code.size() - 4)), ""});
        else
          out.push_back({MdSpan::code, code, ""});
        i = e + 1;
        continue;
      }
    }
    if (starts(i, "**")) {
      size_t e = s.find("**", i + 2);
      if (e != std::string::npos && e > i + 2) {
        flush();
        for (auto inner : inline_spans(s.substr(i + 2, e - i - 2))) {
          if (inner.kind == MdSpan::text) inner.kind = MdSpan::bold;
          out.push_back(inner);
        }
        i = e + 2;
        continue;
      }
    }
    if ((s[i] == '*' || s[i] == '_') && i + 1 < s.size() && s[i + 1] != ' ' &&
        (i == 0 || !std::isalnum(static_cast<unsigned char>(s[i - 1])))) {
      size_t e = s.find(s[i], i + 1);
      bool closes = e != std::string::npos && e > i + 1 && s[e - 1] != ' ' &&
                    (e + 1 == s.size() || !std::isalnum(static_cast<unsigned char>(s[e + 1])));
      if (closes) {
        flush();
        out.push_back({MdSpan::italic, s.substr(i + 1, e - i - 1), ""});
        i = e + 1;
        continue;
      }
    }
    if (s[i] == '[') {
      size_t m = s.find("](", i), e = m == std::string::npos ? m : s.find(')', m);
      if (e != std::string::npos && s.find(']', i) == m) {
        flush();
        out.push_back({MdSpan::link, s.substr(i + 1, m - i - 1), s.substr(m + 2, e - m - 2)});
        i = e + 1;
        continue;
      }
    }
    plain += s[i++];
  }
  flush();
  return out;
}

std::vector<std::string> cells(std::string s) {
  s = trim(s);
  if (s.starts_with("|")) s.erase(0, 1);
  if (s.ends_with("|")) s.pop_back();
  std::vector<std::string> out(1);
  bool code = false;
  for (size_t i = 0; i < s.size(); ++i) {
    if (s[i] == '`') code = !code;
    if (s[i] == '\\' && i + 1 < s.size() && s[i + 1] == '|')
      out.back() += s[++i];
    else if (s[i] == '|' && !code)
      out.emplace_back();
    else
      out.back() += s[i];
  }
  for (auto& c : out) c = trim(c);
  return out;
}

bool table_rule(const std::string& s) {
  return s.find('-') != std::string::npos && s.find('|') != std::string::npos &&
         s.find_first_not_of(" \t|:-") == std::string::npos;
}

/// The length of a list marker at `at`, or 0; `marker` gets what is shown.
size_t list_marker(const std::string& s, size_t at, std::string& marker) {
  if (at + 1 < s.size() && (s[at] == '-' || s[at] == '*' || s[at] == '+') && s[at + 1] == ' ') {
    marker = "•";
    return 2;
  }
  size_t d = at;
  while (d < s.size() && std::isdigit(static_cast<unsigned char>(s[d]))) ++d;
  if (d > at && d - at <= 3 && d + 1 < s.size() && (s[d] == '.' || s[d] == ')') && s[d + 1] == ' ') {
    marker = s.substr(at, d - at) + ".";
    return d + 2 - at;
  }
  return 0;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string l; std::getline(in, l);) {
    if (!l.empty() && l.back() == '\r') l.pop_back();
    lines.push_back(l);
  }
  return lines;
}

/// Reads blocks line by line. A paragraph, a quote or an item stays open for the lines that continue it.
class BlockReader {
 public:
  explicit BlockReader(const std::string& text) : lines_(lines_of(text)) {}

  std::vector<MdBlock> read() {
    for (; at_ < lines_.size(); ++at_) read_line();
    close();
    return std::move(out_);
  }

 private:
  void read_line() {
    const std::string& l = lines_[at_];
    const size_t first = l.find_first_not_of(" \t");
    const std::string trimmed = trim(l);
    std::string marker;
    if (first == std::string::npos)
      close();
    else if (l.compare(first, 3, "```") == 0)
      read_code(first);
    else if (l[first] == '#')
      read_heading(first);
    else if (at_ + 1 < lines_.size() && l.find('|') != std::string::npos && table_rule(lines_[at_ + 1]))
      read_table();
    else if (trimmed.size() >= 3 && trimmed.find_first_not_of(trimmed[0]) == std::string::npos &&
             (l[first] == '-' || l[first] == '*' || l[first] == '_'))
      add({.kind = MdBlock::rule});
    else if (l[first] == '>')
      read_quote(trim(l.substr(first + 1)));
    else if (const size_t width = list_marker(l, first, marker))
      begin({.kind = MdBlock::item, .level = int(first / 2), .marker = marker},
            trim(l.substr(first + width)));
    else if (open_)
      paragraph_ += " " + trimmed;
    else
      begin({}, trimmed);
  }

  void read_code(size_t indent) {
    MdBlock b{.kind = MdBlock::code};
    b.language = trim(lines_[at_].substr(indent + 3));
    for (++at_; at_ < lines_.size() && trim(lines_[at_]).rfind("```", 0) != 0; ++at_)
      b.lines.push_back(lines_[at_].substr(std::min(indent, lines_[at_].size())));
    add(std::move(b));
  }

  void read_heading(size_t indent) {
    const std::string& l = lines_[at_];
    const size_t level = std::min<size_t>(6, l.find_first_not_of('#', indent) - indent);
    MdBlock b{.kind = MdBlock::heading, .level = int(level)};
    b.text = inline_spans(trim(l.substr(std::min(l.size(), indent + level))));
    add(std::move(b));
  }

  /// The line of titles, the rule below it, and rows: all lines that follow and have a '|'.
  void read_table() {
    MdBlock b{.kind = MdBlock::table};
    for (auto& c : cells(lines_[at_ + 1]))
      b.align.push_back(c.ends_with(":") ? (c.starts_with(":") ? 0 : 1) : -1);
    const auto add_row = [&](const std::string& line) {
      std::vector<MdText> row;
      for (auto& c : cells(line)) row.push_back(inline_spans(c));
      row.resize(b.align.size());
      b.rows.push_back(row);
    };
    add_row(lines_[at_]);
    for (at_ += 2; at_ < lines_.size() && lines_[at_].find('|') != std::string::npos; ++at_)
      add_row(lines_[at_]);
    --at_;
    add(std::move(b));
  }

  void read_quote(const std::string& text) {
    if (open_ && out_.back().kind == MdBlock::quote)
      paragraph_ += " " + text;
    else
      begin({.kind = MdBlock::quote}, text);
  }

  void add(MdBlock b) {
    close();
    out_.push_back(std::move(b));
  }
  void begin(MdBlock b, const std::string& text) {
    add(std::move(b));
    paragraph_ = text;
    open_ = true;
  }
  void close() {
    if (open_ && !paragraph_.empty()) out_.back().text = inline_spans(paragraph_);
    open_ = false;
    paragraph_.clear();
  }

  std::vector<std::string> lines_;
  size_t at_ = 0;
  std::vector<MdBlock> out_;
  std::string paragraph_;  ///< text of the open paragraph, quote or item
  bool open_ = false;
};

}  // namespace

std::vector<MdBlock> parse_markdown(const std::string& text) { return BlockReader(text).read(); }

}  // namespace dojo::gui
