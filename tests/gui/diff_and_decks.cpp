// Differing lines; the decks that come with the labs.
#include <doctest/doctest.h>

#include <imgui_internal.h>

#include <algorithm>
#include <fstream>

#include "core/error.hpp"
#include "core/paths.hpp"
#include "gui/model/session/store.hpp"
#include "gui/model/teaching/lecture.hpp"
#include "gui/model/text/diff.hpp"
#include "stage.hpp"

using namespace dojo;
using namespace dojo::gui;
using test::Stage;

namespace {
std::string shape(const std::vector<DiffLine>& all) {
  std::string out;
  for (auto& l : all)
    out += (l.kind == DiffLine::same ? " " : l.kind == DiffLine::removed ? "-" : "+") + l.text;
  return out;
}
}  // namespace

TEST_CASE("diff: what is the same, gone and new, in the order of both texts") {
  CHECK(shape(diff_lines({"a", "b", "c"}, {"a", "b", "c"})) == " a b c");
  CHECK(shape(diff_lines({"a", "b", "c"}, {"a", "x", "c"})) == " a-b+x c");
  CHECK(shape(diff_lines({}, {"a"})) == "+a");
  CHECK(shape(diff_lines({"a"}, {})) == "-a");
  CHECK(shape(diff_lines({"a", "b", "c", "d"}, {"b", "d", "e"})) == "-a b-c d+e");
  CHECK(shape(diff_lines({"a  ", "b"}, {"a", "b\t"})) == " a b\t");
  auto numbered = diff_lines({"a", "b"}, {"x", "a", "b"});
  CHECK(numbered[0].left == 0);
  CHECK(numbered[0].right == 1);
  CHECK(numbered[2].left == 2);
  CHECK(numbered[2].right == 3);
}

TEST_CASE("diff: context keeps lines near a difference") {
  std::vector<std::string> a, b;
  for (int k = 0; k < 30; ++k) a.push_back(std::to_string(k));
  b = a;
  b[15] = "x";
  auto part = with_context(diff_lines(a, b), 2);
  CHECK(part.size() == 7);  // a gap, two before, out and in, two behind
  CHECK(part[0].left == 0);
  CHECK(with_context(diff_lines(a, a), 2).empty());
}

TEST_CASE("decks: every deck of assets/lectures fits the labs") {
  const Catalog catalog = load_catalog(find_root());
  int decks = 0;
  std::string why;
  for (auto& f : fs::directory_iterator(catalog.root / "assets" / "lectures")) {
    if (f.path().extension() != ".toml") continue;
    ++decks;
    try {
      Deck d = load_deck(f.path(), &catalog);
      CHECK(d.slides.size() >= 5);
      CHECK(catalog.find_lab(d.lab) != nullptr);
      CHECK(f.path().stem() == d.lab);
      size_t questions = 0;
      for (auto& s : d.slides) {
        CHECK_MESSAGE((!s.text.empty() || !s.show.empty()), f.path().string()
                                                                << ": '" << s.title << "' shows nothing");
        CHECK_MESSAGE(!s.title.empty(), f.path().string());
        // A cover without a question asks the room nothing.
        CHECK_MESSAGE((!s.hide || (!s.question.empty() && !s.show.empty())), f.path().string()
                                                                                 << ": " << s.title);
        CHECK_MESSAGE((s.stop.empty() || s.show == "motion"), f.path().string() << ": " << s.title);
        CHECK_MESSAGE(s.text.size() < (s.show.empty() ? 900 : 420),
                      f.path().string() << ": '" << s.title << "' says too much for one slide");
        questions += s.hide;
        if (s.line == 0) continue;
        const Step& step = catalog.find(s.step);
        const bool solved = s.reference || s.show == "reference";
        const std::string code =
            read_regular_file(solved ? catalog.reference_file(step) : catalog.student_file(step)).value();
        CHECK_MESSAGE(s.line <= std::count(code.begin(), code.end(), '\n'),
                      f.path().string() << ": '" << s.title << "' names a line that isn't there");
      }
      CHECK_MESSAGE(questions >= 1, f.path().string());
    } catch (const Error& e) {
      why += std::string(e.what()) + "\n";
    }
  }
  CHECK(why == "");
  // Every lab has one.
  for (auto& lab : catalog.labs)
    CHECK_MESSAGE(fs::exists(catalog.root / "assets" / "lectures" / (lab.name + ".toml")), lab.name);
  CHECK(decks == int(catalog.labs.size()));
}

TEST_CASE("two versions with long lines: the card is as tall as their rows, and nothing scrolls") {
  Stage st(1280, 720);
  st.s->open("demo/2");
  st.frames(3);
  std::string mine = "// mine:", theirs = "// theirs:";
  for (int k = 0; k < 40; ++k) mine += " words of this window", theirs += " words of another program";
  st.s->view()->text.set(mine + "\n");
  st.s->view()->text.type(" ");
  std::ofstream(st.s->catalog().student_file(*st.s->step())) << theirs << "\n";
  CHECK_FALSE(st.s->save());
  REQUIRE(st.s->ui.shows(Overlay::conflict));
  st.frames(4);
  const ImGuiWindow* card = nullptr;
  for (ImGuiWindow* w : ImGui::GetCurrentContext()->Windows)
    if (w->Active && std::string(w->Name).find("/both versions_") != std::string::npos) card = w;
  REQUIRE(card);
  CHECK(card->ScrollMax.x <= 0);
  CHECK(card->ScrollMax.y <= 0);
  CHECK(card->ContentSize.y > 10 * fonts().mono->FontSize);
}
