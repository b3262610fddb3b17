// Instructor mode without a window: stand-ins, wrong versions, a whole lab.
#include <doctest/doctest.h>

#include <fstream>

#include "fixtures.hpp"

using namespace dojo;
using namespace dojo::gui;
using test::FakeRunner;

namespace {
struct InstructorDesk {
  test::TempFolder folder;
  FakeRunner* runner = nullptr;
  std::unique_ptr<Session> s;
  double now = 0;
  InstructorDesk() {
    test::write_labs(folder.path);
    fs::path wrong = folder.path / "tests/wrong/01-demo";
    fs::create_directories(wrong);
    std::ofstream(wrong / "1-first--race.cu") << "// wrong: demo/1-first\n// mistake: No barrier.\n// "
                                                 "expect: finding race line 8\n__global__ void k() {}\n";
    std::ofstream(wrong / "1-first--gate.cu") << "// wrong: demo/1-first\n// mistake: Conflicts.\n// expect: "
                                                 "gate_failed gate shared_conflicts == 0\n";
    auto r = std::make_unique<FakeRunner>();
    runner = r.get();
    s = std::make_unique<Session>(load_catalog(folder.path), std::move(r),
                                  Places{folder.path / "config", folder.path / "data"}, test::make_devices());
  }
  void settle(int n = 60) {
    for (int k = 0; k < n; ++k) s->tick(now += 0.05);
  }
};
}  // namespace

TEST_CASE("instructor: how a wrong version must end is said in words") {
  CHECK(expected_words("finding race line 11") == "a finding at line 11: race");
  CHECK(expected_words("finding out_of_bounds") == "a finding: out of bounds");
  CHECK(expected_words("gate_failed gate shared_stores == 0") == "a failed gate: shared_stores == 0");
  CHECK(expected_words("wrong") == "a wrong result");
  CHECK(expected_words("timeout") == "the status timeout");
}

TEST_CASE("instructor: references and stored wrong versions run in the file's place and leave no trace") {
  InstructorDesk b;
  auto& s = *b.s;
  s.open("demo/1");
  CHECK_FALSE(s.solved_or_instructor());
  CHECK_FALSE(s.commands.find("instructor.tab")->usable());
  s.set_instructor(true);
  CHECK(s.solved_or_instructor());
  CHECK(s.commands.find("instructor.tab")->usable());
  REQUIRE(s.stand_ins().size() == 3);
  CHECK(s.stand_ins()[0].kind == StandIn::reference);
  CHECK(s.stand_ins()[1].label == "gate");
  CHECK(s.stand_ins()[2].words == "No barrier.");
  s.choose_stand_in(std::make_shared<StandIn>(s.stand_ins()[2]));
  b.runner->student.status = Status::finding;
  CHECK(s.run());  // no prediction is asked from an instructor
  REQUIRE(b.runner->requests.size() == 1);
  REQUIRE(b.runner->requests[0].student_source);
  CHECK(b.runner->requests[0].student_source->find("No barrier") != std::string::npos);
  b.settle();
  REQUIRE(s.view()->has_report);
  CHECK(s.view()->report_of == "race");
  CHECK_FALSE(s.view()->stale());
  CHECK_FALSE(s.view()->marks.empty());
  CHECK(s.state_of("demo/1-first") == StepState::fresh);
  CHECK(s.progress_of("demo/1-first").runs == 0);
  CHECK(s.view()->history.empty());
  // Back to the student's file: what is shown is of another one, and no mark stands at its lines.
  s.set_instructor(false);
  CHECK(s.view()->stand_in == nullptr);
  CHECK(s.view()->stale());
  CHECK(s.view()->marks.empty());
  s.view()->text.type("// mine\n");  // an untouched file is no try
  s.skip_prediction();
  b.settle();
  CHECK_FALSE(b.runner->requests.back().student_source);
  CHECK(s.state_of("demo/1-first") == StepState::failed);
}

TEST_CASE("instructor: slow motion records the stand-in") {
  InstructorDesk b;
  auto& s = *b.s;
  s.set_instructor(true);
  s.open("demo/1");
  s.choose_stand_in(std::make_shared<StandIn>(s.stand_ins()[1]));
  s.recorder.record();
  REQUIRE(b.runner->requests.back().trace.on);
  CHECK(b.runner->requests.back().student_source);
  b.settle();
  CHECK_FALSE(s.recorder.stale());
  s.choose_stand_in(nullptr);
  CHECK(s.recorder.stale());
}

TEST_CASE(
    "instructor: a whole lab runs in a line, says what came otherwise than expected, and ends when "
    "cancelled") {
  InstructorDesk b;
  auto& s = *b.s;
  s.set_instructor(true);
  s.open("demo/2");
  b.runner->student.status = Status::finding;
  REQUIRE(s.lab_run.start(*s.lab(), {true, true, true}));
  CHECK(s.jobs.line().running);
  CHECK(s.jobs.line().total == 6);  // two files, two references, two wrong versions
  CHECK_FALSE(s.run());
  double last = 0;
  while (s.running()) {
    CHECK(s.work_share() >= last - 1e-9);
    last = s.work_share();
    s.tick(b.now += 0.05);
  }
  REQUIRE(s.lab_run.rows.size() == 6);
  auto row = [&](const char* step, const char* label) -> LabRow& {
    for (auto& r : s.lab_run.rows)
      if (r.step == step && r.label == label) return r;
    REQUIRE(false);
    return s.lab_run.rows[0];
  };
  CHECK(row("demo/1-first", "race").as_expected);
  CHECK_FALSE(row("demo/1-first", "gate").as_expected);
  CHECK(row("demo/1-first", "gate").note.starts_with("expected gate_failed"));
  CHECK_FALSE(row("demo/1-first", "your file").told);
  CHECK(row("demo/1-first", "your file").status == Status::finding);
  // Nothing was kept.
  CHECK(s.state_of("demo/1-first") == StepState::fresh);
  CHECK_FALSE(s.view()->has_report);

  b.runner->delay = 1000;
  REQUIRE(s.lab_run.start(*s.lab(), {}));
  b.settle(2);
  CHECK(s.commands.run("run.cancel"));
  b.settle();
  CHECK_FALSE(s.jobs.line().running);
  CHECK_FALSE(s.running());
  CHECK_FALSE(s.lab_run.rows.back().ran);
  CHECK(s.toasts().back().text.find("cancelled") != std::string::npos);
  // The app goes on.
  b.runner->delay = 0;
  CHECK(s.run());
}

TEST_CASE(
    "instructor: a checkout without tests has references and no wrong versions; a worker that can't start "
    "ends the line") {
  InstructorDesk b;
  fs::remove_all(b.folder.path / "tests");
  auto& s = *b.s;
  s.set_instructor(true);
  s.open("demo/1");
  REQUIRE(s.stand_ins().size() == 1);
  b.runner->fail_start = true;
  s.lab_run.start(*s.lab(), {});
  CHECK_FALSE(s.jobs.line().running);
  REQUIRE(s.lab_run.rows.size() == 2);
  CHECK(s.lab_run.rows[0].ran);
  CHECK_FALSE(s.lab_run.rows[0].as_expected);
  CHECK(s.lab_run.rows[0].note == "the worker can't be started");
}
