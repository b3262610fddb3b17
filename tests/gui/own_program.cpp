// A student's own program in the window: opened by its path, run as one program, with a table of its kernels.
#include "run/own_program.hpp"

#include <doctest/doctest.h>

#include <imgui_internal.h>

#include <fstream>

#include "gui/result_card.hpp"
#include "stage.hpp"

using namespace dojo;
using namespace dojo::gui;
using test::Stage;

TEST_CASE("a program of one's own opens by its path, runs as a program, and is there again after a restart") {
  Stage st;
  st.s->open("demo/1");
  const fs::path file = st.folder.path / "mine/add.cu";
  fs::create_directories(file.parent_path());
  std::ofstream(file) << "int main() { return 0; }\n";
  REQUIRE(st.s->open_program(file.string()));
  CHECK(st.s->step()->id() == "add.cu/add");
  CHECK(st.s->ui.tab == UiState::Tab::source);
  CHECK(st.s->view()->text.text() == "int main() { return 0; }\n");
  CHECK(st.frames(3) > 1000);
  st.s->run(false);
  st.frames(24);
  REQUIRE(st.runner->requests.size() == 1);
  CHECK(st.runner->requests[0].program);
  CHECK(st.runner->requests[0].student_file == file.string());
  CHECK(st.runner->requests[0].who == run::Who::student);
  CHECK(st.s->view()->has_report);
  CHECK(st.frames(3) > 1000);
  // It is no progress in a lab.
  CHECK(st.s->progress_of("add.cu/add").runs == 0);
  CHECK(st.s->settings.programs == std::vector<std::string>{file.string()});
  st.s->reload_catalog();
  CHECK(st.s->step()->id() == "add.cu/add");
  // The file of a step opens the step; another one of the same name gets a name of its own.
  REQUIRE(st.s->open_program((st.folder.path / "labs/01-demo/2-second.cu").string()));
  CHECK(st.s->step()->id() == "demo/2-second");
  fs::create_directories(st.folder.path / "other");
  fs::copy_file(file, st.folder.path / "other/add.cu");
  REQUIRE(st.s->open_program((st.folder.path / "other/add.cu").string()));
  CHECK(st.s->step()->id() == "add.cu-2/add");
  // What is no program leaves everything as it was.
  CHECK_FALSE(st.s->open_program((st.folder.path / "nothing.cu").string()));
  CHECK_FALSE(st.s->open_program(st.folder.path.string()));
  CHECK(st.s->step()->id() == "add.cu-2/add");
}

TEST_CASE("a program's kernels are a table: launches, time together, what bounds it, the longest first") {
  RunReport run;
  auto launch = [&](const char* kernel, double us, std::map<std::string, double> bounds) {
    LaunchReport l;
    l.kernel = kernel;
    l.time_us = us;
    l.bounds = std::move(bounds);
    run.launches.push_back(std::move(l));
  };
  launch("fill", 2, {{"dram", 1.5}});
  launch("sum", 5, {{"shared", 4}, {"dram", 2}});
  launch("fill", 2, {{"dram", 1.5}, {"issue", 0.5}});
  const auto rows = run::kernel_rows(run);
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].kernel == "sum");
  CHECK(rows[1].launches == 2);
  CHECK(rows[1].time_us == 4);
  CHECK(rows[0].bound_by != rows[1].bound_by);
  CHECK_FALSE(rows[1].bound_by.empty());
}

TEST_CASE("a result card says what came out, and shows no markup of a file as its own") {
  Report r = test::make_report("demo/1-first", {}, {"reference"});
  r.runs[0].gates[0].name = "a < b && c";
  Step step;
  step.lab = "demo", step.file = "1-first.cu", step.title = "First <steps>";
  r.runs[0].gates.push_back({"time_us <= 0.9 * reference(previous)", 25, 20.5, "<=", false, "Too `slow`."});
  const std::string page =
      result_card(step, r, {"Demo: 1. First <steps>", "ada", "2026-03-14 15:09:26", "card.png"});
  for (const char* part :
       {"Demo: 1. First &lt;steps&gt;", "<td>ada</td>", "<td>25 µs</td><td>at most 20.5 µs</td>",
        "a &lt; b &amp;&amp; c", "<strong>Passed</strong>", "card.png", "2026-03-14", "modelled"})
    CHECK_MESSAGE(page.find(part) != std::string::npos, part);
}

TEST_CASE("the card of a file that does not compile says the error, and nothing of clicks") {
  test::RunShape broken;
  broken.status = Status::compile_error;
  const Report r = test::make_report("demo/1-first", broken, {"reference"});
  Step step;
  step.lab = "demo", step.file = "1-first.cu";
  const std::string page = result_card(step, r, {"Demo"});
  CHECK(page.find("<strong>Does not compile</strong> 1 error.") != std::string::npos);
  CHECK(page.find("Line 4: identifier &quot;blokIdx&quot; is undefined") != std::string::npos);
  CHECK(page.find("click") == std::string::npos);
  CHECK(page.find("<td>You</td>") == std::string::npos);  // it has no time
}

TEST_CASE("while the picture of a card is taken, the result has the whole column, from its first line") {
  Stage st(1280, 720);
  st.s->open("demo/1");
  st.s->skip_prediction();
  st.frames(24);
  for (int k = 0; k < 400 && st.s->running(); ++k) st.frame();
  const auto part = [&](const char* name) {
    ImVec4 at{};
    for (auto& [n, r] : st.ui->window.layout)
      if (n == name) at = r;
    return at;
  };
  st.s->ui.tab = UiState::Tab::source;
  st.frames(2);
  CHECK(part("prediction result").z > 0);
  st.s->ui.plots_only = true;
  st.frames(2);
  CHECK(part("verdict").w == 0);
  st.s->ui.card = true;
  st.frames(2);
  const ImVec4 verdict = part("verdict");
  CHECK(part("prediction result").z == 0);
  CHECK(verdict.w - verdict.y > 500);
  CHECK(part("result's end").y > verdict.y + 100);
  CHECK(part("result's end").y < verdict.w);
  st.s->ui.card = false;
  st.frames(2);
  CHECK(part("plots").w > 0);
}

TEST_CASE("a long line that a program prints is wrapped, not cut at the panel's edge") {
  Stage st;
  const fs::path file = st.folder.path / "mine/add.cu";
  fs::create_directories(file.parent_path());
  std::ofstream(file) << "int main() { return 0; }\n";
  REQUIRE(st.s->open_program(file.string()));
  run::WorkerEvent e;
  e.kind = run::WorkerEvent::report;
  e.report_ = test::make_report("add.cu/add", {}, {"reference"});
  std::erase_if(e.report_.runs, [](auto& r) { return r.who == "reference"; });
  for (int k = 0; k < 60; ++k) e.report_.runs[0].printed += "14979 ";
  st.runner->scripts = {{e}};
  st.s->run(false);
  st.frames(24);
  REQUIRE(st.s->view()->has_report);
  bool seen = false;
  for (ImGuiWindow* w : ImGui::GetCurrentContext()->Windows)
    if (w->Active && std::string(w->Name).find("/verdict body_") != std::string::npos) {
      CHECK(w->ContentSize.x <= w->Size.x);
      seen = true;
    }
  CHECK(seen);
}

TEST_CASE("several programs stand under one heading of the list of labs") {
  Stage st;
  st.s->open("demo/1");
  auto headings = [&] {
    st.frames(3);
    return std::count_if(st.ui->window.layout.begin(), st.ui->window.layout.end(),
                         [](auto& l) { return l.first == "lab heading"; });
  };
  const auto labs = headings();
  REQUIRE(labs > 0);
  for (const char* name : {"one.cu", "two.cu"}) {
    std::ofstream(st.folder.path / name) << "int main() { return 0; }\n";
    REQUIRE(st.s->open_program((st.folder.path / name).string()));
    CHECK(headings() == labs + 1);
  }
}
