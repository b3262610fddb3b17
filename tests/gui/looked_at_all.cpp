// What was found when every view was looked at in three sizes and two themes: words over words, lines broken
// inside a number, and words of a gate that fails below one that passed.
#include <imgui_internal.h>

#include <cmath>

#include "gui/model/slow_motion.hpp"
#include "gui/model/text/gate_words.hpp"
#include "gui/panels/plots/alternate.hpp"
#include "gui/panels/widgets.hpp"
#include "lecture_room.hpp"
#include "run/advice.hpp"
#include "stage.hpp"

#include <doctest/doctest.h>

using namespace dojo;
using namespace dojo::gui;
using test::Stage;

namespace {
template <class Place>
ImVec4 part_called(const Place& place, const std::string& name) {
  for (auto& [n, r] : place.ui->window.layout)
    if (n == name) return r;
  return {};
}

/// What is drawn in a colour within an area: how many corners, and how many of them their clip hides.
struct Corners {
  int seen = 0, hidden = 0;
};
Corners corners(ImU32 colour, ImVec4 area) {
  Corners out;
  const ImDrawData* data = ImGui::GetDrawData();
  for (int k = 0; k < data->CmdListsCount; ++k) {
    const ImDrawList& list = *data->CmdLists[k];
    for (const ImDrawCmd& command : list.CmdBuffer)
      for (unsigned i = 0; i < command.ElemCount; ++i) {
        const ImDrawVert& v =
            list.VtxBuffer[int(command.VtxOffset) + list.IdxBuffer[int(command.IdxOffset + i)]];
        if (v.col != colour || v.pos.x < area.x || v.pos.x > area.z || v.pos.y < area.y || v.pos.y > area.w)
          continue;
        const ImVec4 c = command.ClipRect;
        ++(v.pos.x < c.x || v.pos.x > c.z || v.pos.y < c.y || v.pos.y > c.w ? out.hidden : out.seen);
      }
  }
  return out;
}

void run_demo(Stage& st) {
  st.s->open("demo/1");
  st.s->skip_prediction();
  st.frames(24);
  for (int k = 0; k < 400 && st.s->running(); ++k) st.frame();
  REQUIRE(st.s->view()->has_report);
}
}  // namespace

TEST_CASE("the lab's curve: its unit stands beside the legend, or below it, and within the page") {
  for (float width : {1280.f, 1920.f}) {
    CAPTURE(width);
    Stage st(width, 720);
    run_demo(st);
    st.s->commands.run("view.lab");
    st.frames(3);
    const ImVec4 legend = part_called(st, "lab curve's legend"), unit = part_called(st, "lab curve's unit"),
                 page = part_called(st, "lab page"), curve = part_called(st, "lab curve");
    REQUIRE(legend.z > legend.x);
    REQUIRE(unit.z > unit.x);
    CHECK((unit.x >= legend.z || unit.y >= legend.w));
    CHECK(unit.z <= page.z);
    CHECK(unit.w <= curve.y);
  }
}

TEST_CASE("a line never ends inside a word: behind the full stop of a number or before a bracket") {
  Stage st;
  st.frame();
  ImFont* f = fonts().ui;
  const float room = text_size(f, "how many? (Before: 150.").x + 1;
  CHECK(wrapped_lines(f, "how many? (Before: 150.)", room) ==
        std::vector<std::string>{"how many? (Before:", "150.)"});
  CHECK(wrapped_lines(f, "it takes 0.5 µs", text_size(f, "it takes 0.").x + 1).front() == "it takes");
  // A word that is wider than its line is broken, as there is no other place.
  ImGui::NewFrame();
  ImGui::Begin("words");
  ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + room);
  text_in(f, theme().text, "how many? (Before: 150.)");
  const ImVec2 two = ImGui::GetItemRectSize();
  text_in(f, theme().text, "how many? (Before: 150");
  const ImVec2 one = ImGui::GetItemRectSize();
  text_in(f, theme().text, std::string(90, 'm'));
  const ImVec2 long_word = ImGui::GetItemRectSize();
  ImGui::PopTextWrapPos();
  ImGui::End();
  ImGui::Render();
  CHECK(two.y > one.y * 1.5f);
  CHECK(std::fabs(two.x - text_size(f, "how many? (Before:").x) < 1);
  CHECK(long_word.x <= room);
}

TEST_CASE("the words of a gate are those of one that fails: a passed one says so") {
  GateReport g{"shared_conflicts == 0", 0, 0, "==", true, "Lanes still meet in one bank."};
  CHECK(gate_says(g) == "If it fails: Lanes still meet in one bank.");
  g.pass = false;
  CHECK(gate_says(g) == "Lanes still meet in one bank.");
  g.pass = true, g.words.clear();
  CHECK(gate_says(g).empty());
}

TEST_CASE("a recording says in full from which driver and commit it is") {
  Stage st(1280, 720);
  run_demo(st);
  auto& report = st.s->view()->report;
  std::erase_if(report.runs, [](const RunReport& r) { return r.who != "reference"; });
  report.device.kind = DeviceKind::recording;
  const auto high = [&](const char* note) {
    report.device.recorded_note = note;
    st.frames(3);
    const ImVec4 words = part_called(st, "verdict's detail"), result = part_called(st, "verdict");
    CHECK(words.z <= result.z);
    return words.w - words.y;
  };
  const float line = high("2026-11-25");
  REQUIRE(line > 8);
  CHECK(high("NVIDIA H100 80GB HBM3, driver 580.95.05, recorded on 2026-11-25, commit 4f1c0de9a1b2c3d4") >
        1.5f * line);
}

TEST_CASE("no line of the grid goes through the words at the peak") {
  Stage st(1600, 1000);
  run_demo(st);
  st.s->start_sweep(false);
  st.frames(400);
  REQUIRE_FALSE(st.s->running());
  st.s->ui.plots_only = true;
  for (const char* key : {"bandwidth", "sweep"}) {
    CAPTURE(key);
    st.s->settings.plot = key;
    st.frames(5);
    const auto& values = st.ui->plots.offers.at(key).values;
    const auto peak =
        std::find_if(values.begin(), values.end(), [](auto& v) { return v.first.starts_with("peak "); });
    REQUIRE(peak != values.end());
    const ImVec4 r = peak->second;
    // The corners of the ground below the words, which a fringe surrounds.
    for (const ImVec2 at : {ImVec2{r.x, r.y}, ImVec2{r.z, r.w}})
      CHECK(corners(theme().panel, {at.x - 4, at.y - 4, at.x + 4, at.y + 4}).seen > 0);
  }
}

TEST_CASE("the open step stays in sight in the list of labs when all grows") {
  Stage st(2560, 300);
  st.s->open("other/1");
  st.frames(4);
  const auto chosen = [&] { return corners(theme().accent, part_called(st, "rail")).seen; };
  REQUIRE(chosen() > 0);
  build_fonts(2);
  unsigned char* pixels;
  int w, h;
  ImGui::GetIO().Fonts->GetTexDataAsRGBA32(&pixels, &w, &h);
  set_theme("dark", 2);
  st.frames(4);
  CHECK(chosen() > 0);
}

TEST_CASE("a timeline whose bars have their kernels' colours names no other colour") {
  Stage st(1600, 1000);
  run_demo(st);
  st.s->settings.plot = "timeline";
  st.s->ui.plots_only = true;
  const auto names = [&] {
    st.frames(4);
    std::string out;
    for (auto& l : st.ui->plots.offers.at("timeline").legend) out += l.label + " ";
    return out;
  };
  CHECK(names().starts_with("You Reference "));
  auto& report = st.s->view()->report;
  std::erase_if(report.runs, [](const RunReport& r) { return r.who != "student"; });
  CHECK(names().starts_with("You "));
  auto& launches = report.runs.at(0).launches;
  launches.push_back(launches.at(0));
  launches.back().kernel = "fill";
  CHECK(names().starts_with(launches[0].kernel + " fill "));
}

TEST_CASE("advice: a launch that fills nearly all block slots is not told to use smaller blocks") {
  RunReport r;
  r.who = "student";
  r.time_us.value = 3;
  r.launches.resize(1);
  r.launches[0].time_us = 3;
  r.launches[0].grid = {1024, 1, 1};
  r.launches[0].blocks_per_sm = 8;
  ReportDevice device;
  device.sms = 132;
  const auto tail = [&](double waves) {
    r.launches[0].waves = r.launches[0].wave_utilization = waves;
    const auto all = run::advise(r, device);
    return std::any_of(all.begin(), all.end(), [](auto& a) { return a.kind == "tail"; });
  };
  CHECK(tail(0.5));
  CHECK_FALSE(tail(1024.0 / (132 * 8)));
}

TEST_CASE("what if: tiles with a line between them have one shade, and their sentence fits the plot") {
  for (auto [width, height] : {std::pair{1280.f, 720.f}, std::pair{1920.f, 1080.f}}) {
    CAPTURE(width);
    Stage st(width, height);
    st.s->open("demo/1");
    st.s->settings.plot = "whatif";
    st.s->ui.plots_only = width > 1500;
    st.frames(5);
    const PlotOffer& o = st.ui->plots.offers.at("whatif");
    CHECK(corners(theme().data[0], o.area).seen > 0);
    CHECK(corners(alternate(theme().data[0]), o.area).seen == 0);
    REQUIRE_FALSE(o.values.empty());
    for (auto& [says, r] : o.values) {
      CAPTURE(says);
      CHECK(r.z <= o.area.z);
      CHECK(says.find("% used") != std::string::npos);
      CHECK((width < 1500 || says.find("as fast") != std::string::npos));
    }
  }
}

TEST_CASE("a mark on a sweep's edge is whole") {
  Stage st(1600, 1000);
  run_demo(st);
  st.s->start_sweep(false);
  st.frames(400);
  REQUIRE_FALSE(st.s->running());
  st.s->settings.plot = "sweep";
  st.s->ui.plots_only = true;
  st.frames(5);
  const PlotOffer before = st.ui->plots.offers.at("sweep");
  const ImVec4 a = before.area;
  const auto& first = st.s->sweep().points.front();
  const float x = a.x + float(before.view.x.to01(first.x)) * (a.z - a.x);
  // The plot is dragged until the first point is a pixel inside its left edge.
  ImGuiIO& io = ImGui::GetIO();
  io.MousePos = {(a.x + a.z) / 2, (a.y + a.w) / 2};
  st.frames(2);
  io.MouseDown[0] = true;
  st.frames(2);
  for (float left = x - a.x - 1; left > 0; left -= 20) {
    io.MousePos.x -= std::min(left, 20.0f);
    st.frame();
  }
  st.frame();
  io.MouseDown[0] = false;
  st.frames(3);
  const PlotOffer after = st.ui->plots.offers.at("sweep");
  const float now = a.x + float(after.view.x.to01(first.x)) * (a.z - a.x);
  REQUIRE(now >= a.x);
  REQUIRE(now < a.x + 3);
  const Corners mark = corners(theme().of(Series::student), {a.x - 6, a.y, a.x - 0.6f, a.w});
  CHECK(mark.seen > 0);
  CHECK(mark.hidden == 0);
}

TEST_CASE("lecture: the clock under a slide's timeline stands above the slide's foot") {
  test::Room room(
      "title = \"A\"\nlab = \"demo\"\n[[slide]]\ntitle = \"When\"\nstep = \"demo/1\"\nshow = "
      "\"timeline\"\n");
  REQUIRE(room.s->lectern.open(room.deck.string()));
  room.frames(60);
  const ImVec4 clock = part_called(room, "timeline's clock");
  REQUIRE(clock.z > clock.x);
  CHECK(clock.w <= 720);
  for (auto& [name, r] : room.ui->window.layout)
    if (name.starts_with("foot ") && r.z > clock.x && r.x < clock.z) {
      CAPTURE(name);
      CHECK(clock.w <= r.y);
    }
}

TEST_CASE("timeline: the line between two consecutive blocks is a whole pixel, wherever they meet") {
  Stage st(1600, 1000);
  st.runner->student.blocks = st.runner->reference.blocks = 40;
  st.runner->student.sms = st.runner->reference.sms = 8;
  st.runner->student.per_sm = st.runner->reference.per_sm = 1;
  run_demo(st);
  st.s->settings.plot = "timeline";
  st.s->ui.plots_only = true;
  st.frames(4);
  const ImVec4 area = st.ui->plots.offers.at("timeline").area;
  const ImU32 edge = fade(theme().panel, 0.75f);
  int lines = 0;
  const ImDrawData* data = ImGui::GetDrawData();
  for (int k = 0; k < data->CmdListsCount; ++k)
    for (const ImDrawVert& v : data->CmdLists[k]->VtxBuffer)
      if (v.col == edge && v.pos.x > area.x && v.pos.x < area.z && v.pos.y > area.y && v.pos.y < area.w) {
        ++lines;
        CHECK(v.pos.x == std::floor(v.pos.x));
      }
  CHECK(lines >= 4 * 40);
}

TEST_CASE("what if: at 1280 x 720 the rows, their sentence and the axis are in sight without scrolling") {
  Stage st(1280, 720);
  st.s->open("demo/1");
  st.s->settings.plot = "whatif";
  st.frames(5);
  const PlotOffer& o = st.ui->plots.offers.at("whatif");
  const ImVec4 panel = part_called(st, "plots");
  REQUIRE(panel.w > panel.y);
  REQUIRE(o.values.size() == 1);
  CHECK(o.values[0].second.w <= panel.w);
  CHECK(o.area.w + fonts().small->FontSize <= panel.w);
}

TEST_CASE("arrows are as large as the letters beside them") {
  Stage st;
  st.frame();
  for (ImFont* f : {fonts().small, fonts().ui}) {
    const ImFontGlyph *arrow = f->FindGlyphNoFallback(0x2192), *letter = f->FindGlyphNoFallback('e');
    REQUIRE(arrow);
    REQUIRE(letter);
    CHECK(arrow->X1 - arrow->X0 > letter->X1 - letter->X0);
  }
}

TEST_CASE("slow motion: of a line's accesses the one with the finding is shown, however cheap") {
  const auto trace = test::make_trace(true);
  REQUIRE(trace->notes.size() == 1);
  // The store of 32 sectors is on the line of the load that has the finding.
  trace->code[3].line = trace->code[2].line;
  SlowMotion m;
  m.set(trace);
  for (bool more = true; more; more = m.forward()) {
    const auto notes = m.notes();
    if (notes.empty()) continue;
    const auto all = m.accesses();
    REQUIRE(all.size() == 2);
    CHECK(all.back()->space == StepTrace::Space::shared);
    return;
  }
  FAIL("no stop has the finding");
}

TEST_CASE("tour: the frame around the Run button is not on the button, which has its colour") {
  Stage st;
  st.s->open("demo/1");
  st.s->ui.tour = 3;
  st.frames(3);
  const ImVec4 run = part_called(st, "run");
  REQUIRE(run.z > run.x);
  CHECK(corners(theme().accent, {run.x - 8, run.y, run.x - 2, run.w}).seen > 0);
}

TEST_CASE("a gate on time has its unit when the run was on another device, too") {
  Stage st;
  run_demo(st);
  REQUIRE(st.s->step()->device == "simt:h100");
  auto& report = st.s->view()->report;
  for (auto& r : report.runs) r.gates = {{"time_us <= 5", 3, 5, "<=", true, ""}};
  report.device.name = "simt:toy4";
  report.device.clock_mhz = 1;
  st.frames(3);
  CHECK(part_called(st, "gate is 3 µs").z > 0);
}

TEST_CASE("Ctrl+Page Down opens the next step and moves no focus: no frame, also around plots") {
  Stage st;
  ImGui::GetIO().KeyMap[ImGuiKey_PageDown] = key::page_down;
  st.s->open("demo/1");
  st.frames(5);
  st.press(key::page_down, true);
  st.frames(3);
  CHECK(st.s->step()->id() == "demo/2-second");
  CHECK(GImGui->NavDisableHighlight);
}

TEST_CASE("slow motion: F8 opens where something was found, as the link below the finding does") {
  Stage st;
  run_demo(st);
  Diagnostic d;
  d.kind = FindingKind::race;
  d.kernel = "sum";
  d.message = "Race: thread 3 writes part[1].";
  d.block = Dim3{7, 0, 0};
  for (auto& r : st.s->view()->report.runs)
    if (r.who == "student") r.diagnostics.push_back(d);
  st.s->commands.run("motion.show");
  CHECK(st.s->recorder.finding.words == d.message);
  CHECK(st.s->recorder.ask.index == Dim3{7, 0, 0});
}
