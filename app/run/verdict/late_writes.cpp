#include "run/verdict/late_writes.hpp"

#include <algorithm>

namespace dojo::run {

namespace {

bool same_line(const SourceLoc& a, const SourceLoc& b) { return a.file == b.file && a.line == b.line; }

bool is_side(const Diagnostic& race, const SourceLoc& where) {
  return same_line(race.where, where) ||
         std::any_of(race.related.begin(), race.related.end(),
                     [&](const Related& r) { return same_line(r.where, where); });
}

/// The array of "Thread 1 of block 0 reads s[1], which …": "s"; of "element 40 of tile" it is "tile".
std::string array_of(const std::string& message) {
  const std::string verb = " reads ", element = "element ";
  size_t at = message.find(verb);
  if (at == message.npos) return {};
  at += verb.size();
  if (message.compare(at, element.size(), element) == 0) {
    const size_t of = message.find(" of ", at);
    if (of != message.npos) at = of + 4;
  }
  return message.substr(at, message.find_first_of("[,", at) - at);
}

bool names(const std::string& message, const std::string& array) {
  for (size_t at = message.find(array); at != message.npos && !array.empty();
       at = message.find(array, at + 1))
    if (at && message[at - 1] == ' ' && message.find_first_of("[ ", at) == at + array.size()) return true;
  return false;
}

}  // namespace

void drop_late_writes(std::vector<Diagnostic>& all) {
  const auto late = [&](const Diagnostic& d) {
    return d.kind == "uninitialized" && d.accesses.shared &&
           std::any_of(all.begin(), all.end(), [&](const Diagnostic& race) {
             return race.kind == "race" && race.severity == Severity::error && race.accesses.shared &&
                    race.kernel == d.kernel && is_side(race, d.where) &&
                    names(race.message, array_of(d.message));
           });
  };
  // Not std::erase_if: it moves findings while `late` looks at all of them.
  std::vector<Diagnostic> kept;
  for (const Diagnostic& d : all)
    if (!late(d)) kept.push_back(d);
  all = std::move(kept);
}

}  // namespace dojo::run
