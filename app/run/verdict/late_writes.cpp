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

}  // namespace

void drop_late_writes(std::vector<Diagnostic>& all) {
  const auto late = [&](const Diagnostic& d) {
    return d.kind == FindingKind::uninitialized && d.facts.shared &&
           std::any_of(all.begin(), all.end(), [&](const Diagnostic& race) {
             return race.kind == FindingKind::race && race.severity == Severity::error && race.facts.shared &&
                    race.kernel == d.kernel && is_side(race, d.where) && race.facts.array == d.facts.array;
           });
  };
  // Not std::erase_if: it moves findings while `late` looks at all of them.
  std::vector<Diagnostic> kept;
  for (const Diagnostic& d : all)
    if (!late(d)) kept.push_back(d);
  all = std::move(kept);
}

}  // namespace dojo::run
