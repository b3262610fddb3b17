#include "run/verdict/late_writes.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace dojo;

namespace {

Diagnostic found(const std::string& kind, int line, int other = 0) {
  Diagnostic d;
  d.kind = kind;
  d.kernel = "sum";
  d.where.line = line;
  d.accesses.shared = true;
  d.message = kind == "race" ? "Race: thread 1 writes s[0] while thread 0 reads it."
                             : "Thread 0 of block 0 reads s[0], which no thread of the block has written.";
  if (other) d.related.push_back({SourceLoc{"", other, 0}, "the other side", {}, {}});
  return d;
}

std::string kinds(std::vector<Diagnostic> all) {
  run::drop_late_writes(all);
  std::string text;
  for (const Diagnostic& d : all) text += d.kind + std::to_string(d.where.line) + " ";
  return text;
}

}  // namespace

TEST_CASE("a missing barrier is told as a race, not as unwritten memory") {
  CHECK(kinds({found("uninitialized", 5), found("race", 5, 4)}) == "race5 ");
  CHECK(kinds({found("uninitialized", 5), found("race", 4, 5)}) == "race4 ");
  CHECK(kinds({found("uninitialized", 6), found("race", 5, 4)}) == "uninitialized6 race5 ");
  Diagnostic global = found("race", 5, 4);
  global.accesses.shared = false;
  CHECK(kinds({found("uninitialized", 5), global}) == "uninitialized5 race5 ");
  Diagnostic harmless = found("race", 5, 4);
  harmless.severity = Severity::warning;
  CHECK(kinds({found("uninitialized", 5), harmless}) == "uninitialized5 race5 ");
  Diagnostic of_another_array = found("race", 5, 4);
  of_another_array.message = "Race: thread 1 writes sums[0] while thread 0 reads it.";
  CHECK(kinds({found("uninitialized", 5), of_another_array}) == "uninitialized5 race5 ");
  Diagnostic without_extents = found("uninitialized", 5), race = found("race", 5, 4);
  without_extents.message =
      "Thread 0 of block 0 reads element 40 of tile, which no thread of the block has written.";
  race.message = "Race: thread 1 writes element 40 of tile while thread 0 reads it.";
  CHECK(kinds({without_extents, race}) == "race5 ");
  Diagnostic elsewhere = found("race", 5, 4);
  elsewhere.kernel = "scan";
  CHECK(kinds({found("uninitialized", 5), elsewhere}) == "uninitialized5 race5 ");
}
