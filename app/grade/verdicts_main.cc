// The grader as a doctest program: every check of every row is a test case, reported by doctest's own
// reporters.
//   warpdojo-verdicts ROWS.jsonl [doctest options: -r=junit -o=FILE ...]
// Rows come from `warpdojo grade`, which runs the submissions; nothing is run here.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

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
};
std::deque<dojo::grade::Row> rows;
std::deque<Case> cases;

// doctest knows a test case by a plain function: which check it stands for is found by its line, a number from 1.
void verdict() {
  const auto* now = doctest::getContextOptions()->currentTest;
  const Case& c = cases.at(size_t(now->m_line - 1));
  INFO(c.check->message);
  CHECK_MESSAGE(c.check->passed, c.check->points, " of ", c.check->max_points, " points");
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
                       r.lab + "/" + r.step + ".cu", &c});
  for (size_t i = 0; i < cases.size(); ++i) {
    const doctest::detail::TestSuite suite = doctest::detail::TestSuite() * cases[i].suite.c_str();
    doctest::detail::regTest(
        doctest::detail::TestCase(verdict, cases[i].file.c_str(), unsigned(i + 1), suite) *
        cases[i].name.c_str());
  }
  doctest::Context context(argc - 1, argv + 1);
  context.setOption("no-breaks", true);
  context.setOption("order-by", "file");
  return context.run();
}
