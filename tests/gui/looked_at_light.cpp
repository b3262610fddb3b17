// What was found when every view was looked at in the light theme: units of toys, elements that no thread
// wrote, reports without a source, recordings without the step, runs without counters.
#include <doctest/doctest.h>

#include <imgui_internal.h>

#include <bit>
#include <cmath>

#include "app_window.hpp"
#include "core/error.hpp"
#include "gui/model/plots/what_if.hpp"
#include "gui/model/verdict.hpp"
#include "gui/panels/motion/slow_motion_parts.hpp"
#include "gui/panels/widgets.hpp"
#include "run/recordings/recording.hpp"
#include "run/step/poison.hpp"
#include "stage.hpp"

using namespace dojo;
using namespace dojo::gui;
using test::Stage;

namespace {
bool has_window(const char* part) {
  for (ImGuiWindow* w : ImGui::GetCurrentContext()->Windows)
    if (w->Active && std::string(w->Name).find(part) != std::string::npos) return true;
  return false;
}

Mismatch got(double value) {
  Mismatch m;
  m.buffer = "out", m.got = value, m.expected = 1;
  return m;
}

void run_it(Stage& st) {
  st.s->run(false);
  for (int k = 0; k < 200 && (st.s->running() || !st.s->view()->has_report); ++k) st.frame();
  REQUIRE(st.s->view()->has_report);
}
}  // namespace

TEST_CASE("an element that no thread wrote is told by its poison, in every type of more than one byte") {
  for (double poisoned : {-875836469.0, 3419130827.0, -26711958.0, -15.5859375})
    CHECK(never_written(got(poisoned)));
  double wide;
  std::memset(&wide, poison, sizeof wide);
  CHECK(never_written(got(wide)));
  // A thread that writes these bytes has written them, and a byte of this value is an ordinary one.
  Mismatch written = got(-875836469.0);
  written.thread = Dim3{1, 0, 0};
  CHECK_FALSE(never_written(written));
  for (double plain : {0.0, -53.0, 203.0, -875836470.0, std::nan("")}) CHECK_FALSE(never_written(got(plain)));
}

TEST_CASE("times of a toy device are units, and those of a GPU microseconds") {
  ReportDevice d;
  d.kind = DeviceKind::simt;
  d.clock_mhz = 1;
  CHECK(time_on(d, 2654.4) == "2654.4 units");
  CHECK(std::string(time_unit(d)) == "units");
  d.clock_mhz = 1980;
  CHECK(time_on(d, 2654.4) == "2.65 ms");
  CHECK(std::string(time_unit(d)) == "µs");
}

TEST_CASE("a recording without the step or the size says what to choose instead") {
  run::Recording recording;
  Report r = test::make_report("demo/1", {}, {"reference"});
  r.size = {{"n", 1024}};
  recording.reports.push_back(r);
  const auto said = [&](const char* step, const Size& size) -> std::string {
    try {
      run::replay("rec:x", recording, step, size);
    } catch (const Error& e) {
      return e.what();
    }
    return "";
  };
  CHECK(said("demo/1", {{"n", 7}}) ==
        "the recording has demo/1 at n=1024 only: choose that size, or another device");
  CHECK(said("demo/2", {}) == "the recording has no run of demo/2: choose another device");
  CHECK(said("demo/1", {{"n", 1024}}).empty());
}

TEST_CASE("a stored report without its source shows no empty file") {
  Stage st;
  st.s->open("demo/1");
  Report r = test::make_report("gone.cu", {}, {"reference"});
  std::erase_if(r.runs, [](const RunReport& x) { return x.who != "student"; });
  const fs::path file = st.folder.path / "kept.json";
  std::ofstream(file) << to_json(r, 2);
  REQUIRE(st.s->open_report(file.string()));
  st.s->ui.tab = UiState::Tab::source;
  st.frames(3);
  CHECK(has_window("stand-in words"));
  CHECK_FALSE(has_window("/stand-in_"));
}

TEST_CASE("two runs that stopped before a kernel ended show no empty table of counters") {
  const auto tables = [](bool stopped) {
    Stage st;
    st.s->open("demo/2");
    run_it(st);
    run_it(st);
    for (auto& past : st.s->view()->history)
      for (auto& r : past.report.runs)
        if (stopped) r.launches.clear(), r.status = Status::finding, r.time_us = {};
    st.s->ui.tab = UiState::Tab::compare;
    st.frames(3);
    return std::count_if(st.ui->window.layout.begin(), st.ui->window.layout.end(),
                         [](auto& part) { return part.first == "counters of two runs"; });
  };
  CHECK(tables(false) == 1);
  CHECK(tables(true) == 0);
}

TEST_CASE("the headline of What if fits beside the plot's buttons at 1280 pixels") {
  Stage st;
  WhatIfModel w;
  w.update();
  CHECK(text_size(fonts().strong, w.headline()).x < px(262));
}

TEST_CASE("the page of programs and reports lists them, and speaks of no steps to pass") {
  Stage st;
  const fs::path file = st.folder.path / "mine.cu";
  std::ofstream(file) << "int main() {}\n";
  REQUIRE(st.s->open_program(file.string()));
  const auto vertices = [&](const std::string& lab) {
    st.s->ui.lab_page = lab;
    return st.frames(3);
  };
  const std::string mine = st.s->lab()->name;
  st.s->open("demo/1");
  const std::string demo = st.s->lab()->name;
  CHECK(vertices(mine) < vertices(demo));
  CHECK(has_window("lab steps"));
}

TEST_CASE("window: a lab's name at the start opens the lab's page") {
  if (!test::display()) return;
  for (const char* wanted : {"demo", "demo/1"}) {
    test::App app;
    // Ctrl+W is there for the page alone: without one the command can't be used, and the start fails.
    app.options = [](GuiOptions& o) { o.commands = "file.close"; };
    app.start({}, 20, "", wanted, 5);
    CHECK((app.wait() == 0) == (std::string(wanted) == "demo"));
  }
}

TEST_CASE("a save from another editor closes the card that asks for a prediction, and runs") {
  Stage st;
  st.s->open("demo/1");
  st.frames(2);
  st.runner->delay = 100000;
  CHECK_FALSE(st.s->run());
  CHECK(st.s->ui.shows(Overlay::predict));
  CHECK(st.s->run(false));  // as the watch does
  CHECK_FALSE(st.s->ui.shows(Overlay::predict));
  CHECK(st.s->awaiting_prediction());
}

TEST_CASE("saving writes a file that is gone, edited or not") {
  Stage st;
  st.s->open("demo/2");
  st.frames(2);
  const fs::path own = st.s->catalog().student_file(*st.s->step());
  REQUIRE(fs::remove(own));
  CHECK(st.s->save());
  std::string text = read_regular_file(own).value();
  CHECK(text == st.s->view()->text.text());
}

TEST_CASE("the button that saves is whole at every width of the window") {
  for (float across : {900.0f, 1000.0f, 1280.0f, 1400.0f, 1500.0f, 1600.0f, 1920.0f}) {
    Stage st(across, 700);
    st.s->open("demo/2");
    st.s->ui.tab = UiState::Tab::source;
    st.frames(2);
    st.s->view()->text.type("x");
    st.frames(3);
    CAPTURE(across);
    float save = 0, right = 0;
    for (auto& [part, r] : st.ui->window.layout) {
      if (part == "save") save = r.z;
      if (part == "centre") right = r.z;
    }
    CHECK(save > 0);
    CHECK(save <= right);
  }
}

TEST_CASE("a file with the line ends of Windows keeps them, and reading it again is no edit") {
  Stage st;
  const fs::path own = st.s->catalog().student_file(st.s->catalog().find("demo/2"));
  std::ofstream(own, std::ios::binary) << "// one\r\n\t// two\r\n";
  st.s->open("demo/2");
  st.frames(2);
  TextBuffer& text = st.s->view()->text;
  CHECK(text.text() == "// one\n\t// two\n");
  text.type("// zero\n");
  REQUIRE(st.s->save());
  std::string disk = read_regular_file(own).value();
  CHECK(disk == "// zero\r\n// one\r\n\t// two\r\n");
  // Saved again from elsewhere with nothing changed: neither edited nor a conflict.
  std::ofstream(own, std::ios::binary) << disk;
  for (int k = 0; k < 40; ++k) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    st.frame();
  }
  CHECK_FALSE(text.modified());
  CHECK_FALSE(st.s->view()->disk_newer);
}

TEST_CASE(
    "a float in a lane's cell stands apart from its neighbour, and a whole number uses all of the cell") {
  Stage st;
  ImFont* f = fonts().mono_small;
  const float letter = f->GetCharAdvance('0');
  const auto real = [&](float v, float letters) {
    return short_value(StepTrace::Shown::float32, std::bit_cast<uint32_t>(v), letter * letters + 0.1f, f);
  };
  CHECK(real(0.8341f, 3) == ".83");
  CHECK(real(0.8341f, 4) == ".83");
  CHECK(real(0.8341f, 4.5f) == ".834");
  CHECK(real(-0.452f, 4) == "-.5");
  CHECK(real(0.00412f, 4) == "\xC2\xB7");
  CHECK(short_value(StepTrace::Shown::integer, 127, letter * 3 + 0.1f, f) == "127");
}

TEST_CASE("at 200 % in 1500 pixels the runs' verdicts are legible, and both links to restore are whole") {
  for (auto [w, h] : {std::pair{1500.f, 950.f}, {1280.f, 720.f}}) {
    INFO(w);
    Stage st(w, h, "dark", 2);
    st.s->open("demo/1");
    for (int run = 0; run < 2; ++run) {
      st.s->run(false);
      for (int k = 0; k < 200 && (st.s->running() || int(st.s->view()->history.size()) <= run); ++k)
        st.frame();
    }
    REQUIRE(st.s->view()->history.size() == 2);
    st.s->ui.tab = UiState::Tab::compare;
    st.frames(5);
    float right = 0;
    for (ImGuiWindow* win : ImGui::GetCurrentContext()->Windows)
      if (win->Active && std::string(win->Name).find("/runs_") != std::string::npos)
        right = win->WorkRect.Max.x;
    REQUIRE(right > 0);
    int verdicts = 0, links = 0;
    for (auto& [name, box] : st.ui->window.layout) {
      if (name == "verdict of a run") {
        ++verdicts;
        CHECK(box.z - box.x >= 0.9f * text_size(fonts().ui, "Passed").x);
      }
      if (name.starts_with("Restore ")) {
        ++links;
        CHECK(box.z <= right + 1);
      }
    }
    CHECK(verdicts == 2);
    CHECK(links == 2);
  }
}
