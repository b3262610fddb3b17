// The grader as a doctest program: every check of every row is a test case, reported by doctest's own
// reporters.
//   warpdojo-verdicts ROWS.jsonl [doctest options: -r=junit -o=FILE ...]
// Rows come from `warpdojo grade`, which runs the submissions; nothing is run here.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "grade/row.hpp"

namespace {

struct Case {
  std::string suite, name, file;
  const dojo::grade::Check* check;
  bool hidden;
};
std::deque<dojo::grade::Row> rows;
std::deque<Case> cases;

std::string in_short(double points) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", points);
  return text;
}

/// The line that a message begins with ("5-sequential.cu:16: ..."), else the first.
int line_in(const std::string& message) {
  const size_t colon = message.find(".cu:");
  return colon == std::string::npos ? 1 : std::max(1, std::atoi(message.c_str() + colon + 4));
}

// doctest knows a test case by a plain function: which check it stands for is found by its line, a number
// from 1.
void verdict() {
  const auto* now = doctest::getContextOptions()->currentTest;
  const Case& c = cases.at(size_t(now->m_line - 1));
  const std::string words = c.hidden ? std::string() : c.check->message;
  const std::string points = in_short(c.check->points) + " of " + in_short(c.check->max_points) + " points";
  INFO(points);
  // The assertion is the student's: its place, its name, and in the place of compared values what was found.
  doctest::detail::ResultBuilder result(doctest::assertType::DT_CHECK, c.file.c_str(), line_in(words),
                                        c.check->name.c_str());
  result.setResult(doctest::detail::Result(c.check->passed, words.c_str()));
  if (result.log()) return;  // a debugger's break: there is nothing to break into
  result.react();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "usage: warpdojo-verdicts ROWS.jsonl [doctest options]\n";
    return 2;
  }
  std::ifstream in(argv[1]);
  if (!in) {
    std::cerr << "warpdojo-verdicts: cannot read " << argv[1] << "\n";
    return 2;
  }
  try {
    for (std::string line; std::getline(in, line);)
      if (!line.empty()) rows.push_back(dojo::grade::row_from_json(line));
  } catch (const std::exception& e) {
    std::cerr << "warpdojo-verdicts: " << argv[1] << ": " << e.what() << "\n";
    return 2;
  }
  for (const auto& r : rows)
    for (const auto& c : r.checks)
      cases.push_back({r.student, r.student + "/" + r.lab + "/" + r.step + ": " + c.name,
                       r.lab + "/" + r.step + ".cu", &c, r.hidden});
  for (size_t i = 0; i < cases.size(); ++i) {
    const doctest::detail::TestSuite suite = doctest::detail::TestSuite() * cases[i].suite.c_str();
    doctest::detail::regTest(
        doctest::detail::TestCase(verdict, cases[i].file.c_str(), unsigned(i + 1), suite) *
        cases[i].name.c_str());
  }
  static char name[] = "warpdojo-grades";  // what a report calls the suite: not where the rows lie
  argv[1] = name;
  doctest::Context context(argc - 1, argv + 1);
  context.setOption("no-breaks", true);
  // Nothing was run here: a time would be that of reading the rows, and no two exports of a grading the same.
  context.setOption("no-time-in-output", true);
  context.setOption("no-version", true);
  context.setOption("order-by", "file");
  return context.run();
}
