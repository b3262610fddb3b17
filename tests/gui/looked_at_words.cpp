// What was found when every view was looked at again: questions that a run answers, gates without units, rows
// too low for their names, and marks that hide each other.
#include <doctest/doctest.h>

#include <imgui_internal.h>

#include <fstream>

#include "../near.hpp"
#include "core/paths.hpp"
#include "gui/model/plots/compare.hpp"
#include "gui/model/plots/plots.hpp"
#include "gui/model/text/gate_words.hpp"
#include "gui/model/verdict.hpp"
#include "stage.hpp"

using namespace dojo;
using namespace dojo::gui;
using test::Stage;

namespace {
/// demo/1 asks for a number that its run counts.
void ask_for_a_counter(Stage& st) {
  const fs::path file = st.folder.path / "labs/01-demo/lab.toml";
  std::string text = read_regular_file(file).value();
  const std::string answer = "answer = \"2\"";
  REQUIRE(text.find(answer) != std::string::npos);
  text.replace(text.find(answer), answer.size(), "counter = \"blocks\"");
  std::ofstream(file) << text;
  st.s->reload_catalog();
  REQUIRE(st.s->open("demo/1"));
}

int parts_called(const Stage& st, const char* name) {
  return int(std::count_if(st.ui->window.layout.begin(), st.ui->window.layout.end(),
                           [&](auto& l) { return l.first == name; }));
}

ImVec4 part_called(const Stage& st, const char* name) {
  for (auto& [n, r] : st.ui->window.layout)
    if (n == name) return r;
  return {};
}

/// The box around all that is drawn in a colour, within an area.
ImVec4 box_of(ImU32 colour, ImVec4 area) {
  ImVec4 box{1e9f, 1e9f, -1e9f, -1e9f};
  const ImDrawData* d = ImGui::GetDrawData();
  for (int k = 0; k < d->CmdListsCount; ++k)
    for (auto& v : d->CmdLists[k]->VtxBuffer)
      if (v.col == colour && v.pos.x >= area.x && v.pos.x <= area.z && v.pos.y >= area.y && v.pos.y <= area.w)
        box = {std::min(box.x, v.pos.x), std::min(box.y, v.pos.y), std::max(box.z, v.pos.x),
               std::max(box.w, v.pos.y)};
  return box;
}

/// A run that copies on five rows: host, up, down and two streams.
void give_timeline(RunReport& r) {
  using Kind = WorkSpan::Kind;
  r.end_to_end_us = 40;
  r.timeline.clear();
  const auto add = [&](Kind kind, int stream, double from, double to) {
    WorkSpan s;
    s.kind = kind, s.label = "work", s.stream = stream, s.start_us = from, s.end_us = to, s.bytes = 4096;
    r.timeline.push_back(s);
  };
  add(Kind::host, 0, 0, 40);
  for (int k = 0; k < 2; ++k) {
    add(Kind::up, k + 1, 1 + 10 * k, 9 + 10 * k);
    add(Kind::kernel, k + 1, 9 + 10 * k, 12 + 10 * k);
    add(Kind::down, k + 1, 12 + 10 * k, 20 + 10 * k);
  }
}
}  // namespace

TEST_CASE("a run without a prediction closes the question when its counters hold the answer") {
  Stage st;
  ask_for_a_counter(st);
  REQUIRE(st.s->awaiting_prediction());
  REQUIRE(st.s->run(false));  // as a save from another editor does
  st.frames(24);
  REQUIRE_FALSE(st.s->running());
  REQUIRE(reveal(*st.s->step(), "", &st.s->view()->report).judged);
  CHECK_FALSE(st.s->awaiting_prediction());
  CHECK(parts_called(st, "prediction") == 0);
  CHECK(parts_called(st, "prediction result") == 1);
  // The next run does not ask for what is known.
  CHECK(st.s->run());
  CHECK_FALSE(st.s->ui.shows(Overlay::predict));
}

TEST_CASE("a run leaves a question open whose answer no counter of it is") {
  Stage st;
  REQUIRE(st.s->open("demo/1"));
  REQUIRE(st.s->run(false));
  st.frames(24);
  REQUIRE_FALSE(st.s->running());
  CHECK(st.s->awaiting_prediction());
}

TEST_CASE("Run without predicting closes the question, from the palette as from the brief") {
  Stage st;
  REQUIRE(st.s->open("demo/1"));
  REQUIRE(st.s->awaiting_prediction());
  REQUIRE(st.s->commands.run("run.anyway"));
  st.frames(24);
  REQUIRE_FALSE(st.s->running());
  CHECK(st.s->view()->has_report);
  CHECK_FALSE(st.s->awaiting_prediction());
  CHECK(parts_called(st, "prediction result") == 1);
}

TEST_CASE("a run that did not get as far as counting leaves the question open") {
  Stage st;
  ask_for_a_counter(st);
  st.runner->reference.status = Status::compile_error;
  st.runner->student.status = Status::compile_error;
  REQUIRE(st.s->run(false));
  st.frames(24);
  const bool judged = reveal(*st.s->step(), "", &st.s->view()->report).judged;
  CHECK(st.s->awaiting_prediction() == !judged);
}

TEST_CASE("an instructor who never ran a step is not told that it ran without a prediction") {
  CHECK(predicted_words("", false) == "Students are asked this before they run.");
  CHECK(predicted_words("", true) == "You ran it without a prediction.");
  CHECK(predicted_words("70", false) == "You said 70.");
}

TEST_CASE("a gate on a time says microseconds beside its value; one on counts needs no unit") {
  ReportDevice gpu, toy;
  toy.clock_mhz = 1;
  CHECK(gate_unit({"time_us <= 2658", 2600, 2658, "<=", true, ""}, toy) == " units");
  CHECK(gate_unit({"time_us <= 0.9 * reference(previous)", 20.03, 22.63, "<=", true, ""}, gpu) == " µs");
  CHECK(gate_unit({"end_to_end_us <= 1.25 * reference(self)", 1, 2, "<=", true, ""}, gpu) == " µs");
  CHECK(gate_unit({"instructions <= 0.9 * reference(previous)", 1, 2, "<=", true, ""}, gpu) == "");
  CHECK(gate_unit({"time_us / blocks <= 3", 1, 3, "<=", true, ""}, gpu) == "");
  CHECK(gate_unit({"time_us", 1, 3, "", true, ""}, gpu) == "");
}

TEST_CASE("streams: rows too low for their names fold the reference, and yours have the room") {
  Stage st(1280, 720);
  st.s->open("demo/2");
  st.s->run(false);
  st.frames(24);
  REQUIRE(st.s->view()->has_report);
  for (auto& r : st.s->view()->report.runs) give_timeline(r);
  st.s->settings.plot = "streams";
  const auto low = [&] {
    st.frames(3);
    const ImVec4 rows = part_called(st, "streams rows");
    return (rows.w - rows.y) / 5 < fonts().small->FontSize * 0.8f;
  };
  for (const float height : {720.0f, 768.0f, 1080.0f}) {
    CAPTURE(height);
    ImGui::GetIO().DisplaySize = {1280, height};
    CHECK_FALSE(low());
    CHECK(parts_called(st, "streams rows") + parts_called(st, "streams folded") == 2);
    CHECK(parts_called(st, "streams rows") >= 1);
  }
  ImGui::GetIO().DisplaySize = {1280, 720};
  st.s->ui.plots_only = true;
  CHECK_FALSE(low());
  CHECK(parts_called(st, "streams rows") == 2);  // F6: both
}

TEST_CASE("a legend of several rows keeps clear of what stands below it") {
  Stage st(1280, 720);
  st.s->open("demo/2");
  st.s->run(false);
  st.frames(24);
  for (auto& r : st.s->view()->report.runs) give_timeline(r);
  st.s->settings.plot = "streams";
  st.frames(3);
  const PlotOffer& o = st.ui->plots.offers.at("streams");
  std::set<float> rows;
  for (auto& l : o.legend) rows.insert(l.at.y);
  REQUIRE(rows.size() == 2);
  // Rows follow without a gap, and the last one ends above the area.
  const float step = *rows.rbegin() - *rows.begin();
  CHECK(step == dojo::tolerance::near(fonts().small->FontSize + 6));
  CHECK(*rows.rbegin() + step / 2 < o.area.y);
}

TEST_CASE("the lab's curve: where you are as fast as the reference, both marks are seen") {
  Stage st(1280, 720);
  st.s->open("demo/1");
  st.s->skip_prediction();
  st.frames(24);
  st.runner->student.block_us = st.runner->reference.block_us;
  st.s->run(false);
  st.frames(24);
  REQUIRE_FALSE(st.s->running());
  st.s->commands.run("view.lab");
  st.frames(3);
  const ImVec4 curve = part_called(st, "lab curve");
  REQUIRE(curve.w > curve.y);
  const ImVec4 mine = box_of(theme().of(Series::student), curve),
               theirs = box_of(theme().of(Series::reference), curve);
  REQUIRE(mine.z > mine.x);
  CHECK(theirs.x < mine.x - 1);
  CHECK(theirs.z > mine.z + 1);
  CHECK(theirs.y < mine.y - 1);
  CHECK(theirs.w > mine.w + 1);
}

TEST_CASE("a field that a key opens has the keyboard after the two frames that the input queue waits") {
  Stage st;
  st.s->open("demo/1");
  st.frames(3);
  st.s->commands.run("help.palette");
  st.frames(2);
  ImGui::GetIO().AddInputCharacter('w');
  st.frames(2);
  const ImGuiInputTextState* field = ImGui::GetInputTextState(GImGui->ActiveId);
  REQUIRE(field);
  CHECK(field->CurLenA == 1);
  st.s->ui.close(Overlay::palette);
  st.frames(3);
  CHECK_FALSE(st.s->run());  // asks for the prediction
  st.frames(2);
  ImGui::GetIO().AddInputCharacter('2');
  st.frames(2);
  const ImGuiInputTextState* number = ImGui::GetInputTextState(GImGui->ActiveId);
  REQUIRE(number);
  CHECK(number->CurLenA == 1);
}

TEST_CASE("Esc closes the list of devices, and the run goes on; the next Esc cancels it") {
  Stage st(1280, 720);
  st.s->open("demo/2");
  st.runner->delay = 100000;
  REQUIRE(st.s->run());
  st.frames(3);
  st.click(832, 24);
  const auto list_open = [] {
    return ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
  };
  REQUIRE(list_open());
  st.press(key::escape);
  CHECK_FALSE(list_open());
  CHECK(st.s->running());
  CHECK_FALSE(st.s->cancelling());
  st.press(key::escape);
  CHECK((st.s->cancelling() || !st.s->running()));
}

TEST_CASE("numbers of lanes in the pattern of banks stay apart; where they can't, there are none") {
  size_t large = 0;
  for (const float width : {1280.0f, 1920.0f}) {
    CAPTURE(width);
    Stage st(width, width * 0.5625f);
    st.s->open("demo/1");
    st.s->choose_plot("bankmap");
    for (const bool alone : {false, true}) {
      st.s->ui.plots_only = alone;
      st.s->ui.pattern = true;
      st.frames(4);
      const auto& values = st.ui->plots.offers.at("bankpattern").values;
      for (size_t k = 1; k < values.size(); ++k) CHECK(values[k].second.x - values[k - 1].second.z >= 3);
      if (alone) large += values.size();
    }
  }
  CHECK(large == 64);
}
