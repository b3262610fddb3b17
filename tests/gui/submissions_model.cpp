// Submissions without a window: opening, stepping through, running enclosed, grading off the drawing thread,
// sorting.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <condition_variable>
#include <fstream>
#include <thread>

#include "core/error.hpp"
#include "fixtures.hpp"
#include "grade/book/overrides.hpp"
#include "grade/course/course.hpp"
#include "grade/formats.hpp"

using namespace dojo;
using namespace dojo::gui;
using test::FakeRunner;

namespace {
/// A grader that makes a row when it is told to, in the thread that called it.
struct Hand {
  std::mutex m;
  std::condition_variable cv;
  int allowed = 0;
  grade::GradeOptions seen;
  std::thread::id where;
  void allow(int n) {
    const std::lock_guard lock(m);
    allowed += n;
    cv.notify_all();
  }
  std::vector<grade::Row> operator()(const Catalog& c, const std::vector<grade::Submission>& people,
                                     const grade::GradeOptions& o) {
    where = std::this_thread::get_id();
    seen = o;
    std::vector<grade::Row> out;
    for (auto& p : people)
      for (auto& cs : o.course.steps) {
        std::unique_lock lock(m);
        while (allowed == 0 && !o.stopped()) cv.wait_for(lock, std::chrono::milliseconds(10));
        if (o.stopped()) return out;
        --allowed;
        lock.unlock();
        const Step& s = c.find(cs.step);
        grade::Row r;
        r.student = p.student;
        r.lab = s.lab;
        r.step = s.file.substr(0, s.file.rfind('.'));
        r.max_points = 10;
        r.points = p.student == "ada" ? 10 : s.number == 1 ? 6 : 0;
        r.status = r.points == 10 ? grade::RowStatus::pass
                   : r.points > 0 ? grade::RowStatus::gate_failed
                                  : grade::RowStatus::wrong;
        r.time_us = 40 + 10 * s.number;
        r.message = r.status == grade::RowStatus::pass ? "" : "see the gates, \"all\" of them";
        out.push_back(r);
        o.row(r, int(out.size()), 6);
      }
    return out;
  }
};

struct IntakeDesk {
  test::TempFolder folder;
  FakeRunner *runner = nullptr, *enclosed = nullptr;
  int made = 0;
  run::WorkerOptions options;
  std::shared_ptr<Hand> hand = std::make_shared<Hand>();
  run::Sandbox sandbox;
  std::unique_ptr<Session> s;
  double now = 0;
  IntakeDesk() {
    test::write_labs(folder.path);
    auto put = [&](const char* file, const char* text) {
      fs::path p = folder.path / "class" / file;
      fs::create_directories(p.parent_path());
      std::ofstream(p) << text;
    };
    put("ada/01-demo/1-first.cu", "// by ada\n");
    put("ada/01-demo/2-second.cu", "// second by ada\n");
    put("bob/labs/01-demo/1-first.cu", "// by bob\n");
    fs::create_directories(folder.path / "class/cleo");
    std::ofstream(folder.path / "course.toml") << "title = \"T\"\n[[step]]\nstep = \"demo/1\"\npoints = "
                                                  "10\n[[step]]\nstep = \"demo/2\"\npoints = 10\n";
    sandbox.landlock = 1;
    auto r = std::make_unique<FakeRunner>();
    runner = r.get();
    s = std::make_unique<Session>(load_catalog(folder.path), std::move(r),
                                  Places{folder.path / "config", folder.path / "data"}, test::make_devices());
    auto h = hand;
    auto box = &sandbox;
    s->desk.table = std::make_unique<Submissions>(
        nullptr, [h](auto& c, auto& p, auto& o) { return (*h)(c, p, o); }, [box] { return *box; });
    s->desk.make_enclosed = [this](const run::WorkerOptions& o) {
      auto r = std::make_unique<FakeRunner>();
      enclosed = r.get();
      options = o;
      ++made;
      return r;
    };
    s->desk.course_file = (folder.path / "course.toml").string();
  }
  void settle(int n = 60) {
    for (int k = 0; k < n; ++k) s->tick(now += 0.05);
  }
  template <class F>
  bool within(F f) {
    for (int k = 0; k < 2000 && !f(); ++k) {
      s->tick(now += 0.01);
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return f();
  }
  /// The sandbox is tried out in a thread of its own.
  void ready() {
    REQUIRE(within([&] { return s->desk.table->sandbox().has_value(); }));
  }
  std::string path() { return (folder.path / "class").string() + "/"; }
  int row(const char* student, const char* step) {
    auto& rows = s->desk.table->rows();
    for (size_t i = 0; i < rows.size(); ++i)
      if (rows[i].student == student && rows[i].step == step) return int(i);
    return -1;
  }
};
}  // namespace

TEST_CASE("submissions without a course: the table leaves out steps without a file") {
  IntakeDesk d;
  Submissions all;
  REQUIRE(all.open(d.s->catalog(), (d.folder.path / "class").string()));
  CHECK(all.rows().size() == all.people().size() * 3);  // as the CSV has them
  for (int i : all.order()) CHECK(all.step_of(i) != "other/1-only");
  CHECK(all.order().size() == all.people().size() * 2);
  CHECK(all.summary() == fmt::format("{} students, 3 steps, 2 of them handed in", all.people().size()));
  REQUIRE(
      all.open(d.s->catalog(), (d.folder.path / "class").string(), (d.folder.path / "course.toml").string()));
  CHECK(all.order().size() == all.rows().size());
  CHECK(all.summary() == fmt::format("{} students, 2 steps each", all.people().size()));
}

TEST_CASE(
    "submissions: a row without a file says what was not read, and of a missing file the reason stands "
    "once") {
  IntakeDesk b;
  auto& s = *b.s;
  fs::create_directories(b.folder.path / "class/dora");
  std::ofstream(b.folder.path / "class/dora/work.rar") << "Rar!";
  REQUIRE(s.desk.open(b.path()));
  const int dora = b.row("dora", "1-first");
  REQUIRE(dora >= 0);
  CHECK(s.desk.table->rows()[size_t(dora)].message ==
        "No 01-demo/1-first.cu was found. work.rar is an archive that is not read; pack it as zip.");
  b.ready();
  b.hand->allow(100);
  s.desk.grade();
  REQUIRE(b.within([&] { return !s.desk.table->grading(); }));
  const auto in = s.desk.table->open_row(b.row("cleo", "1-first"));
  CHECK(in->missing);
  CHECK(in->words == "No 01-demo/1-first.cu was handed in. Graded: gate failed, 6 of 10 points.");
}

TEST_CASE("submissions: a folder opens as a table of every student and step; a wrong path says why") {
  IntakeDesk b;
  auto& s = *b.s;
  CHECK_FALSE(s.desk.open((b.folder.path / "nowhere").string()));
  CHECK(s.desk.table->error().find("nowhere") != std::string::npos);
  CHECK_FALSE(s.ui.submissions);
  REQUIRE(s.desk.open(b.path()));
  CHECK(s.ui.submissions);
  CHECK(s.instructor);
  CHECK(s.desk.table->people().size() == 3);
  CHECK(s.desk.table->rows().size() == 6);
  CHECK(s.desk.table->rows()[size_t(b.row("cleo", "1-first"))].message == "nothing handed in");
  s.desk.course_file = (b.folder.path / "none.toml").string();
  CHECK_FALSE(s.desk.open(b.path()));
  CHECK(s.desk.table->rows().size() == 6);  // what was open stays
}

TEST_CASE(
    "submissions: stepping through shows each student's file, which runs enclosed and apart from the "
    "others'") {
  IntakeDesk b;
  auto& s = *b.s;
  REQUIRE(s.desk.open(b.path()));
  b.ready();
  s.desk.show(b.row("ada", "1-first"));
  REQUIRE(s.view());
  CHECK(s.step()->id() == "demo/1-first");
  REQUIRE(s.view()->stand_in);
  CHECK(s.view()->stand_in->text == "// by ada\n");
  CHECK_FALSE(s.ui.submissions);
  CHECK(s.desk.table->position() == "ada, 1 of 3");
  REQUIRE(s.run());
  CHECK(b.runner->requests.empty());
  REQUIRE(b.enclosed);
  CHECK(b.enclosed->requests.at(0).student_source == "// by ada\n");
  CHECK(b.enclosed->requests.at(0).who == run::Who::both);
  CHECK(b.options.sandbox.closed());
  CHECK_FALSE(b.options.keep_references);
  b.settle();
  CHECK(s.view()->report_of == "ada");
  CHECK(s.state_of("demo/1-first") == StepState::fresh);
  s.run();
  b.settle();
  CHECK(b.made == 1);
  CHECK(s.commands.run("instructor.next_submission"));
  CHECK(s.view()->stand_in->text == "// by bob\n");
  CHECK(s.view()->stale());
  s.run();
  b.settle();
  CHECK(b.made == 2);
  s.desk.next(1);
  CHECK(s.view()->stand_in->missing);
  CHECK_FALSE(s.run());
  CHECK(s.view()->error == "No 01-demo/1-first.cu was handed in.");
  s.desk.next(1);
  CHECK(s.toasts().back().text == "That was the last student.");
  s.desk.next(-1);
  CHECK(s.desk.table->position() == "bob, 2 of 3");
  // Back to the own file: the ordinary worker.
  s.choose_stand_in(nullptr);
  s.run();
  CHECK(b.runner->requests.size() == 1);
}

TEST_CASE("submissions: without a sandbox nothing of them runs, unless it was switched off") {
  IntakeDesk b;
  b.sandbox = {};
  auto& s = *b.s;
  REQUIRE(s.desk.open(b.path()));
  b.ready();
  s.desk.show(b.row("ada", "1-first"));
  CHECK_FALSE(s.run());
  CHECK(s.view()->error.find("sandbox") != std::string::npos);
  CHECK(b.made == 0);
  s.desk.grade();
  CHECK(b.within([&] { return !s.desk.table->grading(); }));
  CHECK(s.desk.table->error().find("sandbox") != std::string::npos);
  s.desk.trusted = true;
  CHECK(s.run());
  CHECK_FALSE(b.options.sandbox.any());
}

TEST_CASE("submissions: grading works in a thread, fills the table row by row, and ends when cancelled") {
  IntakeDesk b;
  auto& s = *b.s;
  REQUIRE(s.desk.open(b.path()));
  s.desk.secret = "words";
  s.desk.grade();
  CHECK(s.desk.table->grading());
  CHECK(s.next_tick() <= 0.5);
  b.hand->allow(2);
  CHECK(b.within([&] { return s.desk.table->done() == 2; }));
  CHECK(b.hand->where != std::this_thread::get_id());
  CHECK(b.hand->seen.secret == "words");
  CHECK(b.hand->seen.sandbox.closed());
  CHECK(s.desk.table->last() == "ada/demo/2-second pass");
  // The window stays free meanwhile: a step runs.
  s.open("other/1");
  CHECK(s.run());
  b.settle();
  s.desk.table->cancel();
  CHECK(b.within([&] { return !s.desk.table->grading(); }));
  CHECK(s.desk.table->error().empty());
  CHECK(s.desk.table->rows()[size_t(b.row("ada", "1-first"))].status == grade::RowStatus::pass);
  CHECK(s.desk.table->rows()[size_t(b.row("bob", "1-first"))].status == grade::RowStatus::none);
}

TEST_CASE("submissions: the table sorts by any column, and its CSV is the grader's") {
  IntakeDesk b;
  auto& s = *b.s;
  REQUIRE(s.desk.open(b.path()));
  b.hand->allow(100);
  s.desk.grade();
  REQUIRE(b.within([&] { return !s.desk.table->grading(); }));
  auto& all = *s.desk.table;
  auto first = [&] {
    auto& r = all.rows()[size_t(all.order()[0])];
    return r.student + " " + r.step;
  };
  CHECK(first() == "ada 1-first");
  all.sort(Submissions::student, false);
  CHECK(first() == "cleo 1-first");
  all.sort(Submissions::points, true);
  CHECK(first() == "bob 2-second");
  all.sort(Submissions::points, false);
  CHECK(first() == "ada 1-first");
  all.sort(Submissions::step, false);
  CHECK(first() == "ada 2-second");
  all.sort(Submissions::status, false);
  CHECK(first() == "bob 2-second");
  all.sort(Submissions::time, false);
  CHECK(first() == "ada 2-second");
  all.sort(Submissions::message, false);
  CHECK(first() == "bob 1-first");
  CHECK(all.summary() == "6 of 6 graded, 10.7 of 20 points per student on average");
  fs::path file = s.desk.export_csv();
  std::string text = read_regular_file(file).value();
  auto rows = grade::read_csv(text);
  CHECK(rows.size() == 6);
  CHECK(rows[2].message == "see the gates, \"all\" of them");
  // Opening a graded row says what it got.
  s.desk.show(b.row("bob", "1-first"));
  CHECK(s.view()->stand_in->words.find("gate failed, 6 of 10 points") != std::string::npos);
}

TEST_CASE("a file of the course that is not there is said to be missing, not to be wrong TOML") {
  test::TempFolder folder;
  test::write_labs(folder.path);
  const Catalog labs = load_catalog(folder.path);
  const grade::Course course = grade::whole_catalog(labs);
  const fs::path none = folder.path / "no.toml";
  CHECK_THROWS_WITH_AS(grade::load_course(none, labs), ("there is no " + none.string()).c_str(), Error);
  CHECK_THROWS_WITH_AS(grade::load_overrides(none, labs, course), ("there is no " + none.string()).c_str(),
                       Error);
}
