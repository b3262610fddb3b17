// What was found when the views were opened once more: rows left out, axes and names that were not true,
// words under words.
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "../near.hpp"
#include "gui/panels/widgets.hpp"
#include "lecture_room.hpp"
#include "stage.hpp"

#include <doctest/doctest.h>

using namespace dojo;
using namespace dojo::gui;
using test::Stage;

namespace {
void run_first_step(Stage& st) {
  st.s->open("demo/1");
  st.s->skip_prediction();
  st.frames(24);
  for (int k = 0; k < 400 && st.s->running(); ++k) st.frame();
  REQUIRE(st.s->view()->has_report);
}

template <class Place>
std::vector<ImVec4> all_parts(const Place& place, const std::string& name) {
  std::vector<ImVec4> out;
  for (auto& [n, r] : place.ui->window.layout)
    if (n == name) out.push_back(r);
  return out;
}

bool rects_meet(ImVec4 a, ImVec4 b) { return a.x < b.z && b.x < a.z && a.y < b.w && b.y < a.w; }

/// Vertices of a colour within an area.
std::vector<ImVec2> vertices_in(ImU32 colour, ImVec4 area) {
  std::vector<ImVec2> out;
  const ImDrawData* data = ImGui::GetDrawData();
  for (int k = 0; k < data->CmdListsCount; ++k)
    for (const ImDrawVert& v : data->CmdLists[k]->VtxBuffer)
      if (v.col == colour && v.pos.x >= area.x && v.pos.x <= area.z && v.pos.y >= area.y && v.pos.y <= area.w)
        out.push_back(v.pos);
  return out;
}

run::WorkerEvent progress_event(const char* who, const char* phase, double fraction) {
  run::WorkerEvent e;
  e.kind = run::WorkerEvent::progress;
  e.at = {who, phase, fraction};
  return e;
}
}  // namespace

TEST_CASE("bounds: every resource has its row at 1280 x 720, and nearly as many more behind a scroll bar") {
  static const char* const keys[] = {"dram",  "l2",        "atomics", "l1",    "lsu", "shared",
                                     "issue", "registers", "fma",     "alu",   "xu",  "fp64",
                                     "tex",   "tensor",    "latency", "launch"};
  for (size_t count : {12u, 16u}) {
    CAPTURE(count);
    Stage st(1280, 720);
    run_first_step(st);
    for (auto& r : st.s->view()->report.runs)
      for (auto& l : r.launches) {
        l.bounds.clear();
        for (size_t k = 0; k < count; ++k)
          l.bounds[keys[k]] = double(k + 1) / 16 * l.time_us * (r.who == "student" ? 1 : 0.9);
      }
    st.s->settings.plot = "bounds";
    st.frames(4);
    const PlotOffer& o = st.ui->plots.offers.at("bounds");
    std::set<float> rows;
    for (auto& [says, r] : o.values) rows.insert(std::floor(r.y));
    CHECK(rows.size() == count);
    const auto panel = all_parts(st, "plots");
    REQUIRE(panel.size() == 1);
    if (count == 12) {
      for (auto& [says, r] : o.values) CHECK(r.w <= panel[0].w);
    }
  }
}

TEST_CASE("roofline: the numbers on its axis are operations per second, as the axis says") {
  Stage st(1600, 1000);
  run_first_step(st);
  st.s->ui.plots_only = true;
  st.s->settings.plot = "roofline";
  st.frames(4);
  const PlotOffer& o = st.ui->plots.offers.at("roofline");
  CHECK(o.units.starts_with("operations per second"));
  static const std::map<std::string, double> prefixes = {{"", 1},     {" k", 1e3},  {" M", 1e6},
                                                         {" G", 1e9}, {" T", 1e12}, {" P", 1e15}};
  REQUIRE(o.y_ticks.size() >= 2);
  for (auto& [gflops, label] : o.y_ticks) {
    CAPTURE(label);
    size_t end = 0;
    const double number = std::stod(label, &end);
    REQUIRE(prefixes.count(label.substr(end)));
    CHECK(number * prefixes.at(label.substr(end)) == tolerance::within(gflops * 1e9));
  }
}

TEST_CASE("plots: a file in the student's place has its own name, not yours") {
  Stage st(1600, 1000);
  st.s->set_instructor(true);
  st.s->open("demo/1");
  StandIn ada;
  ada.kind = StandIn::wrong, ada.label = "ada", ada.text = "// by ada\n";
  st.s->choose_stand_in(std::make_shared<StandIn>(ada));
  st.s->run(false);
  for (int k = 0; k < 400 && (k < 24 || st.s->running()); ++k) st.frame();
  REQUIRE(st.s->view()->has_report);
  st.s->ui.plots_only = true;
  for (const char* key :
       {"time", "bandwidth", "timeline", "streams", "waves", "occupancy", "roofline", "stalls", "bounds"}) {
    CAPTURE(key);
    st.s->settings.plot = key;
    st.frames(4);
    auto& legend = st.ui->plots.offers.at(key).legend;
    REQUIRE_FALSE(legend.empty());
    CHECK(legend.front().label == "ada");
    for (auto& l : legend) CHECK(l.label != "You");
    // The legend hides it all the same.
    const ImVec2 at = legend.front().at;
    st.click(at.x, at.y);
    CHECK(st.ui->plots.offers.at(key).legend.front().hidden);
    st.click(at.x, at.y);
    CHECK_FALSE(st.ui->plots.offers.at(key).legend.front().hidden);
  }
  // Nor is it spoken to: beside its bar, above a run that was stopped.
  st.s->settings.plot = "time";
  st.frames(3);
  const PlotOffer& time = st.ui->plots.offers.at("time");
  REQUIRE(time.values.size() >= 2);
  ImGui::GetIO().MousePos = {time.area.x + 20, (time.values[1].second.y + time.values[1].second.w) / 2};
  st.frames(3);
  const auto hover = st.ui->plots.offers.at("time").hover;
  REQUIRE_FALSE(hover.empty());
  CHECK(hover.back().ends_with("× ada's"));
  st.s->view()->student_blocks.stopped = true;
  st.s->settings.plot = "timeline";
  st.frames(3);
  CHECK(st.ui->plots.offers.at("timeline").title == "The run, as far as it went");
  st.s->choose_stand_in(nullptr);
  st.s->run(false);
  for (int k = 0; k < 400 && (k < 24 || st.s->running()); ++k) st.frame();
  st.s->settings.plot = "bounds";
  st.frames(3);
  CHECK(st.ui->plots.offers.at("bounds").legend.front().label == "You");
}

TEST_CASE("times: your run of the step before stands beside your file, and beside no other's") {
  Stage st(1600, 1000);
  st.s->set_instructor(true);
  const auto run = [&] {
    st.s->run(false);
    for (int k = 0; k < 400 && (k < 24 || st.s->running()); ++k) st.frame();
  };
  const auto previous = [&] {
    st.s->settings.plot = "time";
    st.frames(3);
    const auto& legend = st.ui->plots.offers.at("time").legend;
    return std::any_of(legend.begin(), legend.end(), [](auto& l) { return l.label == "Previous step"; });
  };
  st.s->ui.plots_only = true;
  st.s->open("demo/1"), run();
  st.s->open("demo/2"), run();
  CHECK(previous());
  StandIn ada;
  ada.kind = StandIn::wrong, ada.label = "ada", ada.text = "// by ada\n";
  st.s->choose_stand_in(std::make_shared<StandIn>(ada));
  run();
  CHECK_FALSE(previous());
}

TEST_CASE("progress: more inputs, the reference and a second size never take a run's share back") {
  Stage st;
  st.s->open("demo/1");
  std::deque<run::WorkerEvent> events;
  for (const char* who : {"student", "reference", "student", "reference"}) {
    events.push_back(progress_event("", "inputs", 0));
    for (const char* phase : {"compile", "run", "check"})
      for (double fraction : {0.0, 0.5, 1.0}) events.push_back(progress_event(who, phase, fraction));
  }
  run::WorkerEvent report;
  report.kind = run::WorkerEvent::report;
  report.report_ = test::make_report("demo/1-first", {}, {"reference"});
  events.push_back(report);
  st.runner->scripts = {events, events};
  for (int run = 0; run < 2; ++run) {
    st.s->run(false);
    double last = 0;
    CHECK(st.s->overall_progress() < 0.05);
    for (int k = 0; k < 400 && st.s->running(); ++k) {
      st.s->tick(st.now += 0.01);
      CHECK(st.s->overall_progress() >= last);
      last = st.s->overall_progress();
    }
    CHECK(last > 0.9);
  }
}

TEST_CASE("no line of the grid goes through the values behind bars") {
  Stage st(1280, 720);
  run_first_step(st);
  for (const char* key : {"time", "stalls", "bounds"}) {
    CAPTURE(key);
    st.s->settings.plot = key;
    st.frames(4);
    const PlotOffer& o = st.ui->plots.offers.at(key);
    REQUIRE_FALSE(o.values.empty());
    int behind = 0;
    for (auto& [says, r] : o.values) {
      CAPTURE(says);
      // A value in its bar has the bar's ground.
      const auto bars = vertices_in(theme().of(Series::student), {r.x, o.area.y, o.area.z, r.w});
      behind += vertices_in(theme().panel, {r.x - 5, r.y - 1, r.x + 1, r.w + 1}).size() >= 2;
    }
    CHECK(behind > 0);
  }
}

TEST_CASE("a toast does not cover the hint that is being read, and a question that was answered goes") {
  Stage st(1280, 430);
  st.s->open("demo/1");
  st.frames(2);
  for (int k = 0; k < 3; ++k) st.s->show_hint(), st.frames(3);
  REQUIRE(st.s->toasts().size() == 1);  // "Ask once more"
  st.s->show_hint();
  st.frames(3);
  CHECK(st.s->toasts().empty());
  st.s->show_hint();  // "Those were all"
  st.frames(3);
  const auto toasts = all_parts(st, "toast"), hints = all_parts(st, "hint");
  REQUIRE(toasts.size() == 1);
  REQUIRE_FALSE(hints.empty());
  CHECK(hints.back().w > 430 - 26 - 14 - 40);  // it stands where toasts usually do
  for (auto& h : hints) CHECK_FALSE(rects_meet(toasts[0], h));
}

TEST_CASE("lecture: a locked slide's sentence and a question are centred, line by line") {
  const auto lines_in_the_middle = [](const char* slide, ImU32 (*colour)(), ImFont* (*font)()) {
    test::Room room(
        std::string("title = \"A\"\nlab = \"demo\"\n[[slide]]\ntitle = \"R\"\nstep = \"demo/1\"\n") + slide,
        700, 600);
    REQUIRE(room.s->lectern.open(room.deck.string()));
    room.frames(10);
    const auto show = all_parts(room, "show");
    REQUIRE(show.size() == 1);
    const ImVec4 r = show[0];
    const ImVec2 plain = ImGui::GetIO().Fonts->TexUvWhitePixel;  // of the lock, which is no letter
    std::vector<ImVec2> letters;
    float top = 1e9f;
    const ImDrawData* data = ImGui::GetDrawData();
    for (int k = 0; k < data->CmdListsCount; ++k)
      for (const ImDrawVert& v : data->CmdLists[k]->VtxBuffer)
        if (v.col == colour() && (v.uv.x != plain.x || v.uv.y != plain.y) && v.pos.x > r.x && v.pos.x < r.z &&
            v.pos.y > r.y && v.pos.y < r.w)
          letters.push_back(v.pos), top = std::min(top, v.pos.y);
    std::map<int, std::pair<float, float>> lines;  // their letters' ends
    for (auto& p : letters) {
      const int line = int((p.y - top) / font()->FontSize);
      auto [at, first] = lines.try_emplace(line, p.x, p.x);
      at->second = {std::min(at->second.first, p.x), std::max(at->second.second, p.x)};
    }
    REQUIRE(lines.size() >= 2);
    for (auto& [line, ends] : lines) {
      CAPTURE(line);
      CHECK(std::fabs((ends.first + ends.second) / 2 - (r.x + r.z) / 2) < 6);
    }
  };
  lines_in_the_middle(
      "show = \"reference\"\n", [] { return theme().muted; }, [] { return fonts().ui; });
  lines_in_the_middle(
      "show = \"time\"\nhide = true\nquestion = \"From stride 32 on one warp works. May it leave out every "
      "wait "
      "between its lanes, or only the last ones?\"\n",
      [] { return theme().text; }, [] { return fonts().slide_title; });
}

TEST_CASE("before a stand-in has run, its place says what Run does, and the plots are still yours") {
  Stage st;
  st.s->set_instructor(true);
  st.s->open("demo/1");
  StandIn ada;
  ada.kind = StandIn::wrong, ada.label = "ada", ada.text = "// by ada\n";
  st.s->choose_stand_in(std::make_shared<StandIn>(ada));
  st.frames(3);
  CHECK(all_parts(st, "not run: Press Run: ada runs in the place of your file, and nothing of it is kept.")
            .size() == 1);
  CHECK(st.s->student_name() == "You");  // nothing of ada's has run
  st.s->choose_stand_in(nullptr);
  st.frames(3);
  CHECK(all_parts(
            st, "not run: Read the brief, edit the file, and press Run, or just save it in your own editor.")
            .size() == 1);
}

TEST_CASE("after the tour, left by key, no button has the focus's frame and its tip") {
  Stage st;
  st.s->open("demo/1");
  st.s->ui.tour = 4;
  st.frames(3);
  GImGui->NavDisableHighlight = false;  // as after Tab
  st.frames(2);
  CHECK_FALSE(GImGui->NavDisableHighlight);
  st.s->ui.tour = -1;
  st.frames(3);
  CHECK(GImGui->NavDisableHighlight);
}

TEST_CASE("addresses, banks: the heads of the table of lines are whole in the narrowest result") {
  Stage st(1600, 1000);
  st.runner->steps = test::make_trace();
  run_first_step(st);
  for (const char* key : {"addresses", "bankmap"}) {
    CAPTURE(key);
    st.s->settings.plot = key;
    st.frames(30);
    int heads = 0;
    for (int k = 0; k < GImGui->Tables.GetMapSize(); ++k) {
      ImGuiTable* table = GImGui->Tables.TryGetMapData(k);
      if (!table || table->LastFrameActive < GImGui->FrameCount - 1 || table->ColumnsCount != 4) continue;
      for (int c = 0; c < 4; ++c) {
        const std::string name = ImGui::TableGetColumnName(table, c);
        CAPTURE(name);
        ++heads;
        CHECK(table->Columns[c].WorkMaxX - table->Columns[c].WorkMinX >= text_size(fonts().small, name).x);
      }
    }
    CHECK(heads == 4);
  }
}

TEST_CASE("Ctrl+Q ends the app also while a card asks for something") {
  Stage st;
  st.s->open("demo/1");
  st.s->ui.open(Overlay::predict);
  st.frames(3);
  st.press('Q', true);
  CHECK(st.s->ui.quit);
}
