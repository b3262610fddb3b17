// Keys, clicks, wheel and drags in an ImGui frame without a window: what they reach, and what they change.
#include <doctest/doctest.h>

#include <cstring>

#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <fstream>

#include "stage.hpp"

using namespace dojo;
using namespace dojo::gui;

using test::Stage;

TEST_CASE("F5 runs, Esc ends, keys of the table work") {
  Stage st;
  st.s->open("demo/2");
  st.frames(2);
  st.runner->delay = 100000;
  st.press(key::f5);
  CHECK(st.s->running());
  st.press(key::escape);
  st.frames(4);
  CHECK_FALSE(st.s->running());
  st.press('P', true);
  CHECK(st.s->ui.shows(Overlay::palette));
  st.frames(2);
  st.press(key::escape);
  CHECK_FALSE(st.s->ui.shows(Overlay::palette));
  float before = st.s->settings.scale;
  st.press(key::equal, true);
  CHECK(st.s->settings.scale > before);
  st.press(key::f1);
  CHECK(st.s->ui.shows(Overlay::help));
  CHECK(st.frames(2) > 1000);
}

TEST_CASE("a click on Run runs, a click in the rail opens a step") {
  Stage st;
  st.s->open("demo/2");
  st.frames(3);
  st.click(1280 - 60, 24);
  CHECK(st.runner->requests.size() == 1);
  st.frames(24);
  // The first lab's head is at the top of the rail, its first step below.
  st.click(120, 48 + 6 + 34 + 3 + 13);
  CHECK(st.s->step()->id() == "demo/1-first");
}

TEST_CASE("letters typed in the source go into the text and are undone by key") {
  Stage st;
  st.s->open("demo/2");
  st.s->ui.tab = UiState::Tab::source;
  st.frames(3);
  st.click(560, 300);
  ImGui::GetIO().AddInputCharacter('q');
  st.frame();
  CHECK(st.s->view()->text.modified());
  st.press('Z', true);
  CHECK_FALSE(st.s->view()->text.modified());
}

TEST_CASE("a verdict is of the text again when an edit after it is undone, and counts of lines come back") {
  Stage st;
  st.s->open("demo/2");
  st.s->run(false);
  st.frames(30);
  auto& v = *st.s->view();
  REQUIRE(v.has_report);
  REQUIRE_FALSE(v.stale());
  const size_t heat = v.heat.size();
  v.text.type("x");
  st.frames(2);
  CHECK(v.stale());
  v.text.undo();
  st.frames(2);
  CHECK_FALSE(v.stale());
  CHECK(v.heat.size() == heat);
  v.text.redo();
  st.frames(2);
  CHECK(v.stale());
}

TEST_CASE("a key that moves the caret shows it, also where it is at the text's end already") {
  Stage st;
  st.s->open("demo/2");
  st.s->ui.tab = UiState::Tab::source;
  st.frames(3);
  std::string long_text;
  for (int k = 0; k < 200; ++k) long_text += "// a line\n";
  st.s->view()->text.replace_all(long_text);
  st.frames(3);
  st.click(560, 300);
  st.press(ImGui::GetIO().KeyMap[ImGuiKey_End], true);
  st.frames(2);
  const auto scroll = [] {
    float most = 0;
    for (const ImGuiWindow* w : GImGui->Windows)
      if (w->Flags & ImGuiWindowFlags_ChildWindow) most = std::max(most, w->Scroll.y);
    return most;
  };
  const float end = scroll();
  REQUIRE(end > 500);
  ImGui::GetIO().MousePos = {560, 300};
  ImGui::GetIO().MouseWheel = 200;
  st.frame();
  ImGui::GetIO().MouseWheel = 0;
  st.frames(2);
  REQUIRE(scroll() < end - 300);
  st.press(ImGui::GetIO().KeyMap[ImGuiKey_End], true);
  st.frames(2);
  CHECK(scroll() == end);
}

TEST_CASE("wheel and drag move a plot's view, and double-click fits it") {
  Stage st;
  st.s->open("demo/2");
  st.s->settings.plot = "timeline";
  st.s->run(false);
  st.frames(24);
  ImGuiIO& io = ImGui::GetIO();
  io.MousePos = {1050, 560};
  st.frames(2);
  int before = st.frame();
  io.MouseWheel = 14;
  st.frame();
  io.MouseWheel = 0;
  int zoomed = st.frames(2);
  CHECK(zoomed != before);
  st.s->ui.fit_plots = true;
  st.frames(2);
  CHECK(st.frame() == before);
}

TEST_CASE("F10 opens the menu under its button, wherever the mouse is") {
  Stage st;
  st.s->open("demo/1");
  ImGui::GetIO().MousePos = {900, 500};
  st.frames(2);
  st.press(key::f10);
  st.frames(3);
  REQUIRE(st.s->ui.menu);
  bool there = false;
  for (auto& [what, r] : st.ui->window.layout)
    if (what == "menu") {
      there = true;
      CHECK(r.x < 20);
      CHECK(r.y < 60);
    }
  CHECK(there);
}

TEST_CASE("arrows turn slides and leave no frame around a button") {
  Stage st;
  st.s->open("demo/1");
  st.press(key::f11);
  REQUIRE(st.s->ui.lecture);
  for (int k = 0; k < 4; ++k) {
    st.press(key::right);
    st.frames(2);
    CHECK(ImGui::GetCurrentContext()->NavDisableHighlight);
  }
}
