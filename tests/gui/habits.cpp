// Habits: what keys close, what is found, what asks first.
#include <doctest/doctest.h>

#include <imgui_internal.h>

#include <algorithm>

#include "gui/model/text/highlight.hpp"
#include "gui/panels/glossary_view.hpp"
#include "stage.hpp"

using namespace dojo;
using namespace dojo::gui;
using test::Stage;

TEST_CASE("Ctrl+W closes a view or does nothing; it never switches watching off") {
  Stage st;
  st.s->open("demo/1");
  st.frames(2);
  const bool watch = st.s->settings.watch;
  st.press('W', true);
  CHECK(st.s->settings.watch == watch);
  CHECK(st.s->step()->id() == "demo/1-first");
  st.s->commands.run("view.lab");
  st.s->ui.open(Overlay::glossary);
  st.frames(2);
  st.press('W', true);
  CHECK(st.s->ui.lab_page.empty());
  CHECK_FALSE(st.s->ui.shows(Overlay::glossary));
  CHECK(st.s->settings.watch == watch);
}

TEST_CASE("Esc closes the menu wherever the mouse is") {
  Stage st;
  st.s->open("demo/1");
  ImGui::GetIO().MousePos = {900, 500};
  st.frames(2);
  st.press(key::f10);
  st.frames(3);
  REQUIRE(st.s->ui.menu);
  for (int k = 0; k < 3; ++k) {
    st.press(key::escape);
    st.frames(2);
    CHECK_FALSE(st.s->ui.menu);
    st.press(key::f10);
    st.frames(3);
    CHECK(st.s->ui.menu);
  }
}

TEST_CASE("in slow motion arrows and space are its own, and no button is walked to") {
  Stage st;
  ImGuiIO& io = ImGui::GetIO();
  io.KeyMap[ImGuiKey_RightArrow] = key::right;
  io.KeyMap[ImGuiKey_Space] = key::space;
  st.s->open("demo/1");
  st.frames(2);
  st.press(key::f8);
  st.frames(30);
  REQUIRE(st.s->motion.trace());
  const size_t runs = st.runner->requests.size();
  for (int k = 0; k < 12; ++k) st.press(key::right);
  st.press(key::space);
  CHECK(st.s->ui.motion);
  CHECK(st.s->motion.playing);
  CHECK(st.runner->requests.size() == runs);
  st.s->motion.playing = false;
  st.press(key::escape);
  CHECK_FALSE(st.s->ui.motion);
  st.frames(2);
  CHECK((io.ConfigFlags & ImGuiConfigFlags_NavEnableKeyboard) != 0);
}

TEST_CASE("the last hint asks first; hints open above the code when one looks at the code") {
  Stage st;
  st.s->open("demo/1");
  st.s->ui.tab = UiState::Tab::source;
  st.s->show_hint();
  CHECK(st.s->hints_shown() == 1);
  CHECK(st.s->settings.brief_unfolded);
  st.s->show_hint();
  CHECK(st.s->hints_shown() == 2);
  st.s->show_hint();
  CHECK(st.s->hints_shown() == 2);
  st.s->show_hint();
  CHECK(st.s->hints_shown() == 3);
}

TEST_CASE("the palette finds by letters at the starts of words, and nothing when nothing fits") {
  Stage st;
  CHECK(fuzzy_score("tlp", "The lab's page") > 0);
  CHECK(fuzzy_score("wrap", "Wrap long lines") > 0);
  CHECK(fuzzy_score("t4 ", "Device: NVIDIA T4") > fuzzy_score("t4 ", "float4 without bank conflicts"));
  CHECK(fuzzy_score("ofvu", "Open a program of your own") < 0);
  CHECK(st.s->commands.search("zqxj").empty());
  CHECK(st.s->commands.search("hnre").empty());
  // By a word of a command's help, whose title does not have it.
  const auto compare = st.s->commands.search("compare");
  CHECK(std::any_of(compare.begin(), compare.end(), [](auto* c) { return c->id == "view.compare"; }));
  CHECK(st.s->commands.search("ompare").empty());
}

TEST_CASE("a term's meaning opens below its line, or above it low in the window, and stays inside") {
  Stage st;
  const Term term{
      "warp", "Thirty-two threads that execute one instruction at a time, and a few words more.", {}, {}};
  for (ImVec2 at : {ImVec2{300, 100}, ImVec2{1200, 100}, ImVec2{300, 690}, ImVec2{1200, 690}}) {
    CAPTURE(at.x);
    CAPTURE(at.y);
    const ImVec2 to{at.x + 40, at.y + 16};
    ImGui::GetIO().MousePos = {at.x + 10, at.y + 8};
    for (int k = 0; k < 3; ++k) {
      ImGui::NewFrame();
      ImGui::SetNextWindowPos({0, 0});
      ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
      ImGui::Begin("page", nullptr, ImGuiWindowFlags_NoDecoration);
      mark_term(ImGui::GetWindowDrawList(), term, at, to);
      ImGui::End();
      ImGui::Render();
    }
    const ImGuiWindow* tip = nullptr;
    for (ImGuiWindow* w : ImGui::GetCurrentContext()->Windows)
      if (w->Active && (w->Flags & ImGuiWindowFlags_Tooltip)) tip = w;
    REQUIRE(tip);
    CHECK((tip->Pos.y >= to.y || tip->Pos.y + tip->Size.y <= at.y));
    CHECK(tip->Pos.x >= 0);
    CHECK(tip->Pos.x + tip->Size.x <= 1280);
    CHECK(tip->Pos.y + tip->Size.y <= 720);
  }
}

TEST_CASE("find counts the places") {
  TextBuffer b;
  b.set("int a = aa;\nint aaa;\n");
  CHECK(b.places("aa").size() == 2);
  CHECK(b.places("int").size() == 2);
  CHECK(b.places("").empty());
  CHECK(b.places("b").empty());
  // Capital letters find themselves alone, others both.
  b.set("Hello hello\nHELLO");
  CHECK(b.places("hello").size() == 3);
  CHECK(b.places("Hello").size() == 1);
  CHECK(b.places("hello")[1] == Caret{0, 6});
}

TEST_CASE("two runs show their sources beside each other") {
  Stage st(1600, 900);
  st.s->open("demo/1");
  st.s->skip_prediction();
  st.frames(24);
  st.s->view()->text.type("// another text\n");
  REQUIRE(st.s->save());
  st.s->run(false);
  st.frames(24);
  REQUIRE(st.s->view()->history.size() == 2);
  st.s->ui.tab = UiState::Tab::compare;
  st.frames(3);
  auto there = [&](const char* name) {
    return std::any_of(st.ui->window.layout.begin(), st.ui->window.layout.end(),
                       [&](auto& l) { return l.first == name; });
  };
  CHECK(there("counters of two runs"));
  for (auto& [name, r] : std::vector(st.ui->window.layout))
    if (name == "source of runs") st.click((r.x + r.z) / 2, (r.y + r.w) / 2);
  CHECK_FALSE(there("counters of two runs"));
  CHECK(st.frames(2) > 1000);
}

TEST_CASE("the palette looks for a device by its name, not by the driver and commit of its recording") {
  Stage st;
  st.s->open("demo/2");
  auto& devices = const_cast<std::vector<DeviceInfo>&>(st.s->devices());
  devices[1].kind = DeviceKind::recording;
  devices[1].title = "NVIDIA RTX A5000, driver 580, commit c0a1e5";
  const std::string before = st.s->device();
  const auto choose = [&](const char* words) {
    st.s->ui.open(Overlay::palette);
    st.frames(3);
    ImGui::GetIO().AddInputCharactersUTF8(words);
    st.frames(3);
    st.press(key::enter);
    st.frames(3);
    if (st.s->ui.shows(Overlay::palette)) st.press(key::escape);
    st.frames(2);
  };
  choose("commit c0a1e5");
  CHECK(st.s->device() == before);
  choose("RTX A5000");
  CHECK(st.s->device() == devices[1].name);
}

TEST_CASE("machine code: the mnemonic behind a predicate is coloured as one without") {
  for (const std::string line : {"LDC R1, c[0x0][0x28]", "@!P0 LDC R1, c[0x0][0x28]"}) {
    CAPTURE(line);
    std::string words;
    for (auto& r : highlight_ptx(line))
      if (r.token == Token::keyword) words += line.substr(size_t(r.from), size_t(r.to - r.from)) + " ";
    CHECK(words == "LDC ");
  }
}
