// What was found when every view was looked at in large windows: 1920 x 1080, and 3840 x 2160 at 200 %.
#include "gui/model/session/store.hpp"
#include "gui/model/teaching/instructor.hpp"
#include "gui/model/text/device_label.hpp"
#include "gui/panels/motion/slow_motion_parts.hpp"
#include "gui/panels/plots/alternate.hpp"
#include "gui/plot/axis.hpp"
#include "stage.hpp"

#include <doctest/doctest.h>

#include <imgui_internal.h>

#include <cmath>

using namespace dojo;
using namespace dojo::gui;
using test::Stage;

TEST_CASE("what if: in a large window the rows of all three policies stand below one another and fill it") {
  Stage st(1920, 1080);
  st.s->open("demo/1");
  st.s->ui.plots_only = true;
  st.s->settings.plot = "whatif";
  st.frames(5);
  const auto area = st.ui->plots.offers.at("whatif").area;
  CHECK(area.w > 0.9f * 1080);
  for (int policy = 0; policy < 3; ++policy) {
    // The first row of each policy has its first tile at the left.
    ImGui::GetIO().MousePos = {area.x + 10, area.y + (area.w - area.y) * float(policy) / 3 + 8};
    st.frames(3);
    const auto hover = st.ui->plots.offers.at("whatif").hover;
    REQUIRE_FALSE(hover.empty());
    CHECK(hover[0] == "C, first product, tile 0 of row 0");
  }
}

TEST_CASE("slow motion: integers too long for their cells share the room of several lanes") {
  Stage st;
  ImFont* f = fonts().mono_small;
  const float letter = f->GetCharAdvance('0');
  const auto every = [&](std::vector<std::string> v, float letters) {
    return lanes_per_value(v, letter * letters + 0.1f, f);
  };
  CHECK(every({"0", "31"}, 3) == 1);
  CHECK(every({"992", ""}, 3) == 1);
  CHECK(every({"992", "1024"}, 4) == 2);  // four letters would touch the neighbour's
  CHECK(every({"992", "1024"}, 4.5f) == 1);
  CHECK(every({"0x700000040400"}, 3) == 8);
  CHECK(short_value(StepTrace::Shown::float32, std::bit_cast<uint32_t>(0.098f), letter * 3, f) == ".1");
}

TEST_CASE("slow motion: opened after a plot recorded the block, it knows the variables' names") {
  Stage st;
  st.s->open("demo/1");
  st.s->skip_prediction();
  st.s->settings.plot = "bankmap";
  for (int k = 0; k < 100 && (st.s->running() || !st.s->motion.trace()); ++k) st.frame();
  REQUIRE(st.s->motion.trace());
  REQUIRE_FALSE(st.runner->requests.back().trace.names);
  const size_t asked = st.runner->requests.size();
  st.s->recorder.open();
  REQUIRE(st.runner->requests.size() == asked + 1);
  CHECK(st.runner->requests.back().trace.names);
  for (int k = 0; k < 100 && st.s->running(); ++k) st.frame();
  // And is not recorded a second time.
  st.s->ui.motion = false;
  st.s->recorder.open();
  CHECK(st.runner->requests.size() == asked + 1);
}

TEST_CASE("at 1280 x 720 and 200 % the header's parts stand beside one another, and the title can be read") {
  for (float width : {1280.f, 1800.f, 2560.f}) {
    CAPTURE(width);
    Stage st(width, 720, "dark", 2);
    st.s->open("demo/1");
    st.frames(3);
    ImVec4 title{}, run{};
    for (auto& [name, r] : st.ui->window.layout) {
      if (name == "title") title = r;
      if (name == "run") run = r;
    }
    CHECK(title.z - title.x > 150);
    // Watch, size and GPU stand between them.
    CHECK(title.z < run.x - px(88 + 104 + 60));
  }
}

TEST_CASE("what is pasted stays within what the window opens again") {
  Stage st;
  st.s->open("demo/2");
  st.s->commands.run("view.source");
  st.s->ui.focus = "source";
  st.frames(5);
  REQUIRE(st.ui->window.code_focused);
  const std::string before = st.s->view()->text.text();
  const auto paste = [&](size_t bytes) {
    std::string lines(bytes, '/');
    for (size_t i = 99; i < bytes; i += 100) lines[i] = '\n';  // one line of 4 MB takes a minute to draw
    ImGui::SetClipboardText(lines.c_str());
    st.press(400 + ImGuiKey_V, true);
    st.frames(2);
  };
  paste(4'000'001);
  CHECK(st.s->view()->text.text() == before);
  REQUIRE_FALSE(st.s->toasts().empty());
  CHECK(st.s->toasts().back().text ==
        "Nothing was pasted: the file would have more than 4 MB, the most that the window edits.");
  paste(3'900'000);
  CHECK(st.s->view()->text.bytes() == before.size() + 3'900'000);
  st.frames(3);
  // The caret, behind what was pasted, is in sight.
  const CodeView& code = st.ui->window.code;
  const auto caret = std::find_if(code.sheet().rows.begin(), code.sheet().rows.end(),
                                  [&](auto& r) { return r.line == st.s->view()->text.caret().line; });
  const long below = code.sheet().rows.end() - caret - 1;
  CHECK(below >= code.rows_below());
  CHECK(below <= code.rows_below() + code.rows_shown() + 1);
  st.s->view()->text.select_all();
  paste(100);  // in place of all
  CHECK(st.s->view()->text.bytes() == 100);
}

TEST_CASE("a run that was stopped on its way has no bar beside the reference's time") {
  Stage st;
  st.s->open("demo/1");
  st.s->skip_prediction();
  st.frames(24);
  REQUIRE(st.s->view()->has_report);
  REQUIRE(student_run(*st.ui->plots.report_for("time")));
  st.s->view()->student_blocks.stopped = true;
  CHECK_FALSE(student_run(*st.ui->plots.report_for("time")));
  CHECK(reference_run(*st.ui->plots.report_for("time")));
  CHECK(student_run(*st.ui->plots.report_for("timeline")));
}

TEST_CASE("a whole path that is pasted behind the folder in the dialog opens") {
  CHECK(typed_path("/work/saxpy.cu") == "/work/saxpy.cu");
  CHECK(typed_path("/work//tmp/saxpy.cu") == "/tmp/saxpy.cu");
  CHECK(typed_path("/work//tmp//x/saxpy.cu") == "/x/saxpy.cu");
  const std::string home = std::getenv("HOME") ? std::getenv("HOME") : "~";
  CHECK(typed_path("/work/~/saxpy.cu") == home + "/saxpy.cu");
  CHECK(typed_path("~/saxpy.cu") == home + "/saxpy.cu");
  CHECK(typed_path("") == "");
}

TEST_CASE("what is saved in the window while the step runs is run next, as after a save elsewhere") {
  Stage st;
  st.s->open("demo/2");
  st.frames(10);
  st.runner->delay = 1000;
  st.s->run(false);
  st.frames(10);
  REQUIRE(st.s->running());
  const size_t asked = st.runner->requests.size();
  st.s->view()->text.type("// newer");
  st.runner->delay = 0;
  st.s->commands.run("file.save");
  for (int k = 0; k < 400 && (st.s->running() || st.runner->requests.size() == asked); ++k) st.frame();
  CHECK(st.runner->requests.size() == asked + 1);
  CHECK(st.s->view()->run_version == st.s->view()->text.version());
  for (auto& t : st.s->toasts()) CHECK(t.text.find("A run is going on") == std::string::npos);
}

TEST_CASE("slow motion: of a loop that did not end a recording takes seconds, and none looks for its end") {
  Stage st;
  st.s->open("demo/1");
  st.s->skip_prediction();
  st.runner->student.status = Status::timeout;
  st.frames(40);
  st.s->run(false);
  st.frames(40);
  REQUIRE(student_run(st.s->view()->report)->status == Status::timeout);
  Diagnostic d;
  d.kind = FindingKind::time_limit;
  d.kernel = "first";
  d.block = Dim3{0, 0, 0};
  st.s->recorder.open_at(d);
  st.frames(60);
  REQUIRE(st.runner->requests.back().trace.on);
  CHECK(st.runner->requests.back().time_limit_s <= 2);
  const auto traces = std::count_if(st.runner->requests.begin(), st.runner->requests.end(),
                                    [](auto& r) { return r.trace.on; });
  CHECK(traces == 1);
  CHECK(st.s->motion.trace());
}

TEST_CASE("slow motion: of a text that never ran a recording takes no longer than its run would") {
  Stage st;
  st.s->open("demo/2");
  st.s->recorder.open();
  st.frames(4);
  REQUIRE(!st.runner->requests.empty());
  REQUIRE(st.runner->requests.back().trace.on);
  CHECK(st.runner->requests.back().time_limit_s <= 6);
}

TEST_CASE("steps of the text before are not shown as those of a text whose recording failed") {
  Stage st;
  st.s->open("demo/1");
  st.s->skip_prediction();
  st.s->settings.plot = "bankmap";
  st.frames(80);
  REQUIRE(st.s->recorder.sample());
  st.s->view()->text.type("!");
  REQUIRE(st.s->save());
  // The run's answer, then the recording's.
  run::WorkerEvent report, e;
  report.kind = run::WorkerEvent::report;
  report.report_ = test::make_report("demo/1-first", {}, {"reference"});
  report.report_.runs[0].status = Status::compile_error;
  e.kind = run::WorkerEvent::failed;
  e.text = "Line 1: expected a declaration";
  st.runner->scripts = {{report}, {e}};
  st.s->run(false);
  st.frames(80);
  REQUIRE(st.runner->scripts.empty());
  CHECK(st.s->recorder.error == e.text);
  CHECK(st.s->motion.trace());
  CHECK(st.s->recorder.stale());
  CHECK(st.s->recorder.sample() == nullptr);
}

TEST_CASE("a device has one short name in the header, among the runs and on a lab's curve") {
  CHECK(device_label("simt:h100", "NVIDIA H100 80GB HBM3") == "h100 (modelled)");
  CHECK(device_label("simt:h100", "NVIDIA H100 80GB HBM3", true) == "h100");
  CHECK(device_label("rec:/course/h100-reduce.json", "H100, driver 580") == "h100-reduce (recording)");
  CHECK(device_label("cuda:0", "NVIDIA H100 80GB HBM3") == "NVIDIA H100 80GB HBM3");
  CHECK(device_label("cuda:0", "") == "cuda:0");
}

TEST_CASE("letters on a bar, a lane or a block of any series have a contrast of 4.5") {
  ImGui::CreateContext();
  const auto luminance = [](ImU32 c) {
    const ImVec4 v = ImGui::ColorConvertU32ToFloat4(c);
    const auto linear = [](float x) {
      return x <= 0.04045f ? double(x) / 12.92 : std::pow((double(x) + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(v.x) + 0.7152 * linear(v.y) + 0.0722 * linear(v.z);
  };
  for (const char* name : {"dark", "light", "contrast"}) {
    CAPTURE(name);
    set_theme(name, 1);
    const Theme& t = theme();
    std::vector<ImU32> grounds{t.bad};
    for (ImU32 c : t.series) grounds.push_back(c);
    for (ImU32 c : t.data) {
      grounds.push_back(c), grounds.push_back(alternate(c));
      CHECK(text_on(c) == text_on(alternate(c)));  // along a row letters keep their colour
    }
    for (ImU32 ground : grounds) {
      const double a = luminance(ground), b = luminance(text_on(ground));
      CHECK((std::max(a, b) + 0.05) / (std::min(a, b) + 0.05) >= 4.5);
    }
  }
  ImGui::DestroyContext();
}

TEST_CASE(
    "in a window of 900 x 600 the maps of accesses and what-if are drawn, and their part scrolls to them") {
  Stage st(900, 600);
  st.s->open("demo/1");
  st.s->skip_prediction();
  st.s->run(false);
  st.frames(60);
  for (const char* key : {"addresses", "bankmap", "whatif"}) {
    CAPTURE(key);
    st.s->settings.plot = key;
    st.frames(60);
    REQUIRE(st.ui->plots.offers.count(key) == 1);
    const ImVec4 area = st.ui->plots.offers.at(key).area;
    CHECK(area.w - area.y >= 55);
    ImGuiWindow* part = nullptr;
    for (ImGuiWindow* w : ImGui::GetCurrentContext()->Windows)
      if (w->Active && std::string(w->Name).find("/plots scroll_") != std::string::npos) part = w;
    REQUIRE(part);
    // What lies below the part's end is within its scrolling.
    CHECK(area.w <= part->InnerRect.Max.y + part->ScrollMax.y + 1);
    CHECK(part->ScrollbarY == (part->ScrollMax.y > 0));
  }
}

TEST_CASE("a file that is deleted during a run is put back by F5 at once, and run when that run has ended") {
  Stage st;
  st.s->open("demo/2");
  st.frames(3);
  st.runner->delay = 1000;
  st.s->run(false);
  st.frames(3);
  REQUIRE(st.s->running());
  const fs::path own = st.s->catalog().student_file(*st.s->step());
  const std::string text = st.s->view()->text.text();
  fs::remove(own);
  for (int k = 0; k < 200 && st.s->view()->file_problem.empty(); ++k) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    st.frame();
  }
  REQUIRE(!st.s->view()->file_problem.empty());
  const size_t asked = st.runner->requests.size();
  st.press(key::f5);
  REQUIRE(fs::exists(own));
  std::string back = read_regular_file(own).value_or("");
  CHECK(back == text);
  st.runner->delay = 0;
  for (int k = 0; k < 400 && (st.s->running() || st.runner->requests.size() == asked); ++k) st.frame();
  CHECK(st.runner->requests.size() == asked + 1);
  CHECK(st.s->view()->file_problem.empty());
}

TEST_CASE("a row of the whole lab counts wrong elements as the rest of the window does") {
  LabRow row;
  RunReport run;
  run.status = Status::wrong;
  run.check.wrong = 1;
  take_run(row, run);
  CHECK(row.note == "1 element out of tolerance");
  run.check.wrong = 1048320;
  take_run(row, run);
  CHECK(row.note == "1,048,320 elements out of tolerance");
}
