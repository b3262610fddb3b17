#include "ptx/lines/text_places.hpp"

#include <array>
#include <charconv>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ptx/module.hpp"

namespace dojo::ptx {
namespace {

using Place = std::array<int, 3>;  ///< file, line, column

/// Three numbers behind `at`.
std::optional<Place> place_at(std::string_view text, size_t at) {
  Place p{};
  for (int& n : p) {
    at = text.find_first_not_of(" \t", at);
    if (at == text.npos) return {};
    const auto [end, bad] = std::from_chars(text.data() + at, text.data() + text.size(), n);
    if (bad != std::errc()) return {};
    at = size_t(end - text.data());
  }
  return p;
}

/// ".file 1 "/tmp/k.cu"", anywhere in the text.
std::map<int, std::string> file_table(std::string_view ptx) {
  std::map<int, std::string> files;
  constexpr std::string_view directive = ".file";
  for (size_t at = ptx.find(directive); at != ptx.npos; at = ptx.find(directive, at + 1)) {
    const size_t start = ptx.rfind('\n', at);
    if (ptx.find_first_not_of(" \t", start == ptx.npos ? 0 : start + 1) != at) continue;
    const std::string_view line = ptx.substr(at, ptx.find('\n', at) - at);
    const size_t number = line.find_first_of("0123456789"), open = line.find('"');
    const size_t close = line.rfind('"');
    int n = 0;
    if (number < open && open < close && close != line.npos &&
        std::from_chars(line.data() + number, line.data() + open, n).ec == std::errc())
      files[n] = std::string(line.substr(open + 1, close - open - 1));
  }
  return files;
}

/// A .loc directive: its own place, and the one it was inlined at.
struct Loc {
  Place own{};
  std::optional<Place> caller;
};

/// The .loc directives of the function that holds `line`, up to that line.
std::vector<Loc> locs_before(std::string_view ptx, int line) {
  std::vector<Loc> out;
  for (int n = 1; n <= line && !ptx.empty(); ++n) {
    const size_t end = std::min(ptx.find('\n'), ptx.size());
    const std::string_view text = ptx.substr(0, end);
    ptx.remove_prefix(std::min(end + 1, ptx.size()));
    if (text.starts_with('}')) out.clear();
    const size_t loc = text.find(".loc"), first = text.find_first_not_of(" \t");
    if (loc != first || loc == text.npos) continue;
    const std::optional<Place> own = place_at(text, loc + 4);
    if (!own) continue;
    constexpr std::string_view inlined = "inlined_at";
    const size_t at = text.find(inlined);
    out.push_back({*own, at == text.npos ? std::nullopt : place_at(text, at + inlined.size())});
  }
  return out;
}

}  // namespace

SourceLoc place_in_text(std::string_view ptx, int line, std::string_view student_file) {
  const std::map<int, std::string> files = file_table(ptx);
  const std::vector<Loc> locs = locs_before(ptx, line);
  if (locs.empty()) return {};
  std::optional<Place> place = locs.back().own;
  std::optional<Place> caller = locs.back().caller;
  for (size_t i = locs.size(); place;) {
    const auto file = files.find((*place)[0]);
    if (file != files.end() && same_file(file->second, student_file))
      return {file->second, (*place)[1], (*place)[2]};
    // The caller stands in an earlier .loc of its own, which says where that was inlined.
    place = caller;
    caller.reset();
    while (place && i > 0)
      if (const Loc& l = locs[--i]; l.own == *place) {
        caller = l.caller;
        break;
      }
  }
  return {};
}

}  // namespace dojo::ptx
