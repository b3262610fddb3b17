#include "gui/model/text/text_buffer.hpp"

#include <algorithm>
#include <cstdint>

#include "gui/model/text/block_indent.hpp"

namespace dojo::gui {

namespace {
bool continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }
bool word_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || (c & 0x80);
}
int previous(const std::string& s, int col) {
  if (col > 0) --col;
  while (col > 0 && continuation(s[size_t(col)])) --col;
  return col;
}
int next(const std::string& s, int col) {
  if (col < int(s.size())) ++col;
  while (col < int(s.size()) && continuation(s[size_t(col)])) ++col;
  return col;
}
std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> out(1);
  for (char c : text)
    if (c == '\n')
      out.emplace_back();
    else if (c != '\r')
      out.back() += c;
  return out;
}
}  // namespace

void TextBuffer::set(std::string_view text) {
  lines_ = split(text);
  caret_ = anchor_ = {};
  undo_.clear();
  undo_at_ = saved_at_ = 0;
  wish_ = -1;
  version_ = ++last_version_;
}

void TextBuffer::replace_all(std::string_view text) {
  Caret keep = caret_;
  apply({0, 0}, {line_count() - 1, int(lines_.back().size())}, text);
  move_to(keep);
}

std::string TextBuffer::text() const {
  std::string out;
  for (size_t i = 0; i < lines_.size(); ++i) {
    if (i) out += '\n';
    out += lines_[i];
  }
  return out;
}

Caret TextBuffer::clamp(Caret c) const {
  c.line = std::clamp(c.line, 0, line_count() - 1);
  auto& s = lines_[size_t(c.line)];
  c.column = std::clamp(c.column, 0, int(s.size()));
  while (c.column > 0 && c.column < int(s.size()) && continuation(s[size_t(c.column)])) --c.column;
  return c;
}

std::string TextBuffer::selected() const {
  Caret a = std::min(caret_, anchor_), b = std::max(caret_, anchor_);
  if (a.line == b.line) return lines_[size_t(a.line)].substr(size_t(a.column), size_t(b.column - a.column));
  std::string out = lines_[size_t(a.line)].substr(size_t(a.column));
  for (int l = a.line + 1; l < b.line; ++l) out += "\n" + lines_[size_t(l)];
  return out + "\n" + lines_[size_t(b.line)].substr(0, size_t(b.column));
}

void TextBuffer::move_to(Caret c, bool select) {
  caret_ = clamp(c);
  if (!select) anchor_ = caret_;
  wish_ = -1;
  if (undo_at_ > 0) undo_[undo_at_ - 1].typing = false;
}

void TextBuffer::select_all() {
  anchor_ = {0, 0};
  caret_ = {line_count() - 1, int(lines_.back().size())};
}

void TextBuffer::select_word(Caret c) {
  c = clamp(c);
  auto& s = lines_[size_t(c.line)];
  int a = c.column, b = c.column;
  while (a > 0 && word_char(s[size_t(a) - 1])) --a;
  while (b < int(s.size()) && word_char(s[size_t(b)])) ++b;
  if (a == b) b = next(s, b);
  anchor_ = {c.line, a};
  caret_ = {c.line, b};
}

Caret TextBuffer::word_left(Caret c) const {
  if (c.column == 0) return c.line == 0 ? c : Caret{c.line - 1, int(lines_[size_t(c.line) - 1].size())};
  auto& s = lines_[size_t(c.line)];
  int i = c.column;
  while (i > 0 && s[size_t(i) - 1] == ' ') --i;
  if (i > 0 && !word_char(s[size_t(i) - 1])) return {c.line, i - 1};
  while (i > 0 && word_char(s[size_t(i) - 1])) --i;
  return {c.line, i};
}

Caret TextBuffer::word_right(Caret c) const {
  auto& s = lines_[size_t(c.line)];
  int i = c.column, n = int(s.size());
  if (i == n) return c.line + 1 < line_count() ? Caret{c.line + 1, 0} : c;
  if (word_char(s[size_t(i)]))
    while (i < n && word_char(s[size_t(i)])) ++i;
  else
    ++i;
  while (i < n && s[size_t(i)] == ' ') ++i;
  return {c.line, i};
}

void TextBuffer::left(bool select, bool word) {
  if (!select && has_selection()) return move_to(std::min(caret_, anchor_));
  if (word) return move_to(word_left(caret_), select);
  if (caret_.column > 0)
    return move_to({caret_.line, previous(lines_[size_t(caret_.line)], caret_.column)}, select);
  if (caret_.line > 0) return move_to({caret_.line - 1, int(lines_[size_t(caret_.line) - 1].size())}, select);
  move_to(caret_, select);
}

void TextBuffer::right(bool select, bool word) {
  if (!select && has_selection()) return move_to(std::max(caret_, anchor_));
  if (word) return move_to(word_right(caret_), select);
  auto& s = lines_[size_t(caret_.line)];
  if (caret_.column < int(s.size())) return move_to({caret_.line, next(s, caret_.column)}, select);
  if (caret_.line + 1 < line_count()) return move_to({caret_.line + 1, 0}, select);
  move_to(caret_, select);
}

void TextBuffer::up(bool select, int n) {
  int wish = wish_ < 0 ? caret_.column : wish_;
  if (caret_.line == 0)
    move_to({0, 0}, select);
  else
    move_to({caret_.line - n, wish}, select);
  wish_ = wish;
}

void TextBuffer::down(bool select, int n) {
  int wish = wish_ < 0 ? caret_.column : wish_;
  if (caret_.line == line_count() - 1)
    move_to({caret_.line, 1 << 30}, select);
  else
    move_to({caret_.line + n, wish}, select);
  wish_ = wish;
}

void TextBuffer::home(bool select) {
  auto& s = lines_[size_t(caret_.line)];
  int first = int(std::min(s.find_first_not_of(" \t"), s.size()));
  move_to({caret_.line, caret_.column == first ? 0 : first}, select);
}

void TextBuffer::end(bool select) { move_to({caret_.line, int(lines_[size_t(caret_.line)].size())}, select); }

std::string TextBuffer::cut(Caret a, Caret b) {
  Caret c = caret_, n = anchor_;
  anchor_ = a, caret_ = b;
  std::string out = selected();
  caret_ = c, anchor_ = n;
  std::string tail = lines_[size_t(b.line)].substr(size_t(b.column));
  lines_[size_t(a.line)].resize(size_t(a.column));
  lines_[size_t(a.line)] += tail;
  lines_.erase(lines_.begin() + a.line + 1, lines_.begin() + b.line + 1);
  return out;
}

Caret TextBuffer::put(Caret at, std::string_view text) {
  auto parts = split(text);
  std::string tail = lines_[size_t(at.line)].substr(size_t(at.column));
  lines_[size_t(at.line)].resize(size_t(at.column));
  lines_[size_t(at.line)] += parts[0];
  Caret end = {at.line, int(lines_[size_t(at.line)].size())};
  if (parts.size() > 1) {
    end = {at.line + int(parts.size()) - 1, int(parts.back().size())};
    lines_.insert(lines_.begin() + at.line + 1, parts.begin() + 1, parts.end());
  }
  lines_[size_t(end.line)] += tail;
  return end;
}

void TextBuffer::apply(Caret from, Caret to, std::string_view text, bool typing) {
  if (from > to) std::swap(from, to);
  if (from == to && text.empty()) return;
  Edit e;
  e.at = from;
  e.before = caret_;
  e.before_anchor = anchor_;
  if (from != to) e.removed = cut(from, to);
  e.after = put(from, text);
  e.added.assign(text);
  e.added.erase(std::remove(e.added.begin(), e.added.end(), '\r'), e.added.end());
  e.typing = typing;
  caret_ = anchor_ = e.after;
  wish_ = -1;
  e.version_before = version_;
  e.version_after = version_ = ++last_version_;
  if (saved_at_ > undo_at_) saved_at_ = SIZE_MAX;  // the saved state can't be reached any more
  undo_.resize(undo_at_);
  if (typing && undo_at_ > 0 && saved_at_ != undo_at_) {
    auto& last = undo_.back();
    if (last.typing && last.after == e.at && e.removed.empty()) {
      last.added += e.added;
      last.after = e.after;
      last.version_after = e.version_after;
      return;
    }
  }
  undo_.push_back(std::move(e));
  undo_at_ = undo_.size();
}

void TextBuffer::type(std::string_view text) {
  if (text == "}" && !has_selection()) {
    const std::string& s = lines_[size_t(caret_.line)];
    const bool first = s.find_first_not_of(' ') >= size_t(caret_.column);
    const int indent = first ? block_indent(lines_, caret_.line) : -1;
    if (indent >= 0 && indent < caret_.column) return apply({caret_.line, indent}, caret_, text);
  }
  apply(anchor_, caret_, text, text.size() <= 4 && text != "\n");
}

size_t TextBuffer::bytes() const {
  size_t all = lines_.size() - 1;
  for (const std::string& line : lines_) all += line.size();
  return all;
}

void TextBuffer::newline() {
  Caret at = std::min(caret_, anchor_);
  auto& s = lines_[size_t(at.line)];
  size_t indent = std::min(s.find_first_not_of(' '), size_t(at.column));
  if (indent == std::string::npos) indent = size_t(at.column);
  std::string text = "\n" + std::string(indent, ' ');
  size_t last = at.column ? s.find_last_not_of(' ', size_t(at.column) - 1) : std::string::npos;
  if (last != std::string::npos && s[last] == '{') text += "  ";
  apply(anchor_, caret_, text);
}

void TextBuffer::backspace(bool word) {
  if (has_selection()) return apply(anchor_, caret_, "");
  Caret from = caret_;
  if (word) {
    from = word_left(caret_);
  } else if (caret_.column > 0) {
    auto& s = lines_[size_t(caret_.line)];
    // Inside the indentation a level goes at once.
    bool blank = s.find_first_not_of(' ') >= size_t(caret_.column);
    from.column = blank && caret_.column % 2 == 0 ? caret_.column - 2 : previous(s, caret_.column);
  } else if (caret_.line > 0) {
    from = {caret_.line - 1, int(lines_[size_t(caret_.line) - 1].size())};
  }
  apply(from, caret_, "");
}

void TextBuffer::del(bool word) {
  if (has_selection()) return apply(anchor_, caret_, "");
  Caret to = caret_;
  auto& s = lines_[size_t(caret_.line)];
  if (word)
    to = word_right(caret_);
  else if (caret_.column < int(s.size()))
    to.column = next(s, caret_.column);
  else if (caret_.line + 1 < line_count())
    to = {caret_.line + 1, 0};
  apply(caret_, to, "");
}

void TextBuffer::indent(bool out) {
  if (!has_selection() && !out) return type(std::string(size_t(2 - caret_.column % 2), ' '));
  Caret a = std::min(caret_, anchor_), b = std::max(caret_, anchor_);
  int last = b.column == 0 && b.line > a.line ? b.line - 1 : b.line;
  std::string text;
  for (int l = a.line; l <= last; ++l) {
    std::string s = lines_[size_t(l)];
    if (!out)
      s = s.empty() ? s : "  " + s;
    else
      s.erase(0, std::min<size_t>(2, std::min(s.find_first_not_of(' '), s.size())));
    text += (l > a.line ? "\n" : "") + s;
  }
  apply({a.line, 0}, {last, int(lines_[size_t(last)].size())}, text);
  anchor_ = {a.line, 0};
}

void TextBuffer::toggle_comment() {
  Caret a = std::min(caret_, anchor_), b = std::max(caret_, anchor_), keep = caret_;
  int last = b.column == 0 && b.line > a.line ? b.line - 1 : b.line;
  bool all = true;
  size_t column = 1000;
  for (int l = a.line; l <= last; ++l) {
    auto& s = lines_[size_t(l)];
    size_t first = s.find_first_not_of(' ');
    if (first == std::string::npos) continue;
    column = std::min(column, first);
    all = all && s.compare(first, 2, "//") == 0;
  }
  if (column == 1000) return;
  std::string text;
  for (int l = a.line; l <= last; ++l) {
    std::string s = lines_[size_t(l)];
    size_t first = s.find_first_not_of(' ');
    if (first != std::string::npos) {
      if (all)
        s.erase(first, s.compare(first, 3, "// ") == 0 ? 3 : 2);
      else
        s.insert(column, "// ");
    }
    text += (l > a.line ? "\n" : "") + s;
  }
  bool selection = has_selection();
  apply({a.line, 0}, {last, int(lines_[size_t(last)].size())}, text);
  if (selection)
    anchor_ = {a.line, 0};
  else
    move_to(keep);
}

void TextBuffer::undo() {
  if (undo_at_ == 0) return;
  auto& e = undo_[--undo_at_];
  e.typing = false;
  cut(e.at, e.after);
  put(e.at, e.removed);
  caret_ = e.before;
  anchor_ = e.before_anchor;
  wish_ = -1;
  version_ = e.version_before;
}

void TextBuffer::redo() {
  if (undo_at_ >= undo_.size()) return;
  auto& e = undo_[undo_at_++];
  Caret to = e.at;
  // The end of what must go again is found from the text itself.
  for (char c : e.removed) {
    if (c == '\n')
      ++to.line, to.column = 0;
    else
      ++to.column;
  }
  cut(e.at, to);
  caret_ = anchor_ = put(e.at, e.added);
  wish_ = -1;
  version_ = e.version_after;
}

bool TextBuffer::find_next(std::string_view needle, bool backwards) {
  const std::vector<Caret> all = places(needle);
  if (all.empty()) return false;
  const Caret from = backwards ? std::min(caret_, anchor_) : std::max(caret_, anchor_);
  auto it = std::lower_bound(all.begin(), all.end(), from);
  if (backwards)
    it = it == all.begin() ? all.end() - 1 : it - 1;
  else if (it == all.end())
    it = all.begin();
  anchor_ = *it;
  caret_ = {it->line, it->column + int(needle.size())};
  wish_ = -1;
  return true;
}

std::vector<Caret> TextBuffer::places(std::string_view needle) const {
  std::vector<Caret> out;
  if (needle.empty()) return out;
  for (int l = 0; l < line_count(); ++l)
    for (size_t at = 0; (at = find_text(lines_[size_t(l)], needle, at)) != std::string::npos;
         at += needle.size())
      out.push_back({l, int(at)});
  return out;
}

size_t find_text(std::string_view line, std::string_view needle, size_t from) {
  const auto capital = [](char c) { return c >= 'A' && c <= 'Z'; };
  if (std::any_of(needle.begin(), needle.end(), capital)) return line.find(needle, from);
  const auto same = [&](char a, char b) { return (capital(a) ? char(a - 'A' + 'a') : a) == b; };
  if (from > line.size()) return std::string_view::npos;
  const auto it = std::search(line.begin() + long(from), line.end(), needle.begin(), needle.end(), same);
  return it == line.end() && !needle.empty() ? std::string_view::npos : size_t(it - line.begin());
}

}  // namespace dojo::gui
