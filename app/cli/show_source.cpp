// What belongs to a line of the source, as text: findings and messages with an excerpt of their line and a
// caret, and counters per line with the source beside them.
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>

#include "cli/cli.hpp"
#include "cli/show.hpp"
#include "cli/terminal.hpp"
#include "core/counters.hpp"

namespace dojo::cli {
namespace {

using Rows = std::vector<std::vector<std::string>>;

std::string source_line(const std::string& file, int line, const std::string& root) {
  for (const std::string& path : {file, root + "/" + file}) {
    std::ifstream in(path);
    if (!in) continue;
    std::string text;
    for (int k = 0; k < line && std::getline(in, text); ++k) {
    }
    if (in || !text.empty()) return text;
  }
  return "";
}

/// Numbers follow tabs as the compiler counts columns: one each.
std::string excerpt(const SourceLoc& at, const std::string& root) {
  if (at.file.empty() || at.line <= 0) return "";
  std::string text = source_line(at.file, at.line, root);
  if (text.empty()) return "";
  std::replace(text.begin(), text.end(), '\t', ' ');
  const std::string number = fmt::format("{:>5} | ", at.line);
  std::string out = paint(Ink::dim, number) + text + "\n";
  size_t column = at.column > 0 ? size_t(at.column) - 1 : text.find_first_not_of(' ');
  if (column != std::string::npos && column <= text.size())
    out += paint(Ink::dim, "      | ") + std::string(column, ' ') + paint(Ink::accent, "^") + "\n";
  return out;
}

std::string location(const SourceLoc& at) {
  if (at.file.empty()) return "";
  std::string s = at.file;
  if (at.line > 0) s += ":" + std::to_string(at.line);
  if (at.line > 0 && at.column > 0) s += ":" + std::to_string(at.column);
  return s;
}

}  // namespace

std::string thread_words(const std::optional<Dim3>& block, const std::optional<Dim3>& thread) {
  auto triple = [](const Dim3& d) { return fmt::format("({},{},{})", d.x, d.y, d.z); };
  std::string s;
  if (block) s += "block " + triple(*block);
  if (thread) s += (s.empty() ? "" : ", ") + ("thread " + triple(*thread));
  return s;
}

std::string show_diagnostic(const Diagnostic& d, const std::string& root) {
  const Ink ink = d.severity == Severity::error     ? Ink::bad
                  : d.severity == Severity::warning ? Ink::warn
                                                    : Ink::dim;
  std::string out;
  if (d.kind == FindingKind::mistake)
    return paint(Ink::accent, "What may have gone wrong: ") + d.message + "\n";
  if (const auto at = location(d.where); !at.empty()) out += paint(Ink::bold, at + ": ");
  out += paint(ink, d.kind == FindingKind::none || d.kind == FindingKind::compile ? to_string(d.severity)
                    : d.severity == Severity::error
                        ? to_string(d.kind)
                        : fmt::format("{} ({})", to_string(d.severity), to_string(d.kind)));
  out += ": " + d.message;
  std::string who = d.kernel.empty() ? "" : "kernel " + d.kernel;
  if (const auto p = thread_words(d.block, d.thread); !p.empty()) who += (who.empty() ? "" : ", ") + p;
  if (!who.empty()) out += paint(Ink::dim, " [" + who + "]");
  out += "\n" + excerpt(d.where, root);
  for (const auto& r : d.related) {
    const auto p = thread_words(r.block, r.thread);
    out += "  " + location(r.where) + (r.where.file.empty() ? "" : ": ") + r.message +
           (p.empty() ? "" : paint(Ink::dim, " [" + p + "]")) + "\n";
    out += excerpt(r.where, root);
  }
  return out;
}

std::string show_lines(const RunReport& run, const std::string& root) {
  static const std::pair<const char*, const char*> columns[] = {{"instr", "instructions"},
                                                                {"lanes", "lanes_on_per_instruction"},
                                                                {"sectors", "global_load_sectors"},
                                                                {"shared wf", "shared_load_wavefronts"},
                                                                {"ld confl", "shared_load_conflicts"},
                                                                {"st confl", "shared_store_conflicts"}};
  std::map<std::pair<std::string, int>, Counters> lines;
  for (const auto& l : run.launches)
    for (const auto& s : l.lines)
      for (const auto& [k, v] : s.counters) lines[{s.file, s.line}][k] += v;
  if (lines.empty()) return "";
  Rows rows;
  std::vector<std::string> head{"line"};
  for (const auto& c : columns) head.push_back(c.first);
  head.push_back("");
  rows.push_back(head);
  for (const auto& [at, counters] : lines) {
    std::vector<std::string> cells{std::to_string(at.second)};
    for (const auto& c : columns) {
      auto it = counters.find(std::string(find_counter(c.second)->name));
      cells.push_back(it == counters.end() || it->second == 0 ? "" : count_text(it->second));
    }
    rows.push_back(std::move(cells));
    rows.back().push_back("");
  }
  std::string out = table(rows, "  ");
  // The source goes behind the numbers, line by line.
  std::string result;
  size_t k = 0, from = 0;
  auto it = lines.begin();
  while (from < out.size()) {
    const size_t end = out.find('\n', from);
    std::string text = out.substr(from, end - from);
    if (k++ > 0 && it != lines.end()) {
      const std::string source = source_line(it->first.first, it->first.second, root);
      text = pad(text, 74) + paint(Ink::dim, source);
      ++it;
    }
    result += text + "\n";
    from = end + 1;
  }
  return result;
}

}  // namespace dojo::cli
