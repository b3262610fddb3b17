#include "cli/terminal.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "core/text/numbers.hpp"
#include "run/verdict/shown.hpp"

namespace dojo::cli {
bool coloured() {
  static const bool on = isatty(1) && !std::getenv("NO_COLOR") &&
                         std::string(std::getenv("TERM") ? std::getenv("TERM") : "") != "dumb";
  return on;
}

std::string paint(Ink ink, const std::string& text) {
  const char* code = nullptr;
  switch (ink) {
    case Ink::plain:
      return text;
    case Ink::good:
      code = "32";
      break;
    case Ink::bad:
      code = "31";
      break;
    case Ink::warn:
      code = "33";
      break;
    case Ink::dim:
      code = "2";
      break;
    case Ink::bold:
      code = "1";
      break;
    case Ink::accent:
      code = "36";
      break;
  }
  return coloured() && !text.empty() ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : text;
}

size_t width(const std::string& s) {
  size_t n = 0;
  for (size_t i = 0; i < s.size(); ++i) {
    if (s[i] == '\x1b') {
      while (i < s.size() && s[i] != 'm') ++i;
    } else if ((s[i] & 0xC0) != 0x80) {
      ++n;
    }
  }
  return n;
}

std::string pad(const std::string& s, size_t columns, bool right) {
  const size_t w = width(s);
  const std::string room(columns > w ? columns - w : 0, ' ');
  return right ? room + s : s + room;
}

size_t terminal_columns() {
  const char* given = std::getenv("COLUMNS");
  if (const long n = given ? std::atol(given) : 0; n > 0) return size_t(n);
  winsize size{};
  return ioctl(1, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 0;
}

std::string wrap(const std::string& text, size_t columns, const std::string& indent) {
  if (const size_t all = terminal_columns())
    columns = std::min(columns, std::max<size_t>(20, all - std::min(all, width(indent))));
  std::string out, line;
  auto flush = [&] {
    if (!line.empty()) out += indent + line + "\n";
    line.clear();
  };
  size_t at = 0;
  while (at < text.size()) {
    const size_t end = std::min(text.find_first_of(" \n", at), text.size());
    const std::string word = text.substr(at, end - at);
    if (!line.empty() && width(line) + 1 + width(word) > columns) flush();
    if (!word.empty()) line += (line.empty() ? "" : " ") + word;
    if (end < text.size() && text[end] == '\n') flush();
    at = end + 1;
  }
  flush();
  return out;
}

bool output_written() { return std::fflush(stdout) == 0 && !std::ferror(stdout); }

bool fits(size_t columns) { return !terminal_columns() || columns <= terminal_columns(); }

std::string hang(const std::string& head, const std::string& text) {
  constexpr size_t least = 20;  // columns that a text needs to be read
  const size_t from = width(head);
  if (fits(from + width(text))) return head + text + "\n";
  const bool beside = terminal_columns() >= from + least;
  const std::string lines = wrap(text, terminal_columns(), std::string(beside ? from : 4, ' '));
  return beside ? head + lines.substr(from) : head + "\n" + lines;
}

namespace {

using Cells = std::vector<std::vector<std::string>>;

std::vector<size_t> widths(const Cells& rows) {
  std::vector<size_t> columns;
  for (const auto& r : rows)
    for (size_t i = 0; i < r.size(); ++i) {
      if (i >= columns.size()) columns.push_back(0);
      columns[i] = std::max(columns[i], width(r[i]));
    }
  return columns;
}

/// The first column and those from `from` up to `to`.
std::string part(const Cells& rows, const std::vector<size_t>& columns, size_t from, size_t to,
                 const std::string& indent, bool right) {
  std::string out;
  for (const auto& r : rows) {
    std::string line = indent + (r.empty() ? "" : pad(r[0], columns[0]));
    for (size_t i = from; i < std::min(to, r.size()); ++i) line += "  " + pad(r[i], columns[i], right);
    while (!line.empty() && line.back() == ' ') line.pop_back();
    out += line + "\n";
  }
  return out;
}

}  // namespace

std::string table(const Cells& rows, const std::string& indent, bool right) {
  const std::vector<size_t> columns = widths(rows);
  const size_t all = columns.size();
  std::vector<size_t> ends{width(indent) + (all ? columns[0] : 0)};  // of each column's last character
  for (size_t i = 1; i < all; ++i) ends.push_back(ends.back() + 2 + columns[i]);
  if (all < 2 || fits(ends.back())) return part(rows, columns, 1, all, indent, right);
  std::string out;
  if (!right) {
    for (const auto& r : rows) {
      std::string head = indent;
      for (size_t i = 0; i + 1 < r.size(); ++i) head += pad(r[i], columns[i]) + "  ";
      out += hang(head, r.empty() ? "" : r.back());
    }
    return out;
  }
  for (size_t from = 1, to; from < all; from = to) {
    for (to = from + 1; to < all && fits(ends[0] + ends[to] - ends[from - 1]);) ++to;
    out += (from > 1 ? "\n" : "") + part(rows, columns, from, to, indent, right);
  }
  return out;
}

std::string time_text(double us) {
  if (!(us > 0)) return "-";
  if (us < 1) return fmt::format("{:.0f} ns", us * 1e3);
  if (us < 100) return fmt::format("{:.2f} us", us);
  if (us < 1000) return fmt::format("{:.1f} us", us);
  if (us < 1e6) return fmt::format("{:.2f} ms", us * 1e-3);
  return fmt::format("{:.2f} s", us * 1e-6);
}

std::string time_on(const ReportDevice& d, double us) {
  return in_units(d) && us > 0 ? units_text(us) : time_text(us);
}

std::string rate_text(double gbps) {
  if (!(gbps > 0)) return "-";
  if (gbps < 10) return fmt::format("{:.2f} GB/s", gbps);
  return fmt::format("{:.0f} GB/s", gbps);
}

std::string flops_text(double gflops) {
  if (!(gflops > 0)) return "-";
  if (gflops < 10) return fmt::format("{:.2f} GFLOP/s", gflops);
  if (gflops < 1000) return fmt::format("{:.0f} GFLOP/s", gflops);
  return fmt::format("{:.1f} TFLOP/s", gflops * 1e-3);
}

std::string count_text(double v) { return std::isnan(v) ? "?" : number(v); }

}  // namespace dojo::cli
