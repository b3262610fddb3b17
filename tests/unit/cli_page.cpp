// docs/cli.md and the help of each call against each other.
#include <doctest/doctest.h>

#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "core/files/whole_file.hpp"
#include "core/paths.hpp"
#include "shell.hpp"

using namespace dojo;

namespace {

/// The words of a help page that start with two dashes, where the page defines them.
std::set<std::string> options_of(const std::string& help, std::vector<std::string>* without_words) {
  std::set<std::string> all;
  std::istringstream lines(help);
  for (std::string line; std::getline(lines, line);) {
    const size_t text = line.find_first_not_of(' '), at = line.find("--");
    if (text == 0 || text == line.npos || line[text] != '-' || at == line.npos) continue;
    const std::string name = line.substr(at, line.find_first_not_of("abcdefghijklmnopqrstuvwxyz-", at) - at);
    all.insert(name);
    // Names and types end at column 30, or the words follow on the next line.
    std::string next = line.substr(std::min<size_t>(line.size(), 30));
    if (line.size() >= 30 && line[29] != ' ') std::getline(lines, next);
    if (next.find_first_not_of(' ') == next.npos) without_words->push_back(name);
  }
  for (const char* everywhere : {"--help", "--help-all", "--compiler"}) all.erase(everywhere);
  return all;
}

/// The row of a table whose first cell has the call.
std::string row_of(const std::string& page, const std::string& call) {
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);)
    for (const char* after : {" ", "`"}) {
      const size_t at = line.find("`warpdojo " + call + after);
      if (line.starts_with("| ") && at < line.find(" | ", 2)) return line;
    }
  return "";
}

}  // namespace

TEST_CASE("docs/cli.md has a row for each call, with all its options, and each option has help") {
  const std::string page = read_or_empty(source_root() / "docs/cli.md");
  TempFolder t;
  const auto help = [&](const std::string& call) {
    return test::shell(t, source_root().string(), "\"$W\" " + call + " --help").out;
  };
  const std::string all = help("");
  std::istringstream lines(all.substr(all.find("Subcommands:")));
  int calls = 0;
  std::string line;
  for (std::getline(lines, line); std::getline(lines, line);) {
    if (line.size() < 3 || line[2] == ' ') continue;
    const std::string call = line.substr(2, line.find(' ', 2) - 2);
    const std::string row = row_of(page, call);
    CHECK_MESSAGE(!row.empty(), "docs/cli.md has no row of `warpdojo " << call << "`");
    std::vector<std::string> without_words;
    for (const std::string& o : options_of(help(call), &without_words))
      CHECK_MESSAGE(row.find(o) != row.npos, "docs/cli.md, row of `warpdojo " << call << "`: " << o);
    for (const std::string& o : without_words)
      CHECK_MESSAGE(o.empty(), "`warpdojo " << call << " --help` says nothing of " << o);
    ++calls;
  }
  CHECK(calls >= 25);
}
