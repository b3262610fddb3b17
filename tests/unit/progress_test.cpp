// progress.json: one store for the command line and the app, which may write it in turn.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "core/files/whole_file.hpp"
#include "fixture_labs.hpp"
#include "run/student/student_progress.hpp"

using namespace dojo;
using namespace dojo::run;
using dojo::test::TempFolder;

TEST_CASE("two programs that write the progress in turn lose nothing of each other's") {
  TempFolder t;
  const auto file = t.path / "data/progress.json";
  auto app = StudentProgress::load(file);
  app.edit("demo/1").prediction = "70";
  app.edit("demo/1").hints = 1;
  CHECK(app.save() == "");
  auto line = StudentProgress::load(file);
  CHECK(line.of("demo/1").prediction == "70");
  line.count_run("demo/1", Status::pass);
  line.edit("demo/1").hints = 3;
  line.count_run("demo/2", Status::wrong);
  CHECK(line.save() == "");
  // The app still has what it read at its start.
  app.count_run("demo/1", Status::wrong);
  app.edit("demo/1").hints = 2;
  CHECK(app.save() == "");
  const auto all = StudentProgress::load(file);
  CHECK(all.of("demo/1").state == StepState::passed);  // a pass stays a pass
  CHECK(all.of("demo/1").runs == 2);
  CHECK(all.of("demo/1").hints == 3);
  CHECK(all.of("demo/1").prediction == "70");
  CHECK(all.of("demo/2").state == StepState::failed);
  CHECK(app.of("demo/1").runs == 2);  // and the app has learnt it
  CHECK(app.save() == "");
  CHECK(StudentProgress::load(file).of("demo/1").runs == 2);
}

TEST_CASE("progress is tolerant: other types, short forms, unknown fields, a broken file, no folder") {
  TempFolder t;
  const auto file = t.write(
      "progress.json",
      R"({"theme": 1, "steps": {"a/1": "passed", "a/2": {"hints": "x", "runs": 4, "mine": 7}, "a/3": 5}})");
  auto p = StudentProgress::load(file);
  CHECK(p.of("a/1").state == StepState::passed);
  CHECK(p.of("a/2").hints == 0);
  CHECK(p.of("a/2").runs == 4);
  CHECK(p.of("a/3").state == StepState::fresh);
  p.count_run("a/2", Status::gate_failed);
  CHECK(p.save() == "");
  const auto j = nlohmann::json::parse(*read_file(file));
  CHECK(j["theme"] == 1);
  CHECK(j["steps"]["a/2"]["mine"] == 7);
  CHECK(j["steps"]["a/2"]["runs"] == 5);
  t.write("progress.json", "{ broken");
  CHECK(StudentProgress::load(file).of("a/1").state == StepState::fresh);
  CHECK(read_file(file.string() + ".broken") == "{ broken");
  StudentProgress nowhere;
  nowhere.count_run("a/1", Status::pass);
  CHECK(nowhere.of("a/1").state == StepState::passed);
  CHECK(nowhere.save() != "");
}

TEST_CASE("a file is replaced whole: links stay links, rights stay, a full path is made, a refusal says so") {
  TempFolder t;
  CHECK(replace_file(t.path / "x/y/z.txt", "one") == "");
  CHECK(read_file(t.path / "x/y/z.txt") == "one");
  fs::create_symlink(t.path / "x/y/z.txt", t.path / "link");
  fs::permissions(t.path / "x/y/z.txt", fs::perms::owner_read | fs::perms::owner_write);
  CHECK(replace_file(t.path / "link", "two") == "");
  CHECK(fs::is_symlink(t.path / "link"));
  CHECK(read_file(t.path / "x/y/z.txt") == "two");
  CHECK((fs::status(t.path / "x/y/z.txt").permissions() & fs::perms::group_read) == fs::perms::none);
  t.write("file", "");
  const std::string problem = replace_file(t.path / "file/below", "x");
  CHECK(problem.find("can't be written") != std::string::npos);
  CHECK_FALSE(write_atomically(t.path / "file/below", "x"));
  // Nothing is left beside.
  CHECK(std::distance(fs::directory_iterator(t.path / "x/y"), fs::directory_iterator{}) == 1);
}
