// Tab reaches every part of every view in reading order, each part shows that it has the keyboard, and Enter
// presses it.
#include <imgui_internal.h>

#include <set>

#include "app_window.hpp"
#include "gui/panels/focus.hpp"
#include "stage.hpp"

using namespace dojo;
using namespace dojo::gui;
using test::App;
using test::display;
using test::Stage;

namespace {
struct FocusedView {
  const char* name;
  std::function<void(Session&)> open;
  size_t least;  ///< stops that it has at least
  bool card = false;
};

const FocusedView views[] = {
    {"brief", [](Session& s) { s.ui.tab = UiState::Tab::brief; }, 20},
    {"source", [](Session& s) { s.ui.tab = UiState::Tab::source; }, 20},
    {"runs", [](Session& s) { s.ui.tab = UiState::Tab::compare; }, 15},
    {"a lab's page", [](Session& s) { s.ui.lab_page = "demo"; }, 10},
    {"a large plot", [](Session& s) { s.ui.plots_only = true; }, 10},
    {"what if", [](Session& s) { s.ui.plots_only = true, s.settings.plot = "whatif"; }, 18},
    {"slow motion", [](Session& s) { s.commands.run("motion.show"); }, 12},
    {"instructor", [](Session& s) { s.set_instructor(true), s.ui.tab = UiState::Tab::instructor; }, 15},
    {"glossary", [](Session& s) { s.ui.open(Overlay::glossary); }, 2, true},
    {"reset", [](Session& s) { s.ui.open(Overlay::confirm_reset); }, 2, true},
};

/// Whether what is drawn in and around a stop changes when its ring is put out.
bool lit(Stage& st, const FocusStop& stop) {
  // The source wears its ring at the edges of its view, also without ImGui's own highlight.
  const std::string name = stop.window->Name;
  if (name.find("/code_") != std::string::npos || name.find("/motion source_") != std::string::npos) {
    const ImRect r = stop.window->Rect();
    st.frame();
    int corners = 0;
    const ImDrawData* d = ImGui::GetDrawData();
    for (int k = 0; k < d->CmdListsCount; ++k)
      for (auto& v : d->CmdLists[k]->VtxBuffer)
        corners += v.col == theme().accent &&
                   (std::abs(v.pos.x - r.Min.x) < 3 || std::abs(v.pos.x - r.Max.x) < 3) &&
                   (std::abs(v.pos.y - r.Min.y) < 3 || std::abs(v.pos.y - r.Max.y) < 3);
    return corners >= 4;
  }
  const ImVec4 area = {stop.min.x - 4, stop.min.y - 4, stop.max.x + 4, stop.max.y + 4};
  ImGuiContext& g = *ImGui::GetCurrentContext();
  const uint64_t with = st.drawn(area);
  g.NavDisableHighlight = true;
  const uint64_t without = st.drawn(area);
  g.NavDisableHighlight = false;
  return with != without;
}
}  // namespace

TEST_CASE("Tab goes once around each view, forwards and back, and every stop on the screen wears a ring") {
  for (auto& view : views)
    for (auto [w, h] : {std::pair{1280.f, 720.f}, {1600.f, 900.f}}) {
      INFO(std::string(view.name) << " at " << w);
      Stage st(w, h);
      st.s->open("demo/1");
      st.s->skip_prediction();
      st.frames(30);
      view.open(*st.s);
      st.frames(30);
      const auto stops = focus_stops(view.card);
      REQUIRE(stops.size() >= view.least);
      std::set<std::pair<ImGuiID, ImGuiWindow*>> seen;
      ImGuiContext& g = *ImGui::GetCurrentContext();
      // In the source Tab is a letter: Esc goes on.
      auto step = [&](bool back) {
        ImGui::GetIO().KeyShift = back;
        const bool source = g.NavWindow && std::string(g.NavWindow->Name).find("/code_") != std::string::npos;
        st.press(source && !back ? key::escape : key::tab);
        ImGui::GetIO().KeyShift = false;
      };
      for (size_t k = 0; k < stops.size(); ++k) {
        step(false);
        const auto now = focus_stops(view.card);
        const auto it = std::find_if(now.begin(), now.end(),
                                     [&](auto& s) { return s.id == g.NavId && s.window == g.NavWindow; });
        INFO("stop " << k << " of " << stops.size());
        REQUIRE(it != now.end());
        seen.insert({it->id, it->window});
        // Scrolled into sight.
        const ImRect clip = it->window->OuterRectClipped;
        const bool in_sight = it->max.y > clip.Min.y && it->min.y < clip.Max.y;
        CHECK(in_sight);
        const FocusStop stop = *it;
        CHECK(lit(st, stop));
      }
      CHECK(seen.size() + 2 >= stops.size());  // a part that its neighbour's focus replaces may come and go
    }
}

TEST_CASE("Shift+Tab goes the same way back, in every view") {
  for (auto& view : views) {
    INFO(std::string(view.name));
    Stage st;
    st.s->open("demo/1");
    st.s->skip_prediction();
    st.frames(30);
    view.open(*st.s);
    st.frames(30);
    ImGuiContext& g = *ImGui::GetCurrentContext();
    using Stop = std::pair<ImGuiID, ImGuiWindow*>;
    auto in_source = [&] {
      return g.NavWindow && std::string(g.NavWindow->Name).find("/code_") != std::string::npos;
    };
    auto step = [&](bool back) {
      ImGui::GetIO().KeyShift = back;
      st.press(in_source() && !back ? key::escape : key::tab);
      ImGui::GetIO().KeyShift = false;
      return Stop{g.NavId, g.NavWindow};
    };
    std::vector<Stop> there;
    for (int k = 0; k < 6; ++k) there.push_back(step(false));
    for (int k = 4; k >= 0; --k) {
      INFO(k);
      CHECK(step(true) == there[size_t(k)]);
    }
  }
}

TEST_CASE("a click's part is where Tab goes on; a mouse leaves no ring") {
  Stage st;
  st.s->open("demo/1");
  st.frames(4);
  ImGuiContext& g = *ImGui::GetCurrentContext();
  st.press(key::tab);
  CHECK_FALSE(g.NavDisableHighlight);
  st.click(640, 600);
  CHECK(g.NavDisableHighlight);
}

TEST_CASE("window: by Tab and Enter alone: watching is switched, the step is run, a lab is folded") {
  if (!display()) return;
  App app;
  app.start();
  // From the left of the head: menu, device, size, On save, Run; then the list of labs.
  App::key("Tab Tab Tab Tab Return");
  App::key("Tab Return");
  CHECK(app.within(25, [&] { return app.state("demo/2-second") == "passed"; }));
  App::key("Tab Return");
  CHECK(app.quit() == 0);
  const auto kept = app.kept("config", "window.json");
  CHECK(kept.value("watch", true) == false);
  CHECK(kept.value("folded", nlohmann::json::array()).dump().find("demo") != std::string::npos);
}

TEST_CASE("the card of two versions has the keyboard: Enter keeps the text of the window") {
  Stage st;
  st.s->open("demo/2");
  st.frames(3);
  st.s->view()->text.type("// mine ");
  std::ofstream(st.s->catalog().student_file(*st.s->step())) << "// theirs\n";
  CHECK_FALSE(st.s->save());
  REQUIRE(st.s->ui.shows(Overlay::conflict));
  st.frames(3);
  CHECK_FALSE(ImGui::GetCurrentContext()->NavDisableHighlight);
  st.press(key::enter);
  st.frames(2);
  CHECK_FALSE(st.s->ui.shows(Overlay::conflict));
  CHECK(st.s->view()->text.text().starts_with("// mine "));
  // The next conflict has it again.
  st.s->view()->text.type("more ");
  std::ofstream(st.s->catalog().student_file(*st.s->step())) << "// theirs again\n";
  CHECK_FALSE(st.s->save());
  REQUIRE(st.s->ui.shows(Overlay::conflict));
  st.frames(3);
  st.press(key::enter);
  st.frames(2);
  CHECK_FALSE(st.s->ui.shows(Overlay::conflict));
}

TEST_CASE("slow motion opened from the source has the keys: nothing is typed any more") {
  Stage st;
  st.s->open("demo/1");
  st.s->skip_prediction();
  st.frames(30);
  for (int k = 0; k < 400 && st.s->running(); ++k) st.frame();
  st.runner->steps = test::make_trace(true);
  st.s->ui.tab = UiState::Tab::source;
  st.s->ui.focus = "source";
  st.frames(5);
  REQUIRE(st.ui->window.code_focused);
  st.s->recorder.open();
  for (int k = 0; k < 400 && (k < 5 || st.s->running()); ++k) st.frame();
  REQUIRE(st.s->motion.trace());
  st.s->motion.seek(0);
  const size_t at = st.s->motion.at();
  st.press(key::period);
  CHECK(st.s->motion.at() > at);
}
