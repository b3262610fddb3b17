// The data of every lab: complete, readable, and of the right length.
#include <doctest/doctest.h>
#include <algorithm>
#include <set>

#include "core/gates/gate.hpp"
#include "gui/model/plots/plots.hpp"
#include "lab_runs.hpp"
#include "run/problem_plugin.hpp"
#include "run/reference_cache.hpp"

using namespace dojo;

namespace {
/// Lines as a screen of 100 columns shows them.
int screen_lines(const std::string& text) {
  int lines = 0;
  size_t from = 0;
  while (from < text.size()) {
    const size_t end = std::min(text.find('\n', from), text.size());
    lines += 1 + int(end - from) / 101;
    from = end + 1;
  }
  return lines;
}

bool has_word(const std::string& text, const std::string& word) {
  return text.find(word) != std::string::npos;
}
}  // namespace

TEST_CASE("every lab.toml loads") {
  const Catalog& c = test::catalog();
  for (const auto& d : c.problems) FAIL_CHECK(d.where.file << ":" << d.where.line << ": " << d.message);
  CHECK(c.labs.size() >= 2);
  for (size_t i = 1; i < c.labs.size(); ++i)
    CHECK_MESSAGE(c.labs[i - 1].order < c.labs[i].order, c.labs[i].name);
}

TEST_CASE("every lab has a brief and a problem") {
  for (const auto& lab : test::catalog().labs) {
    CAPTURE(lab.name);
    CHECK(!lab.title.empty());
    CHECK(screen_lines(lab.brief) >= 3);
    CHECK(screen_lines(lab.brief) <= 60);
    CHECK_NOTHROW(run::problem_of(lab));  // linked in, or compiled and loaded
    // Numbers grow.
    for (size_t i = 1; i < lab.steps.size(); ++i) CHECK(lab.steps[i - 1].number <= lab.steps[i].number);
  }
}

TEST_CASE("every source and text in a lab's folders belongs to a step") {
  for (const auto& lab : test::catalog().labs) {
    std::set<std::string> known{"brief.md"};
    for (const auto& s : lab.steps) {
      known.insert(s.file);
      known.insert(fs::path(s.file).replace_extension(".md").string());
    }
    for (const fs::path& folder : {lab.folder, lab.reference})
      for (const auto& entry : fs::directory_iterator(folder)) {
        const fs::path name = entry.path().filename();
        if (name.extension() != ".cu" && name.extension() != ".md") continue;
        CHECK_MESSAGE(known.contains(name.string()), entry.path().string() << " is of no step of lab.toml");
      }
  }
}

TEST_CASE("every step has a brief, hints, a prediction, a gate, a picture and its files") {
  const Catalog& c = test::catalog();
  for (const auto& lab : c.labs)
    for (const auto& s : lab.steps) {
      CAPTURE(s.id());
      CHECK(screen_lines(s.brief) >= 3);
      CHECK_MESSAGE(screen_lines(s.brief) <= 45,
                    "the brief is longer than a screen: " << screen_lines(s.brief));
      CHECK(s.hints.size() >= 2);
      CHECK(s.hints.size() <= 3);
      CHECK(!s.prediction.question.empty());
      CHECK(!s.prediction.explain.empty());
      if (!s.prediction.choices.empty() && !s.prediction.answer.empty())
        CHECK(std::count(s.prediction.choices.begin(), s.prediction.choices.end(), s.prediction.answer) == 1);
      CHECK_MESSAGE(!(s.gates.empty() && !s.open), "a step needs a gate");
      for (const auto& g : s.gates) {
        CHECK(lint_gate(g.expr) == "");
        CHECK_MESSAGE(!g.words.empty(), g.expr);
      }
      CHECK_MESSAGE(gui::plot_info(s.picture).key == s.picture, "picture '" << s.picture << "'");
      for (const auto& p : s.published) {
        CHECK(!p.gpu.empty());
        CHECK_MESSAGE((p.time_us == 0 || !p.size.empty()),
                      "'" << p.what << "': a time says nothing without its size");
      }
      CHECK(fs::exists(c.reference_file(s)));
      const std::string text = read_file(c.student_file(s)).value_or("");
      CHECK_MESSAGE(has_word(text, "TODO"), "the student's file marks its gap with TODO:");
      CHECK_MESSAGE(!has_word(read_file(c.reference_file(s)).value_or(""), "TODO"),
                    "the reference has a TODO");
      CHECK(has_word(text, s.entry));
    }
}
