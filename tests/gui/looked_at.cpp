// What was found when every view was looked at: numbers of steps, lists by keyboard, the tour's Tab, figures
// of files that do none of the work, and files that are no text.
#include <imgui_internal.h>

#include "app_window.hpp"
#include "core/paths.hpp"
#include "gui/model/plots/plots.hpp"
#include "gui/model/text/step_title.hpp"
#include "gui/model/verdict.hpp"
#include "gui/panels/focus.hpp"
#include "gui/plot/axis.hpp"
#include "gui/plot/decimate.hpp"
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
  // An earlier kernel of the run had a time; the one that was stopped has no counters.
  report.runs[0].time_us.value = 2.1;
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

TEST_CASE("the tour's second stop frames the whole brief, where it stands beside the code") {
  Stage st(1600, 900);
  st.s->open("demo/1");
  st.frames(3);
  ImVec4 column{}, framed{};
  for (auto& [name, r] : st.ui->window.layout)
    if (name == "brief column")
      column = r;
    else if (name == "brief tab")
      framed = r;
  REQUIRE(column.w - column.y > 600);
  CHECK(framed.x == column.x);
  CHECK(framed.y == column.y);
  CHECK(framed.z == column.z);
  CHECK(framed.w == column.w);
}

TEST_CASE("the verdict's sentence is shown whole, in as many lines as it needs") {
  Stage st;
  st.s->open("demo/1");
  st.s->skip_prediction();
  for (int k = 0; k < 200 && (st.s->running() || !st.s->view()->has_report); ++k) st.frame();
  auto high = [&] {
    st.frames(3);
    for (auto& [name, r] : st.ui->window.layout)
      if (name == "verdict's detail") return r.w - r.y;
    return 0.0f;
  };
  const float line = high();
  CHECK(line > 10);
  // Of an earlier start, on another device, and changed since: no part of it may be missing.
  st.s->view()->shown_from = "2026-03-14 15:09:26";
  st.s->view()->report.device.name = "simt:other";
  st.s->view()->report.device.title = "Another device with a long name";
  CHECK(high() > 1.5f * line);
}

TEST_CASE("what stopped a run stands before what was only noticed") {
  RunReport r;
  for (auto [kind, severity] : {std::pair{FindingKind::printed, Severity::note},
                                {FindingKind::second_call, Severity::warning},
                                {FindingKind::launch_error, Severity::error},
                                {FindingKind::race, Severity::error}}) {
    r.diagnostics.emplace_back();
    r.diagnostics.back().kind = kind;
    r.diagnostics.back().severity = severity;
  }
  std::string order;
  for (auto* d : errors_first(r)) order += std::string(to_string(d->kind)) + " ";
  CHECK(order == "launch_error race printed second_call ");
}

TEST_CASE("only an error that has a place is said to be clicked") {
  RunReport r;
  r.status = Status::compile_error;
  r.diagnostics.emplace_back();
  CHECK(headline(r).detail == "1 error.");
  r.diagnostics.back().where.line = 3;
  CHECK(headline(r).detail == "1 error; click its place to go there.");
}

TEST_CASE("shared memory is counted in the units of its limits") {
  CHECK(kib_text(1) == "1 byte");
  CHECK(kib_text(512) == "512 bytes");
  CHECK(kib_text(1024) == "1 KiB");
  CHECK(kib_text(232448) == "227 KiB");
}

TEST_CASE("a share that is not quite all is not shown as all") {
  CHECK(share_text(1) == "100 %");
  CHECK(share_text(0.99998) == "over 99.9 %");
  CHECK(share_text(0.375) == "37.5 %");
  CHECK(share_text(0.0001) == "under 0.1 %");
  CHECK(share_text(0) == "0 %");
}

TEST_CASE("plots of speed show no figure of an untouched file") {
  Stage st;
  st.s->open("demo/2");
  st.s->run(false);
  for (int k = 0; k < 200 && (st.s->running() || !st.s->view()->has_report); ++k) st.frame();
  for (const char* key : {"time", "bandwidth", "roofline", "bounds"}) {
    CAPTURE(key);
    st.s->view()->todo_line = 0;
    CHECK(student_run(*st.ui->plots.report_for(key)));
    st.s->view()->todo_line = 3;
    CHECK_FALSE(student_run(*st.ui->plots.report_for(key)));
    CHECK(reference_run(*st.ui->plots.report_for(key)));
    st.s->settings.plot = key;
    CHECK(st.frames(3) > 1000);
  }
  // What it did, not how fast, stays to be looked at.
  CHECK(student_run(*st.ui->plots.report_for("stalls")));
}

TEST_CASE("where an untouched file does nothing, the reference's time stands there all the same") {
  Stage st;
  st.s->open("demo/2");
  st.s->run(false);
  for (int k = 0; k < 200 && (st.s->running() || !st.s->view()->has_report); ++k) st.frame();
  for (auto& r : st.s->view()->report.runs)
    if (r.who == "student") r.time_us.value = 0, r.status = Status::wrong;
  st.s->view()->todo_line = 3;
  st.frames(3);
  CHECK(parts(st, "time of You") == 0);
  CHECK(parts(st, "time of Reference") == 1);
}

TEST_CASE(
    "numbers of five and more digits are grouped in every question, answer, hint and gate of the labs") {
  auto without_code = [](const std::string& text) {
    std::string out;
    bool code = false;
    for (char c : text)
      if (c == '`')
        code = !code;
      else if (!code)
        out += c;
    return out;
  };
  int numbers = 0;
  auto grouped_in = [&](const Step& s, const std::string& text) {
    const std::string plain = without_code(text);
    CHECK_MESSAGE(for_reading(plain) == plain, s.id());
    for (size_t at = 0; (at = plain.find(',', at + 1)) != std::string::npos;)
      numbers += at + 1 < plain.size() && std::isdigit(static_cast<unsigned char>(plain[at + 1])) ? 1 : 0;
  };
  for (auto& lab : load_catalog(source_root()).labs)
    for (auto& s : lab.steps) {
      grouped_in(s, s.prediction.question);
      grouped_in(s, s.prediction.explain);
      for (auto& h : s.hints) grouped_in(s, h);
      for (auto& g : s.gates) grouped_in(s, g.words);
    }
  CHECK(numbers > 50);
  Step s;
  s.prediction.question = "How many?";
  s.prediction.answer = "262144";
  CHECK(reveal(s, "262144", nullptr).answer == "262,144");
  CHECK(reveal(s, "262144", nullptr).right);
}
