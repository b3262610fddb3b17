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
}  // namespace

std::vector<MdBlock> parse_markdown(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string l; std::getline(in, l);) {
    if (!l.empty() && l.back() == '\r') l.pop_back();
    lines.push_back(l);
  }
  std::vector<MdBlock> out;
  std::string para;  // text of the open paragraph or item
  bool open = false;
  auto close = [&] {
    if (open && !para.empty()) out.back().text = inline_spans(para);
    open = false;
    para.clear();
  };
  auto begin = [&](MdBlock b, const std::string& first) {
    close();
    out.push_back(std::move(b));
    para = first;
    open = true;
  };
  for (size_t i = 0; i < lines.size(); ++i) {
    const std::string& l = lines[i];
    size_t at = l.find_first_not_of(" \t");
    if (at == std::string::npos) {
      close();
      continue;
    }
    std::string marker;
    if (l.compare(at, 3, "```") == 0) {
      close();
      MdBlock b;
      b.kind = MdBlock::code;
      b.language = trim(l.substr(at + 3));
      for (++i; i < lines.size() && trim(lines[i]).rfind("```", 0) != 0; ++i)
        b.lines.push_back(lines[i].substr(std::min(at, lines[i].size())));
      out.push_back(b);
    } else if (l[at] == '#') {
      size_t level = std::min<size_t>(6, l.find_first_not_of('#', at) - at);
      MdBlock b;
      b.kind = MdBlock::heading;
      b.level = int(level);
      close();
      b.text = inline_spans(trim(l.substr(std::min(l.size(), at + level))));
      out.push_back(b);
    } else if (i + 1 < lines.size() && l.find('|') != std::string::npos && table_rule(lines[i + 1])) {
      close();
      MdBlock b;
      b.kind = MdBlock::table;
      for (auto& c : cells(lines[i + 1]))
        b.align.push_back(c.ends_with(":") ? (c.starts_with(":") ? 0 : 1) : -1);
      auto row = [&](const std::string& s) {
        std::vector<MdText> r;
        for (auto& c : cells(s)) r.push_back(inline_spans(c));
        r.resize(b.align.size());
        b.rows.push_back(r);
      };
      row(l);
      for (i += 2; i < lines.size() && lines[i].find('|') != std::string::npos; ++i) row(lines[i]);
      --i;
      out.push_back(b);
    } else if (trim(l).size() >= 3 && trim(l).find_first_not_of(trim(l)[0]) == std::string::npos &&
               (l[at] == '-' || l[at] == '*' || l[at] == '_')) {
      close();
      MdBlock b;
      b.kind = MdBlock::rule;
      out.push_back(b);
    } else if (l[at] == '>') {
      std::string rest = trim(l.substr(at + 1));
      if (open && out.back().kind == MdBlock::quote) {
        para += " " + rest;
      } else {
        MdBlock b;
        b.kind = MdBlock::quote;
        begin(b, rest);
      }
    } else if (size_t m = list_marker(l, at, marker)) {
      MdBlock b;
      b.kind = MdBlock::item;
      b.level = int(at / 2);
      b.marker = marker;
      begin(b, trim(l.substr(at + m)));
    } else if (open) {
      para += " " + trim(l);
    } else {
      begin(MdBlock{}, trim(l));
    }
  }
  close();
  return out;
}

}  // namespace dojo::gui
