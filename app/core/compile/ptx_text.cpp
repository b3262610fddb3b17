#include "core/compile/ptx_text.hpp"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace dojo::compile_detail {

bool ptx_word_char(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '.';
}

namespace {

std::string first_word(std::string_view s) {
  size_t b = 0;
  while (b < s.size() && !ptx_word_char(s[b])) ++b;
  size_t e = b;
  while (e < s.size() && ptx_word_char(s[e])) ++e;
  return std::string(s.substr(b, e - b));
}

/// `.visible .func (.param .b32 r) NAME(`, `.entry NAME(`, `.global .align 4 .b8 NAME[16] = ...`.
std::string name_of(std::string_view s, bool function) {
  if (function) {
    size_t at = s.find(".entry");
    at = at == s.npos ? s.find(".func") + 5 : at + 6;
    const size_t open = s.find_first_not_of(" \t\n", at);
    if (open != s.npos && s[open] == '(') at = s.find(')', open) + 1;
    return first_word(s.substr(at));
  }
  const size_t end = std::min({s.find('['), s.find('='), s.find(';'), s.size()});
  size_t e = end;
  while (e > 0 && !ptx_word_char(s[e - 1])) --e;
  size_t b = e;
  while (b > 0 && ptx_word_char(s[b - 1])) --b;
  return std::string(s.substr(b, e - b));
}

/// `.file 1 "FOLDER" "NAME"` or `.file 1 "NAME"`; a folder "." stands for none.
std::string file_name(std::string_view l) {
  std::vector<std::string> quoted;
  for (size_t open = l.find('"'); open != l.npos;) {
    const size_t close = l.find('"', open + 1);
    if (close == l.npos) break;
    quoted.emplace_back(l.substr(open + 1, close - open - 1));
    open = l.find('"', close + 1);
  }
  if (quoted.empty()) return {};
  if (quoted.size() == 1 || quoted[0] == "." || quoted[1].starts_with("/")) return quoted.back();
  return quoted[0] + "/" + quoted[1];
}

/// The place behind the brace that closes the one at `open`. (Calls have braces of their own, at the start of
/// a line too.)
size_t behind_closing_brace(const std::string& ptx, size_t open) {
  int depth = 0;
  for (size_t at = open; at < ptx.size(); ++at) {
    depth += ptx[at] == '{';
    depth -= ptx[at] == '}';
    if (depth == 0) return at + 1;
  }
  return ptx.size();
}

}  // namespace

PtxText read_ptx_text(const std::string& ptx) {
  PtxText t;
  for (size_t at = 0; at < ptx.size();) {
    const size_t end = std::min(ptx.find('\n', at), ptx.size());
    const std::string_view line = std::string_view(ptx).substr(at, end - at);
    const size_t start = line.find_first_not_of(" \t");
    const std::string_view l = start == line.npos ? std::string_view() : line.substr(start);
    size_t next = end + 1;
    if (l.starts_with(".version") || l.starts_with(".target") || l.starts_with(".address_size")) {
      t.head += std::string(l) + "\n";
    } else if (l.starts_with(".file")) {
      t.files[std::atoi(std::string(l.substr(5)).c_str())] = file_name(l);
    } else if (l.starts_with(".section")) {
      const size_t open = ptx.find('{', at), close = open == ptx.npos ? open : ptx.find('}', open);
      next = close == ptx.npos ? ptx.size() : close + 1;
    } else if (l.starts_with(".")) {
      PtxItem i;
      const size_t semicolon = ptx.find(';', at), brace = ptx.find("\n{", at);
      const bool function = l.find(".func") != l.npos || l.find(".entry") != l.npos;
      size_t stop;
      if (function && brace < semicolon) {
        stop = behind_closing_brace(ptx, brace + 1);
      } else {
        i.kind = function ? PtxItem::declaration : PtxItem::variable;
        stop = semicolon == ptx.npos ? ptx.size() : semicolon + 1;
      }
      i.text = ptx.substr(at, stop - at);
      i.name = name_of(i.text, function);
      t.items.push_back(std::move(i));
      next = stop + 1;
    }
    at = next;
  }
  return t;
}

std::string renumber_lines(const std::string& text, const std::map<int, int>& files) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = std::string_view(text).substr(at, end - at);
    const size_t start = line.find_first_not_of(" \t");
    if (start != line.npos && line.substr(start).starts_with(".loc\t")) {
      int file = 0, row = 0, column = 0;
      std::sscanf(std::string(line.substr(start)).c_str(), ".loc %d %d %d", &file, &row, &column);
      // Line 0: code that the compiler moved or joined. It stays with what stands before it.
      if (const auto known = files.find(file); known != files.end() && row > 0)
        out += "\t.loc\t" + std::to_string(known->second) + " " + std::to_string(row) + " " +
               std::to_string(column) + "\n";
    } else {
      out += line;
      out += '\n';
    }
    at = end + 1;
  }
  return out;
}

}  // namespace dojo::compile_detail
