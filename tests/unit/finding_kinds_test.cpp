// The table of kinds of findings, and the documents that list them.
#include "core/findings/finding_kinds.hpp"

#include <doctest/doctest.h>

#include <set>
#include <sstream>
#include <string>

#include "core/files/whole_file.hpp"
#include "core/labs/lab.hpp"

using namespace dojo;

namespace {

/// "`a`, `b`": the words of those kinds, in the table's order.
std::string listed(std::initializer_list<FindingOrigin> origins) {
  std::string all;
  for (const FindingKindInfo& k : finding_kinds())
    for (const FindingOrigin o : origins)
      if (k.origin == o) all += (all.empty() ? "`" : ", `") + std::string(k.word) + "`";
  return all;
}

/// The words in the first column of the table whose head is `head`.
std::set<std::string> first_column(const std::string& page, const std::string& head) {
  std::set<std::string> words;
  const size_t at = page.find(head);
  if (at == page.npos) return words;
  std::istringstream lines(page.substr(at));
  std::string line;
  std::getline(lines, line), std::getline(lines, line);
  while (std::getline(lines, line) && line.starts_with("| `"))
    words.insert(line.substr(3, line.find('`', 3) - 3));
  return words;
}

}  // namespace

TEST_CASE("finding kinds: a word names one kind, and a word that is none names none") {
  std::set<std::string> words;
  for (const FindingKindInfo& k : finding_kinds()) {
    CAPTURE(k.word);
    CHECK(words.insert(k.word).second);
    CHECK(finding_kind(k.word) == k.kind);
    CHECK(&finding_info(k.kind) == &k);
  }
  CHECK(finding_kind("of_a_later_version") == FindingKind::none);
  CHECK(std::string(to_string(FindingKind::none)).empty());
}

TEST_CASE("docs/findings.md explains every kind that a check finds in a program, and each has a title") {
  const std::string page = read_or_empty(find_root() / "docs/findings.md");
  std::set<std::string> expected;
  for (const FindingKindInfo& k : finding_kinds())
    if (k.origin == FindingOrigin::program) {
      expected.insert(k.word);
      CHECK_MESSAGE(*k.title != 0, k.word);
    }
  const std::set<std::string> told = first_column(page, "| kind | what it says |");
  for (const std::string& word : expected) CHECK_MESSAGE(told.count(word), "without a row: " << word);
  for (const std::string& word : told) CHECK_MESSAGE(expected.count(word), "no such kind: " << word);
}

TEST_CASE("docs/cli.md lists the words of all kinds that a report may have") {
  using enum FindingOrigin;
  const std::string line = "`diagnostics[].kind` is one of " + listed({program, run, machine}) +
                           "; of notes and warnings also " + listed({remark}) +
                           "; of `exec` also `not_loaded` (an error, too), `not_simulated`.";
  const std::string page = read_or_empty(find_root() / "docs/cli.md");
  CHECK_MESSAGE(page.find("\n" + line + "\n") != std::string::npos, line);
  CHECK(listed({exec}) == "`not_loaded`, `not_simulated`");
}
