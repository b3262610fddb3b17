// What plots say that have nothing to draw, the roofline's axis, the view of submissions before a folder is
// open, and letters of other scripts.
#include <imgui_internal.h>

#include "gui/model/plots/no_figures.hpp"
#include "gui/model/plots/plots.hpp"
#include "gui/panels/widgets.hpp"
#include "stage.hpp"

#include <doctest/doctest.h>

using namespace dojo;
using namespace dojo::gui;
using test::Stage;

namespace {
StepView ended_as(Status status, int line, bool launched) {
  StepView v;
  v.has_report = true;
  RunReport r;
  r.who = "student";
  r.status = status;
  Diagnostic d;
  d.severity = Severity::error;
  d.where.line = line;
  if (status != Status::pass) r.diagnostics.push_back(d);
  if (launched) r.launches.emplace_back();
  v.report.runs.push_back(r);
  return v;
}
std::string says(const StepView& v, bool yours = true) {
  return no_figures(v, yours, "its waves", "This run launched no kernel.");
}
}  // namespace

TEST_CASE("an empty plot says what kept the run from having figures") {
  StepView v;
  CHECK(says(v) == "Run it (F5) to see its waves.");
  CHECK(says(ended_as(Status::compile_error, 24, false)) ==
        "Your file does not compile, so no kernel ran. Correct line 24 and run it again.");
  CHECK(says(ended_as(Status::compile_error, 0, false), false) ==
        "The file does not compile, so no kernel ran.");
  CHECK(says(ended_as(Status::finding, 9, false)) ==
        "Your run ended before its first kernel did, at line 9.");
  CHECK(says(ended_as(Status::finding, 9, true)) == "This run launched no kernel.");
  CHECK(says(ended_as(Status::pass, 0, false)) == "This run launched no kernel.");
  // Refused before anything was compiled, be there an older report or none.
  v = ended_as(Status::compile_error, 24, false);
  v.error = "clusters/2 needs a GPU of compute capability 9.0.";
  CHECK(says(v) == v.error);
}

TEST_CASE("the roofline tells a step without a formula from a run without operations") {
  StepView v = ended_as(Status::pass, 0, true);
  v.report.runs[0].time_us.value = 3;
  CHECK(no_roofline(v, true, "step") ==
        "This step has no formula for its operations, so no point has a place here.");
  v = ended_as(Status::compile_error, 2, false);
  CHECK(no_roofline(v, true, "step").starts_with("Your file does not compile"));
}

TEST_CASE("waves, occupancy, times, blocks and roofline of a file that does not compile say so") {
  Stage st;
  st.runner->student.status = Status::compile_error;
  st.runner->reference.status = Status::compile_error;
  REQUIRE(st.s->open("demo/2"));
  REQUIRE(st.s->run(false));
  for (int k = 0; k < 200 && (st.s->running() || !st.s->view()->has_report); ++k) st.frame();
  REQUIRE(st.s->view()->has_report);
  // A picture of the letters drawn would not be readable here: the same place is drawn differently before
  // any run and after it.
  for (const char* plot : {"waves", "occupancy", "time", "bandwidth", "timeline", "streams", "roofline"}) {
    st.s->settings.plot = plot;
    st.frames(3);
    const auto& offer = st.ui->plots.offers.at(plot);
    const ImVec4 area{offer.area.x - 80, offer.area.y, offer.area.z, offer.area.w};
    const uint64_t after = st.drawn(area);
    st.s->view()->has_report = false;
    st.frames(2);
    const uint64_t before = st.drawn(area);
    st.s->view()->has_report = true;
    CHECK_MESSAGE(after != before, plot);
  }
}

TEST_CASE("the roofline's numbers go on below its name, and no line crosses the roof's figure") {
  Stage st;
  REQUIRE(st.s->open("demo/2"));
  REQUIRE(st.s->run(false));
  for (int k = 0; k < 200 && (st.s->running() || !st.s->view()->has_report); ++k) st.frame();
  for (auto& r : st.s->view()->report.runs) r.flops = 1e12, r.bytes = 1e9;
  st.s->settings.plot = "roofline";
  st.frames(3);
  const auto& offer = st.ui->plots.offers.at("roofline");
  REQUIRE_FALSE(offer.x_ticks.empty());
  CHECK(offer.view.x.to01(offer.x_ticks.back()) > 0.65);
  // The roof is a line of text below the upper end.
  const double top = offer.view.y.hi, roof = st.s->view()->report.device.peak_gflops;
  REQUIRE(roof > 0);
  const double lines = (std::log(top / roof) / std::log(top / offer.view.y.lo)) *
                       double(offer.area.w - offer.area.y) / double(fonts().small->FontSize);
  CHECK(lines > 1.2);
}

TEST_CASE("F7 leaves the references closed, and what is typed then is the folder") {
  Stage st;
  REQUIRE(st.s->open("demo/1"));
  st.press(key::f7);
  REQUIRE(st.s->ui.submissions);
  st.frames(4);
  CHECK_FALSE(st.s->instructor);
  CHECK_FALSE(st.s->solved_or_instructor());
  CHECK(ImGui::GetIO().WantTextInput);
  // A folder that is opened is an instructor's; the key closes the view again.
  const fs::path at = st.folder.path / "class/ada/01-demo";
  fs::create_directories(at);
  fs::copy_file(st.folder.path / "labs/01-demo/1-first.cu", at / "1-first.cu");
  for (char c : (st.folder.path / "class").string())
    ImGui::GetIO().AddInputCharacter(static_cast<unsigned char>(c));
  st.frames(2);
  st.press(key::enter);
  st.frames(3);
  CHECK_FALSE(st.s->desk.table->empty());
  CHECK(st.s->instructor);
  st.press(key::f7);
  st.frames(2);
  CHECK_FALSE(st.s->ui.submissions);
}

TEST_CASE("names in other scripts: the next atlas has their letters, as far as an installed font has them") {
  Stage st;
  const auto glyph = [](ImWchar c) { return fonts().ui->FindGlyphNoFallback(c) != nullptr; };
  CHECK_FALSE(characters_due());
  REQUIRE(st.s->open("demo/1"));
  st.s->view()->text.set("// \u0141ukasz, \u0418\u0432\u0430\u043d, \u738b\n");
  st.s->commands.run("view.source");
  st.frames(3);
  REQUIRE(characters_due());
  build_fonts(1);
  unsigned char* pixels;
  int w, h;
  ImGui::GetIO().Fonts->GetTexDataAsRGBA32(&pixels, &w, &h);
  CHECK_FALSE(characters_due());
  for (ImWchar c : {ImWchar(0x141), ImWchar(0x418), ImWchar(0x43D)}) {
    CHECK_MESSAGE(glyph(c), c);
    CHECK_MESSAGE(fonts().mono->FindGlyphNoFallback(c) != nullptr, c);
  }
  // What no font has is not asked for again in each frame.
  st.frames(3);
  CHECK_FALSE(characters_due());
}
