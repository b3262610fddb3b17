// Reports that --json saved, opened in the window: shown like a run, marked as stored, and nothing runs.
#include "run/stored/stored_report.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <functional>
#include <limits>

#include "app_window.hpp"
#include "run/own_program.hpp"
#include "stage.hpp"

using namespace dojo;
using namespace dojo::gui;
using test::Stage;

namespace {

void write(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream(file) << text;
}

/// A report of a program whose source lies beside it, saved in the year 2026.
fs::path save_report(const fs::path& folder, const char* name = "yesterday.json") {
  Report r = test::make_report("mine.cu", {}, {"reference"});
  std::erase_if(r.runs, [](const RunReport& x) { return x.who != "student"; });
  r.runs[0].gates.clear();
  for (auto& l : r.runs[0].launches)
    for (auto& line : l.lines) line.file = "mine.cu";
  write(folder / "mine.cu", "// one\n// two\n// three\n// four\n// five\n// six\nint main() {}\n");
  write(folder / name, to_json(r, 2));
  return folder / name;
}

const Toast* last_toast(const Session& s) { return s.toasts().empty() ? nullptr : &s.toasts().back(); }

bool says(const Session& s, const std::string& part) {
  const Toast* t = last_toast(s);
  return t && t->text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a stored report opens with its source, its lines and its kernels, marked with date and device") {
  Stage st;
  Session& s = *st.s;
  s.open("demo/1");
  const fs::path file = save_report(st.folder.path / "kept");
  REQUIRE(s.open_report(file.string()));
  CHECK(s.stored());
  CHECK(s.lab()->title == "Stored report");
  CHECK(s.ui.tab == UiState::Tab::source);
  StepView& v = *s.view();
  REQUIRE(v.stand_in);
  CHECK(v.stand_in->text.starts_with("// one"));
  CHECK(v.has_report);
  CHECK_FALSE(v.stale());
  CHECK_FALSE(v.heat.empty());
  CHECK(v.shown_from.size() == std::string("2026-11-26 02:14").size());
  // Above the source once: the date, and what it ran on.
  CHECK(v.stand_in->ran_on.starts_with(v.report.device.title));
  CHECK(v.stand_in->ran_on.find("modelled") != std::string::npos);
  CHECK(v.stand_in->words.find(v.report.device.title) == std::string::npos);
  CHECK(s.device() == v.report.device.name);
  CHECK(s.size() == v.report.size);
  st.frames(3);
  CHECK(std::any_of(st.ui->window.layout.begin(), st.ui->window.layout.end(),
                    [](const auto& part) { return part.first == "stored strip"; }));
  // Every plot draws of it.
  for (const auto& info : plot_infos()) {
    s.choose_plot(info.key);
    CHECK(st.frames(2) > 1000);
  }
  CHECK(st.runner->requests.empty());
}

TEST_CASE("nothing runs, is recorded, edited or kept while a stored report is open") {
  Stage st;
  Session& s = *st.s;
  s.open("demo/1");
  const std::string kept_step = s.settings.step;
  REQUIRE(s.open_report(save_report(st.folder.path / "kept").string()));
  for (const char* command : {"run.run", "run.anyway", "run.sweep", "motion.show", "file.reset"}) {
    if (s.commands.find(command)) s.commands.run(command);
    st.frames(2);
    CHECK_MESSAGE(!s.running(), command);
    CHECK_MESSAGE(!s.ui.motion, command);
  }
  CHECK_FALSE(s.run(false));
  CHECK(says(s, "stored report"));
  Diagnostic d;
  d.block = Dim3{0, 0, 0};
  s.recorder.open_at(d);
  s.choose_device("simt:t4");
  s.choose_stand_in(nullptr);
  s.set_instructor(true);
  s.set_instructor(false);
  CHECK(s.view()->stand_in);
  CHECK_FALSE(s.lectern.open());
  CHECK_FALSE(s.lectern.write_file({}));
  CHECK(s.code_under(false) == nullptr);
  st.frames(3);
  CHECK(st.runner->requests.empty());
  CHECK(s.view()->history.empty());
  CHECK(s.settings.step == kept_step);
  CHECK(s.settings.device.empty());
  std::string text = read_regular_file(st.folder.path / "kept/mine.cu").value();
  CHECK(text.starts_with("// one\n"));
  // The step that was open before is as it was, and runs.
  REQUIRE(s.open("demo/1"));
  CHECK_FALSE(s.stored());
  CHECK(s.run(false));
}

TEST_CASE("a stored report without its source has no lines, and one that is older than its source says so") {
  Stage st;
  Session& s = *st.s;
  const fs::path file = save_report(st.folder.path / "kept");
  fs::last_write_time(file, fs::last_write_time(st.folder.path / "kept/mine.cu") - std::chrono::hours(1));
  REQUIRE(s.open_report(file.string()));
  CHECK(s.view()->stand_in->words.find("lines may have moved") != std::string::npos);
  fs::remove(st.folder.path / "kept/mine.cu");
  REQUIRE(s.open_report(file.string()));
  CHECK(s.view()->stand_in->text.empty());
  CHECK(s.view()->stand_in->words.find("not found") != std::string::npos);
  CHECK(s.ui.tab == UiState::Tab::brief);
  CHECK(st.frames(3) > 1000);
}

TEST_CASE("a report opened again is read again, in the same place of the list; another one has its own") {
  Stage st;
  Session& s = *st.s;
  const fs::path file = save_report(st.folder.path / "kept");
  REQUIRE(s.open_report(file.string()));
  const std::string id = s.step()->id();
  const size_t labs = s.catalog().labs.size();
  std::string text = read_regular_file(file).value();
  Report r = report_from_json(text);
  r.runs[0].time_us.value = 4321;
  write(file, to_json(r));
  REQUIRE(s.open_report(file.string()));
  CHECK(s.step()->id() == id);
  CHECK(s.catalog().labs.size() == labs);
  CHECK(s.view()->report.runs[0].time_us.value == 4321);
  REQUIRE(s.open_report(save_report(st.folder.path / "other").string()));
  CHECK(s.catalog().labs.size() == labs + 1);
  // Reading the labs again keeps the one that is open.
  s.reload_catalog();
  CHECK(s.stored());
  CHECK(s.view()->has_report);
  // The source is a program of its own, too.
  REQUIRE(s.open_program((st.folder.path / "other/mine.cu").string()));
  CHECK_FALSE(s.stored());
}

TEST_CASE("what is no report leaves the open step, and says what is wrong with the file") {
  Stage st;
  Session& s = *st.s;
  s.open("demo/1");
  const fs::path dir = st.folder.path;
  const auto refused = [&](const fs::path& file, const std::string& words) {
    CHECK_FALSE(s.open_report(file.string()));
    CHECK_MESSAGE(says(s, words), file.string() << ": " << (last_toast(s) ? last_toast(s)->text : "silent"));
    CHECK(s.step()->id() == "demo/1-first");
    CHECK(st.frames(2) > 1000);
  };
  refused(dir / "missing.json", "there is no file");
  refused(dir, "is not a file");
  write(dir / "empty.json", "");
  refused(dir / "empty.json", "empty.json");
  write(dir / "other.json", "{\"schema\": 3}");
  refused(dir / "other.json", "is no report: ");
  write(dir / "list.json", "[1, 2]");
  refused(dir / "list.json", "list.json");
  std::string text = read_regular_file(save_report(dir / "kept")).value();
  write(dir / "cut.json", text.substr(0, text.size() / 2));
  refused(dir / "cut.json", "cut.json");
  Report r = report_from_json(text);
  Report none = r;
  none.runs.clear();
  write(dir / "none.json", to_json(none));
  refused(dir / "none.json", "nothing ran");
  r.device.sms = 2000000000;
  write(dir / "huge.json", to_json(r));
  refused(dir / "huge.json", "damaged");
  write(dir / "many.json",
        "{\"schema\": \"warpdojo/recording/1\", \"reports\": [" + text + "," + text + "]}");
  refused(dir / "many.json", "recording of 2 reports");
}

TEST_CASE("a report with impossible figures is refused with the reason, or drawn") {
  Stage st;
  Session& s = *st.s;
  std::string text = read_regular_file(save_report(st.folder.path / "kept")).value();
  const Report whole = report_from_json(text);
  const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  using Change = std::function<void(Report&, LaunchReport&)>;
  const std::pair<const char*, Change> changes[] = {
      {"lines",
       [](Report& r, LaunchReport& l) {
         int wrong[] = {-5, 0, 2147483647};
         for (size_t i = 0; i < l.lines.size(); ++i) l.lines[i].line = wrong[i % 3];
         Diagnostic d;
         d.where = {"mine.cu", 2147483647, 2147483647};
         d.message = "beyond the end";
         r.runs[0].diagnostics = {d, d};
         r.runs[0].diagnostics[1].where.line = -1;
       }},
      {"blocks",
       [&](Report&, LaunchReport& l) {
         for (size_t i = 0; i < l.blocks.size(); ++i) {
           BlockSpan& b = l.blocks[i];
           if (i % 4 == 0) b.sm = -1;
           if (i % 4 == 1) std::swap(b.start_us, b.end_us);
           if (i % 4 == 2) b.end_us = 1e300;
           if (i % 4 == 3) b.start_us = -1e300;
         }
       }},
      {"times",
       [&](Report& r, LaunchReport& l) {
         r.runs[0].time_us.value = nan;
         l.time_us = inf;
         l.waves = 1e300;
         l.occupancy = -3;
         l.tail_idle = nan;
         for (auto& [name, v] : l.counters) v = name.size() % 2 ? inf : -1e300;
         for (auto& [name, v] : l.bounds) v = nan;
       }},
      {"shape",
       [](Report& r, LaunchReport& l) {
         l.grid = {0, 0, 0};
         l.block = {4294967295u, 4294967295u, 4294967295u};
         l.blocks_per_sm = -1;
         l.wave_utilization = 1e300;
         r.device.sms = 0;
         r.device.peak_gbps = 0;
       }},
      {"size",
       [](Report& r, LaunchReport& l) {
         l.grid = {0, 0, 0};
         l.block = {4294967295u, 4294967295u, 4294967295u};
         l.registers = l.static_smem = l.dynamic_smem = 4294967295u;
         l.waves = 1e9;
         r.device.sms = 0;
         r.device.peak_gbps = r.device.peak_gflops = 0;
       }},
      {"nothing", [](Report& r, LaunchReport&) { r.runs[0].launches.clear(); }},
  };
  int opened = 0;
  for (const auto& [name, change] : changes) {
    CAPTURE(name);
    Report r = whole;
    change(r, r.runs[0].launches.at(0));
    const fs::path file = st.folder.path / "kept" / (std::string(name) + ".json");
    write(file, to_json(r));
    // Refused with the reason, or drawn.
    if (!s.open_report(file.string())) {
      CHECK_MESSAGE(says(s, "is damaged"), last_toast(s)->text);
      continue;
    }
    ++opened;
    for (const auto& info : plot_infos()) {
      CAPTURE(info.key);
      s.choose_plot(info.key);
      CHECK(st.frames(2) > 500);
    }
    for (auto tab : {UiState::Tab::brief, UiState::Tab::source}) {
      s.ui.tab = tab;
      CHECK(st.frames(2) > 500);
    }
  }
  CHECK(opened >= 2);  // odd lines and no launches are no damage
}

TEST_CASE("a file that is dropped on the window opens by its ending") {
  Stage st;
  Session& s = *st.s;
  const fs::path file = save_report(st.folder.path / "kept");
  CHECK(s.open_file(file.string()));
  CHECK(s.stored());
  CHECK(s.open_file((st.folder.path / "kept/mine.cu").string()));
  CHECK(run::is_program(*s.step()));
}

TEST_CASE("window: Ctrl+O opens a stored report by its path, F5 runs nothing, and a card of it is saved") {
  if (!test::display()) return;
  test::App app;
  const fs::path file = save_report(app.folder.path / "kept");
  app.start();
  test::App::key("ctrl+o");
  test::App::key("ctrl+a");
  test::App::xdo("type --delay 60 '" + file.string() + "'");
  test::App::key("Return");
  test::App::key("F5");
  test::App::key("ctrl+p");
  test::App::xdo("type --delay 90 'result card'");
  test::App::key("Return");
  // The card's page is of the stored report.
  std::string page;
  CHECK(app.within(25, [&] {
    std::error_code ec;
    for (const auto& e : fs::directory_iterator(app.folder.path / "data/warpdojo/cards", ec))
      if (e.path().extension() == ".html") page = read_regular_file(e.path()).value_or("");
    return !page.empty();
  }));
  CHECK(page.find("mine.cu") != std::string::npos);
  CHECK(app.quit() == 0);
  CHECK(app.state("demo/2-second").empty());
  CHECK_FALSE(fs::exists(app.folder.path / "data/warpdojo/history"));
}

TEST_CASE("window: a report named at the start is what the window shows") {
  if (!test::display()) return;
  test::App app;
  const fs::path file = save_report(app.folder.path / "kept"), picture = app.folder.path / "w.png";
  app.start(picture, 60, "file.card", file.string(), 30);
  CHECK(app.wait() == 0);
  CHECK(fs::exists(picture));
  size_t cards = 0;
  std::error_code ec;
  for (const auto& e : fs::directory_iterator(app.folder.path / "data/warpdojo/cards", ec))
    cards += e.path().filename().string().starts_with("yesterday.json");
  CHECK(cards == 2);  // page and picture
}

TEST_CASE("a report of a program that ran by itself offers neither its file nor a step") {
  Stage st;
  const fs::path file = save_report(st.folder.path / "kept");
  Report r = test::make_report("a.out", {}, {"reference"});
  std::erase_if(r.runs, [](const RunReport& x) { return x.who != "student"; });
  for (auto& l : r.runs[0].launches) l.lines.clear();
  write(st.folder.path / "alone" / "exec.json", to_json(r, 2));
  REQUIRE(st.s->open_report((st.folder.path / "alone" / "exec.json").string()));
  CHECK(st.s->step()->brief.find("Nothing runs here.") != std::string::npos);
  CHECK(st.s->step()->brief.find("in the list") == std::string::npos);
  REQUIRE(st.s->open_report(file.string()));
  CHECK(st.s->step()->brief.find("in the list") != std::string::npos);
}
