// Lectures without a window: runs of slides, covers, the presenter's page, recordings.
#include <doctest/doctest.h>

#include <imgui_internal.h>

#include <fstream>

#include "../near.hpp"
#include "gui/model/teaching/presenter.hpp"
#include "gui/panels/teaching/presenter.hpp"
#include "lecture_room.hpp"

using namespace dojo;
using namespace dojo::gui;
using test::deck_text;
using test::Room;

TEST_CASE("lecture: a slide runs what it shows, for the room only") {
  Room b;
  auto& s = *b.s;
  s.open("demo/1");
  REQUIRE(s.lectern.open(b.deck.string()));
  b.frames(4);
  CHECK(b.runner->requests.empty());  // words need no run
  b.press(key::right);
  b.frames(30);
  REQUIRE(b.runner->requests.size() == 1);
  CHECK(b.runner->requests[0].who == run::Who::both);
  REQUIRE(s.view()->has_report);
  // No prediction was asked, no progress or history kept.
  CHECK_FALSE(s.ui.shows(Overlay::predict));
  CHECK(s.state_of("demo/1-first") == StepState::fresh);
  CHECK(s.view()->history.empty());
  // The next slide wants a reference alone, and another step's beside it: that one ran already.
  b.press(key::right);
  b.frames(30);
  REQUIRE(b.runner->requests.size() == 2);
  CHECK(b.runner->requests[1].step == "demo/2-second");
  CHECK(b.runner->requests[1].who == run::Who::reference);
  REQUIRE(s.lectern.against());
  CHECK(s.lectern.against()->who == "reference");
  b.press(key::right);
  b.frames(30);
  CHECK(b.runner->requests.back().trace.on);
  REQUIRE(s.motion.trace());
  CHECK(s.motion.stopped_at.find("conflict") != std::string::npos);
  CHECK_FALSE(s.ui.motion);
  // Back and forth: nothing runs twice. F5 runs again.
  const size_t n = b.runner->requests.size();
  b.press(key::left);
  b.press(key::left);
  b.frames(20);
  CHECK(b.runner->requests.size() == n);
  b.press(key::f5);
  b.frames(20);
  CHECK(b.runner->requests.size() == n + 1);
}

TEST_CASE("lecture: a lecturer who goes on while a slide runs gets the next slide's run afterwards") {
  Room b;
  auto& s = *b.s;
  s.open("demo/1");
  s.lectern.open(b.deck.string());
  b.runner->delay = 20;
  b.press(key::right);
  CHECK(s.running());
  b.press(key::right);
  b.frames(120);
  REQUIRE(b.runner->requests.size() == 2);
  CHECK(s.step()->id() == "demo/2-second");
  CHECK(s.view()->has_report);
}

TEST_CASE(
    "lecture: nothing on a slide moves: before, while and after a run, across a reveal, and with the notes "
    "open") {
  for (auto [w, h] : {std::pair{1280.f, 720.f}, {1920.f, 1080.f}, {1024.f, 768.f}}) {
    Room b(deck_text, w, h);
    auto& s = *b.s;
    s.open("demo/1");
    s.lectern.open(b.deck.string());
    b.runner->delay = 25;
    b.press(key::right);
    REQUIRE(s.lectern.talk.covered());
    REQUIRE(s.running());
    const auto at_first = b.boxes();
    REQUIRE(at_first.size() == 4);  // title, text, what is shown, foot
    b.frames(5);
    CHECK(b.boxes() == at_first);
    while (s.running()) b.frame();
    b.frame();
    CHECK(s.view()->has_report);
    CHECK(b.boxes() == at_first);
    b.press(key::space);
    CHECK_FALSE(s.lectern.talk.covered());
    CHECK(b.boxes() == at_first);
    b.press('N');
    CHECK(b.boxes() == at_first);
    b.press(key::f5);
    CHECK(s.running());
    CHECK(b.boxes() == at_first);
    while (s.running()) b.frame();
    b.frame();
    CHECK(b.boxes() == at_first);
    // The same places on the next slide that has the same parts.
    b.press(key::left);
    auto words = b.boxes();
    CHECK(words[0].second[1] == at_first[0].second[1]);
  }
}

TEST_CASE("lecture: a result stays covered until space, numbers in the text too") {
  Room b;
  auto& s = *b.s;
  s.open("demo/1");
  s.lectern.open(b.deck.string());
  b.press(key::right);
  b.frames(30);
  REQUIRE(s.view()->has_report);
  CHECK(s.lectern.talk.covered());
  PresenterPage page = presenter_page(s);
  CHECK(page.state == "covered: space shows it");
  CHECK_FALSE(page.answer.empty());
  // The foot says that space shows something only while it does.
  const auto keys_width = [&b] {
    for (auto& [name, r] : b.ui->window.layout)
      if (name == "foot keys") return r.z - r.x;
    return 0.0f;
  };
  const float covered_width = keys_width();
  b.press(key::space);
  CHECK(keys_width() > 0);
  CHECK(keys_width() < covered_width - 20);
  CHECK_FALSE(s.lectern.talk.covered());
  CHECK(s.lectern.talk.at == 1);
  b.press(key::space);
  CHECK(s.lectern.talk.at == 2);
}

TEST_CASE("lecture: the presenter's page has notes, the next slide, the place and a clock, and is drawn") {
  Room b;
  auto& s = *b.s;
  s.open("demo/1");
  b.frames(50);  // a second passes
  s.lectern.open(b.deck.string());
  b.frames(3200);
  PresenterPage p = presenter_page(s);
  CHECK(p.title == "Words");
  CHECK(p.notes == "Breathe.");
  CHECK(p.next_title == "How long?");
  CHECK(p.next_words == "Longer or shorter?");
  CHECK(p.position == "1 / 5");
  CHECK(p.elapsed == "1:04");
  CHECK(clock_text(3729) == "1:02:09");
  CHECK(clock_text(-1) == "0:00");
  // Drawn in a context that shares the fonts; the clock wakes the window once a second.
  ImGuiContext* main = ImGui::GetCurrentContext();
  ImGuiContext* second = ImGui::CreateContext(ImGui::GetIO().Fonts);
  ImGui::SetCurrentContext(second);
  ImGui::GetIO().IniFilename = nullptr;
  ImGui::GetIO().DisplaySize = {800, 560};
  for (int k = 0; k < 3; ++k) {
    ImGui::NewFrame();
    draw_presenter(s);
    ImGui::Render();
  }
  CHECK(ImGui::GetDrawData()->TotalVtxCount > 200);
  ImGui::DestroyContext(second);
  ImGui::SetCurrentContext(main);
  CHECK(s.next_tick() > 1.0);
  CHECK(s.commands.run("lecture.presenter"));
  CHECK(s.next_tick() <= 1.0);
  while (s.lectern.talk.next()) {
  }
  CHECK(presenter_page(s).next_title.empty());
}

TEST_CASE("lecture: a deck's recording is where its runs come from, unless the lecture is live") {
  std::string text = deck_text;
  text.replace(text.find("lab = "), 0, "recording = \"h100.json\"\n");
  Room b(text);
  auto& s = *b.s;
  s.open("demo/1");
  s.lectern.open(b.deck.string());
  b.press(key::right);
  b.frames(30);
  CHECK(b.runner->requests.at(0).device == "rec:h100.json");
  // Slow motion needs the machine, wherever the times come from.
  b.press(key::right);
  b.frames(30);
  b.press(key::right);
  b.frames(30);
  CHECK(b.runner->requests.back().trace.on);
  CHECK(b.runner->requests.back().device.starts_with("simt:"));
  b.press(key::left);
  b.press(key::left);
  const size_t n = b.runner->requests.size();
  CHECK(s.commands.run("lecture.live"));
  b.frames(30);
  REQUIRE(b.runner->requests.size() > n);
  CHECK(b.runner->requests.back().device == "simt:h100");
}

TEST_CASE("palette: its rows end above the window's foot, however low the window is") {
  Room b(test::deck_text, 1280, 420);
  b.s->open("demo/1");
  b.s->ui.open(Overlay::palette);
  b.frames(3);
  const ImGuiWindow* card = ImGui::FindWindowByName("palette");
  REQUIRE(card);
  CHECK(card->Size.y > 150);
  CHECK(card->Pos.y + card->Size.y <= 420);
}
