#include "run/verdict/late_writes.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace dojo;

namespace {

Diagnostic found(FindingKind kind, int line, int other = 0) {
  Diagnostic d;
  d.kind = kind;
  d.kernel = "sum";
  d.where.line = line;
  d.facts.shared = true;
  d.facts.array = "s";
  if (other) d.related.push_back({SourceLoc{"", other, 0}, "the other side", {}, {}});
  return d;
}

std::string kinds(std::vector<Diagnostic> all) {
  run::drop_late_writes(all);
  std::string text;
  for (const Diagnostic& d : all) text += to_string(d.kind) + std::to_string(d.where.line) + " ";
  return text;
}

}  // namespace

TEST_CASE("a missing barrier is told as a race, not as unwritten memory") {
  CHECK(kinds({found(FindingKind::uninitialized, 5), found(FindingKind::race, 5, 4)}) == "race5 ");
  CHECK(kinds({found(FindingKind::uninitialized, 5), found(FindingKind::race, 4, 5)}) == "race4 ");
  CHECK(kinds({found(FindingKind::uninitialized, 6), found(FindingKind::race, 5, 4)}) ==
        "uninitialized6 race5 ");
  Diagnostic global = found(FindingKind::race, 5, 4);
  global.facts.shared = false;
  CHECK(kinds({found(FindingKind::uninitialized, 5), global}) == "uninitialized5 race5 ");
  Diagnostic harmless = found(FindingKind::race, 5, 4);
  harmless.severity = Severity::warning;
  CHECK(kinds({found(FindingKind::uninitialized, 5), harmless}) == "uninitialized5 race5 ");
  Diagnostic of_another_array = found(FindingKind::race, 5, 4);
  of_another_array.facts.array = "sums";
  CHECK(kinds({found(FindingKind::uninitialized, 5), of_another_array}) == "uninitialized5 race5 ");
  Diagnostic elsewhere = found(FindingKind::race, 5, 4);
  elsewhere.kernel = "scan";
  CHECK(kinds({found(FindingKind::uninitialized, 5), elsewhere}) == "uninitialized5 race5 ");
}
