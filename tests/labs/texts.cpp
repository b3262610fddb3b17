// The labs' texts: no answer is given away, sentences are short, words are the field's, briefs have one
// frame.
#include <doctest/doctest.h>
#include <algorithm>
#include <cmath>
#include <regex>
#include <set>
#include <sstream>

#include "../whole_suite.hpp"
#include "core/files/whole_file.hpp"
#include "core/gates/gate.hpp"
#include "core/gates/step_values.hpp"
#include "lab_runs.hpp"
#include "text_rules.hpp"

using namespace dojo;

namespace {

/// Labs whose texts are not yet held to these rules.
const std::set<std::string> excepted = {};

bool held(const Lab& lab) { return !excepted.contains(lab.name); }

std::string hints_of(const Step& s) {
  std::string all;
  for (const auto& h : s.hints) all += h + "\n";
  return all;
}

/// What a student has seen before answering, by name: this step's texts, the lab's, and the previous step's.
std::vector<std::pair<std::string, std::string>> shown_before(const Lab& lab, const Step& s) {
  const Catalog& c = test::catalog();
  std::vector<std::pair<std::string, std::string>> shown = {
      {"brief", s.brief},
      {"hints", hints_of(s)},
      {"title", s.title},
      {"student's file", read_or_empty(c.student_file(s))},
      {"lab's brief", lab.brief}};
  if (const Step* p = c.previous(s); p && p->lab == s.lab) {
    shown.emplace_back("previous brief", p->brief);
    shown.emplace_back("previous hints", hints_of(*p));
    shown.emplace_back("previous explanation", p->prediction.explain);
  }
  return shown;
}

void check_not_told(const Lab& lab, const Step& s, const std::string& answer) {
  for (const auto& [name, text] : shown_before(lab, s))
    CHECK_MESSAGE(!test::tells_answer(text, s.prediction.question, answer),
                  s.id() << ": its " << name << " gives the answer away: " << answer);
}

/// Comments of a file, a line's code left out.
std::string comments_of(const std::string& source) {
  std::istringstream in(source);
  std::string out, line;
  while (std::getline(in, line))
    if (const size_t at = line.find("//"); at != std::string::npos) {
      std::string comment = line.substr(at);
      comment.erase(0, comment.find_first_not_of("/ <"));
      // A comment behind code is a sentence of its own; full lines go on.
      out += at > line.find_first_not_of(' ') ? ".\n" + comment + ".\n" : comment + "\n";
    } else {
      out += ".\n";
    }
  return out;
}

void check_words(const std::string& where, const std::string& text) {
  for (const auto& s : test::long_sentences(text)) FAIL_CHECK(where << ": a long sentence: " << s);
  for (const auto& w : test::wrong_words(text)) FAIL_CHECK(where << ": the style guide replaces: " << w);
}

}  // namespace

TEST_CASE("texts: rules for sentences, words, frames and answers") {
  using namespace test;
  CHECK(long_sentences("One two three. Four.").empty());
  CHECK(long_sentences("a b c d e f g h i j k l m n o p q r s t u v w").size() == 1);
  CHECK(wrong_words("Two loads per thread. A load is a request.").empty());
  CHECK(wrong_words("Two loads a thread, on their way through the multiprocessor.").size() == 3);
  CHECK(prose("# Title\n```\nfloat x = 1;\n```\nUse `a b c`: {{n / 2}}.\n").find("a b c") ==
        std::string::npos);
  CHECK(wrong_frame("# 5. Title\n\nWhy.\n\n**To do:** go\non.\n", 5) == "");
  CHECK(wrong_frame("# Title\n\n**To do:** go.\n", 5) != "");
  CHECK(wrong_frame("# 5. Title\n\n**To do:** go.\n\nMore.\n", 5) != "");
  const std::string how = "How many wavefronts does one load take?";
  CHECK(tells_answer("It takes 95 of them.", how, "95"));
  CHECK(tells_answer("It takes 4,096.", how, "4096"));
  CHECK(!tells_answer("It takes 950; last run {{95}}.", how, "95"));
  CHECK(tells_answer("Each load takes 4 wavefronts.", how, "4"));
  CHECK(tells_answer("Each load takes four wavefronts.", how, "4"));
  CHECK(!tells_answer("A float4 has 4 floats.", how, "4"));
  CHECK(tells_answer("bound by global  memory", "What bounds it?", "Global memory"));
}

TEST_CASE("texts: no brief, hint, title or student file gives a fixed answer away") {
  for (const auto& lab : test::catalog().labs)
    for (const auto& s : lab.steps)
      if (held(lab) && !s.prediction.answer.empty()) check_not_told(lab, s, s.prediction.answer);
}

TEST_CASE("texts: no brief, hint, title or student file gives away the answer that a counter gives") {
  test::Part part("answers that a counter gives", 8);
  for (const auto& lab : test::catalog().labs)
    for (const auto& s : lab.steps) {
      if (!held(lab) || !test::wanted(s) || s.prediction.counter.empty()) continue;
      if (!part.takes(s.id())) continue;
      const Report report = test::run(s, run::Who::reference, {}, {}, false);
      const double value = expression_value(s.prediction.counter, s, report, report.runs.at(0));
      CHECK_MESSAGE(std::isfinite(value), s.id());
      std::ostringstream answer;
      answer.precision(12);
      answer << (std::fabs(value) >= 100 ? std::round(value) : std::round(value * 100) / 100);
      check_not_told(lab, s, answer.str());
    }
}

TEST_CASE("texts: sentences and words of briefs, hints, questions, gates and comments") {
  const Catalog& c = test::catalog();
  for (const auto& lab : c.labs) {
    if (!held(lab)) continue;
    check_words(lab.name + ": brief", test::prose(lab.brief));
    for (const auto& s : lab.steps) {
      check_words(s.id() + ": brief", test::prose(s.brief));
      for (const auto& h : s.hints) check_words(s.id() + ": hint", test::prose(h));
      check_words(s.id() + ": question", test::prose(s.prediction.question));
      check_words(s.id() + ": explanation", test::prose(s.prediction.explain));
      for (const auto& g : s.gates) check_words(s.id() + ": gate", test::prose(g.words));
      for (const auto& f : {c.student_file(s), c.reference_file(s)})
        check_words(f.string(), comments_of(read_or_empty(f)));
    }
  }
}

TEST_CASE("texts: sentences and words of mistakes, lazy and unconventional solutions") {
  static const std::regex head("^// (wrong|lazy|unconventional|expect|in grading): ");
  for (const char* corpus : {"wrong", "lazy", "unconventional"})
    for (const auto& e : fs::recursive_directory_iterator(find_root() / "tests" / corpus)) {
      if (e.path().extension() != ".cu") continue;
      std::istringstream in(read_or_empty(e.path()));
      std::string words, line;
      while (std::getline(in, line))
        if (!std::regex_search(line, head)) words += line + "\n";
      check_words(e.path().string(), test::prose(comments_of(words)));
    }
}

TEST_CASE("texts: every brief has the same frame") {
  for (const auto& lab : test::catalog().labs)
    for (const auto& s : lab.steps)
      if (held(lab)) CHECK_MESSAGE(test::wrong_frame(s.brief, s.number) == "", s.id());
}

TEST_CASE("texts: code lines have at most 100 columns") {
  const Catalog& c = test::catalog();
  for (const auto& lab : c.labs)
    for (const auto& s : lab.steps)
      for (const auto& f : {c.student_file(s), c.reference_file(s)}) {
        if (!held(lab)) continue;
        std::istringstream in(read_or_empty(f));
        std::string line;
        for (int number = 1; std::getline(in, line); ++number)
          CHECK_MESSAGE(line.size() <= 100, f.string() << ":" << number << ": " << line.size() << " columns");
      }
}
