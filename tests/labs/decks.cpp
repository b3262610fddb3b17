// The decks of assets/lectures as lectures: what each has, which steps it shows, and how it reads.
#include <doctest/doctest.h>

#include <algorithm>
#include <regex>
#include <set>
#include <sstream>

#include "gui/model/teaching/lecture.hpp"
#include "lab_runs.hpp"
#include "text_rules.hpp"

using namespace dojo;

namespace {

gui::Deck deck_of(const Lab& lab) {
  return gui::load_deck(find_root() / "assets" / "lectures" / (lab.name + ".toml"), &test::catalog());
}

/// Code of a slide that says how one quantity follows from others: "a = b / c", "time >= n * bytes".
bool has_formula(const std::string& text) {
  static const std::regex formula("[A-Za-z)'] [<>]?= .*[-+*/x(]");
  bool fenced = false;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("```")) fenced = !fenced;
    if ((fenced || line.find('`') != line.npos) && std::regex_search(line, formula)) return true;
  }
  return false;
}

bool has_picture(const std::string& text) { return text.find("```") != std::string::npos; }

}  // namespace

TEST_CASE("texts: every deck has a motivation, a picture, a formula, a comparison and a summary") {
  for (const auto& lab : test::catalog().labs) {
    CAPTURE(lab.name);
    const gui::Deck deck = deck_of(lab);
    const auto any = [&](auto has) { return std::any_of(deck.slides.begin(), deck.slides.end(), has); };
    const gui::Slide& first = deck.slides.front();
    CHECK_MESSAGE((first.show.empty() && !first.text.empty()), "the first slide says in words why");
    CHECK(any([](const gui::Slide& s) { return has_picture(s.text); }));
    CHECK(any([](const gui::Slide& s) { return has_formula(s.text); }));
    // Starter and reference side by side, two references, or the reference's source.
    CHECK(any([](const gui::Slide& s) {
      return !s.against.empty() || s.show == "reference" || (gui::needs_run(s) && !s.reference);
    }));
    CHECK(deck.slides.back().title == "Summary");
    CHECK(deck.slides.back().show.empty());
  }
}

TEST_CASE("texts: every step has a slide, or its deck says why it has none") {
  for (const auto& lab : test::catalog().labs) {
    const gui::Deck deck = deck_of(lab);
    std::set<std::string> shown;
    for (const auto& slide : deck.slides)
      for (const auto& step : {slide.step, slide.against})
        if (!step.empty()) shown.insert(test::catalog().find(step).id());
    for (const auto& s : lab.steps)
      CHECK_MESSAGE(shown.contains(s.id()) != deck.left_out.contains(s.id()),
                    s.id() << ": has no slide, and the deck's [left_out] does not name it; or both");
    for (const auto& [step, why] : deck.left_out) CHECK_MESSAGE(why.size() >= 10, step);
  }
}

TEST_CASE("texts: two steps on one slide run on the same device and size") {
  for (const auto& lab : test::catalog().labs)
    for (const auto& slide : deck_of(lab).slides) {
      if (slide.against.empty()) continue;
      const Step &a = test::catalog().find(slide.step), &b = test::catalog().find(slide.against);
      CHECK_MESSAGE(a.device == b.device, lab.name << ": " << slide.title);
      // A size with a tail differs by a few elements from one without.
      for (const auto& [name, extent] : a.size) {
        const auto other = b.size.find(name);
        const double ratio = other == b.size.end() ? 0 : double(extent) / double(other->second);
        CHECK_MESSAGE((ratio > 0.99 && ratio < 1.01), lab.name << ": " << slide.title << ": " << name);
      }
    }
}

TEST_CASE("texts: sentences and words of decks") {
  for (const auto& lab : test::catalog().labs)
    for (const auto& slide : deck_of(lab).slides)
      for (const auto& text : {slide.title, slide.text, slide.question, slide.notes}) {
        const std::string words = test::prose(text);
        for (const auto& s : test::long_sentences(words))
          FAIL_CHECK(lab.name << ": " << slide.title << ": a long sentence: " << s);
        for (const auto& w : test::wrong_words(words))
          FAIL_CHECK(lab.name << ": " << slide.title << ": the style guide replaces: " << w);
      }
}
