// Every deck of assets/lectures as one HTML file, with made-up runs: the words, the questions, the devices.
#include <doctest/doctest.h>

#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <set>

#include "core/paths.hpp"
#include "fixtures.hpp"
#include "gui/deck_file.hpp"
#include "gui/look.hpp"
#include "gui/panels/widgets.hpp"
#include "gui/theme.hpp"
#include "stage.hpp"

using namespace dojo;
using namespace dojo::gui;

namespace {

/// The sections of the page, one per slide.
std::vector<std::string> sections(const std::string& html) {
  std::vector<std::string> all;
  for (size_t at = 0; (at = html.find("<section>", at)) != std::string::npos;) {
    const size_t end = html.find("</section>", at);
    REQUIRE(end != std::string::npos);
    all.push_back(html.substr(at, end - at));
    at = end;
  }
  return all;
}

std::string as_html(const std::string& text) {
  std::string out;
  for (char c : text)
    out += c == '<'    ? "&lt;"
           : c == '>'  ? "&gt;"
           : c == '&'  ? "&amp;"
           : c == '"'  ? "&quot;"
           : c == '\'' ? "&#39;"
                       : std::string(1, c);
  return out;
}

struct Exported {
  std::vector<run::RunRequest> requests;
  std::string html;
};

Exported exported(const Lab& lab, const Catalog& catalog, const fs::path& to) {
  auto runner = std::make_unique<test::FakeRunner>();
  test::FakeRunner* asked = runner.get();
  Session s(catalog, std::move(runner), Places{}, test::make_devices());
  s.set_instructor(true);
  s.open(lab.steps.front().id());
  s.settings.device.clear();
  REQUIRE(s.lectern.write_file(to));
  REQUIRE(write_deck(s) == "");
  Exported e{asked->requests, {}};
  e.html = read_regular_file(to).value();
  return e;
}

}  // namespace

TEST_CASE(
    "deck files: every deck keeps its slides and questions in HTML, each run on its step's own device") {
  const Catalog catalog = load_catalog(find_root());
  const test::TempFolder folder;
  REQUIRE(catalog.labs.size() >= 17);
  for (const Lab& lab : catalog.labs) {
    CAPTURE(lab.name);
    const Deck deck = load_deck(catalog.root / "assets" / "lectures" / (lab.name + ".toml"), &catalog);
    ImGui::CreateContext();
    const Exported e = exported(lab, catalog, folder.path / (lab.name + ".html"));
    ImGui::DestroyContext();

    std::set<std::string> ran;
    for (const run::RunRequest& r : e.requests) {
      CHECK_MESSAGE(r.device == catalog.find(r.step).device, r.step);
      ran.insert(catalog.find(r.step).id());
    }
    const auto shown = sections(e.html);
    REQUIRE(shown.size() == deck.slides.size());
    for (size_t i = 0; i < shown.size(); ++i) {
      const Slide& slide = deck.slides[i];
      CAPTURE(slide.title);
      CHECK(shown[i].find("<h2>" + as_html(slide.title) + "</h2>") != std::string::npos);
      if (!slide.question.empty()) CHECK(shown[i].find(as_html(slide.question)) != std::string::npos);
      if (!slide.notes.empty()) CHECK(shown[i].find(as_html(slide.notes)) != std::string::npos);
      // A result stays covered until it is asked for.
      if (slide.hide) CHECK(shown[i].find("<details><summary>Show</summary>") != std::string::npos);
      if (slide.show == "source" || slide.show == "reference")
        CHECK(shown[i].find("__global__") != std::string::npos);
      if (needs_run(slide)) {
        CHECK(ran.contains(catalog.find(slide.step).id()));
        // Slow motion needs a recorded block, which made-up runs don't have.
        if (slide.show != "motion") CHECK(shown[i].find("<svg") != std::string::npos);
      }
      CHECK(shown[i].find("{{") == std::string::npos);
    }
    // Nothing that wants a click and gets no answer; nothing from elsewhere.
    for (const char* dead : {"<button", "<input", "<select", "onclick", "<script", "<link", "src=\"http"})
      CHECK_MESSAGE(e.html.find(dead) == std::string::npos, dead);
  }
}

TEST_CASE("deck files: a question is kept where the slide covers nothing, or has only words") {
  const Catalog catalog = load_catalog(find_root());
  Deck deck;
  for (const bool hide : {false, true}) {
    Slide slide;
    slide.title = "Words";
    slide.question = "How many < 8?";
    slide.hide = hide;
    deck.slides.push_back(slide);
  }
  for (const std::string& section : sections(deck_html(deck, catalog, {}, {}))) {
    CHECK(section.find("<p class=q>How many &lt; 8?</p>") != std::string::npos);
    CHECK(section.find("<details>") == std::string::npos);
  }
}

TEST_CASE("deck files: what is clicked in the window is plain text on paper, and what is off is not there") {
  test::Stage st;
  ImGui::NewFrame();
  ImGui::SetNextWindowSize({400, 300});
  ImGui::Begin("paper");
  set_for_print(true);
  const auto drawn = [] { return ImGui::GetWindowDrawList()->VtxBuffer.Size; };
  const int before = drawn();
  CHECK_FALSE(pill("A pattern", false));
  CHECK(drawn() == before);
  CHECK_FALSE(pill("The lines", true));
  CHECK(drawn() > before);
  CHECK(ImGui::GetItemID() == 0);
  CHECK_FALSE(link("line 12"));
  CHECK(ImGui::GetItemID() == 0);
  set_for_print(false);
  link("line 12");
  CHECK(ImGui::GetItemID() != 0);
  ImGui::End();
  ImGui::EndFrame();
}
