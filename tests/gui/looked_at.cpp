// What was found when every view was looked at: numbers of steps, lists by keyboard, the tour's Tab, figures
// of files that do none of the work, and files that are no text.
#include <imgui_internal.h>

#include "app_window.hpp"
#include "core/paths.hpp"
#include "gui/model/plots/plots.hpp"
#include "gui/model/text/step_title.hpp"
#include "gui/plot/axis.hpp"
#include "stage.hpp"

using namespace dojo;
using namespace dojo::gui;
using test::App;
using test::display;
using test::FakeRunner;
using test::Stage;

namespace {
int parts(const Stage& st, const char* name) {
  return int(std::count_if(st.ui->window.layout.begin(), st.ui->window.layout.end(),
                           [&](auto& l) { return l.first == name; }));
}
}  // namespace

TEST_CASE(
    "every step is called by the number that its brief is headed with, with a letter where several share "
    "it") {
  const Catalog catalog = load_catalog(source_root());
  std::set<std::string> lettered;
  for (auto& lab : catalog.labs) {
    std::set<std::string> seen;
    for (auto& step : lab.steps) {
      const std::string number = step_number(lab, step);
      CHECK_MESSAGE(step.brief.starts_with("# " + number + ". "), step.id());
      CHECK_MESSAGE(seen.insert(number).second, step.id());
      if (!number.empty() && std::isalpha(static_cast<unsigned char>(number.back()))) lettered.insert(number);
    }
  }
  CHECK(lettered.count("1b") == 1);
  const Lab& reduce = *catalog.find_lab("reduce");
  CHECK(step_title(reduce, catalog.find("reduce/1-global-modulo")) == "1b. The wrong choice of threads");
  CHECK(step_title(reduce, catalog.find("reduce/5")) == "5. Sequential addressing");
}

TEST_CASE("a number that no step has is answered with the numbers that there are") {
  const Catalog catalog = load_catalog(source_root());
  std::string said;
  try {
    catalog.find("reduce/99");
  } catch (const Error& e) {
    said = e.what();
  }
  CHECK(said == "no step 'reduce/99'; the steps of reduce are 1 to 18 (`warpdojo list reduce` shows them)");
}

TEST_CASE("bandwidths have one unit, and as many digits as tell them apart") {
  CHECK(gbps_text(2483.4) == "2483 GB/s");
  CHECK(gbps_text(48.21) == "48.2 GB/s");
  CHECK(gbps_text(99.97) == "100 GB/s");
  CHECK(gbps_text(0.0561) == "0.0561 GB/s");
}

TEST_CASE("Tab goes to the tour's button first, wherever the window's focus was") {
  Stage st;
  st.s->open("demo/2");
  st.s->ui.tour = 0;
  st.frames(3);
  // As a window manager leaves it: the main window has the focus, one of its parts is chosen, none is shown.
  ImGuiContext& g = *GImGui;
  const auto all = focus_stops(false);
  REQUIRE(all.size() > 4);
  ImGui::FocusWindow(all[3].window);
  ImGui::SetNavID(all[3].id, ImGuiNavLayer_Main, 0, ImRect(0, 0, 1, 1));
  g.NavDisableHighlight = true;
  st.press(key::tab);
  REQUIRE(g.NavWindow);
  CHECK(std::string(g.NavWindow->RootWindow->Name) == "tour");
  st.press(key::enter);
  st.frames(2);
  CHECK(st.s->ui.tour == 1);
}

TEST_CASE("the time of an untouched file is not shown beside the reference's: it would read as praise") {
  Stage st;
  st.s->open("demo/2");
  st.s->run(false);
  for (int k = 0; k < 200 && (st.s->running() || !st.s->view()->has_report); ++k) st.frame();
  REQUIRE(st.s->view()->has_report);
  st.frames(3);
  CHECK(parts(st, "time of You") == 1);
  CHECK(parts(st, "time of Reference") == 1);
  st.s->view()->todo_line = 3;
  st.frames(3);
  CHECK(parts(st, "time of You") == 0);
  CHECK(parts(st, "time of Reference") == 1);
}

TEST_CASE(
    "a live number of a run that was stopped on its way is a dash, not a count of what was done until then") {
  Step step;
  Report report;
  RunReport run;
  run.who = "student";
  run.status = Status::finding;
  run.launches.emplace_back();
  report.runs.push_back(run);
  CHECK(live_value("time_us", step, &report) == "—");
  report.runs[0].status = Status::pass;
  report.runs[0].time_us.value = 12.5;
  CHECK(live_value("time_us", step, &report) == "12.5");
}

TEST_CASE("a file of 5 MB is refused in words, and not opened again at the next start") {
  Stage st;
  st.s->open("demo/2");
  const fs::path big = st.folder.path / "big.cu", none = st.folder.path / "none.cu";
  std::ofstream(big) << std::string(5'000'000, 'x');
  CHECK(!st.s->open_program(big.string()));
  REQUIRE(!st.s->toasts().empty());
  CHECK(st.s->toasts().back().text ==
        "big.cu has 5 MB. The window edits files of up to 4 MB: open it in another editor.");
  CHECK(st.s->settings.programs.empty());
  CHECK(!st.s->open_program(none.string()));
  CHECK(st.s->toasts().back().text == "There is no file " + none.string() + ".");
  CHECK(st.s->view()->id == "demo/2-second");
  // A step's own file that became that long: said, kept as it is, and not run.
  const fs::path own = st.s->catalog().student_file(*st.s->step());
  std::ofstream(own) << std::string(5'000'000, 'x');
  for (int k = 0; k < 200 && st.s->view()->file_problem.empty(); ++k) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    st.frame();
  }
  CHECK(st.s->view()->file_problem.find("has 5 MB") != std::string::npos);
  st.s->run(false);
  CHECK(!st.s->running());
  CHECK(fs::file_size(own) == 5'000'000);
}

TEST_CASE("Enter chooses in an open list") {
  Stage st;
  st.s->open("demo/2");
  st.frames(3);
  const std::string before = st.s->device();
  st.click(830, 24);
  REQUIRE(ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel));
  st.press(400 + ImGuiKey_DownArrow);
  st.frames(2);
  st.press(key::enter);
  st.frames(2);
  CHECK(st.s->device() != before);
  CHECK_FALSE(ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel));
}

TEST_CASE("window: Enter chooses in an open list of devices") {
  if (!display()) return;
  App app;
  app.start();
  auto device = [&] { return app.kept("config", "window.json").value("device", ""); };
  // A starved machine may see a key before the list that it is for: then once more.
  for (int k = 0; k < 4 && device().empty(); ++k) {
    App::click(830, 24);
    App::key("Down");
    App::key("Return");
    app.within(3, [&] { return !device().empty(); });
  }
  CHECK_MESSAGE(!device().empty(), "Enter chose nothing");
  CHECK(app.quit() == 0);
}
