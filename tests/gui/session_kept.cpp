// What a session keeps: over a restart, with broken settings, without a folder it may write to; hints and
// resets.
#include <doctest/doctest.h>

#include <signal.h>
#include <sys/resource.h>

#include <fstream>

#include "session_bench.hpp"

using namespace dojo;
using namespace dojo::gui;
using test::FakeRunner;
using test::SessionBench;

TEST_CASE("what was done is there after a restart") {
  SessionBench b;
  b.s->open("demo/2");
  b.s->run();
  b.settle();
  b.s->open("demo/1");
  b.s->show_hint();
  b.s->choose_heat("conflicts");
  b.s->commands.run("view.light");
  b.s->choose_device("simt:a5000");
  b.settle();
  b.start();
  CHECK(b.s->settings.step == "demo/1-first");
  CHECK(b.s->settings.theme == "light");
  CHECK(b.s->settings.heat == "conflicts");
  CHECK(b.s->device() == "simt:a5000");
  b.s->open("demo/1");
  CHECK(b.s->hints_shown() == 1);
  CHECK(b.s->state_of("demo/2-second") == StepState::passed);
  b.s->open("demo/2");
  REQUIRE(b.s->view()->history.size() == 1);
  CHECK(student_run(b.s->view()->history[0].report)->launches[0].blocks.empty());
}

TEST_CASE("a broken settings file is set aside, and unknown keys of a later version survive") {
  test::TempFolder t;
  fs::create_directories(t.path);
  std::ofstream(t.path / "window.json") << "{ not json";
  std::string problem;
  Settings s = Settings::load(t.path, &problem);
  CHECK(s.theme == "dark");
  CHECK_FALSE(problem.empty());
  CHECK(fs::exists(t.path / "window.json.broken"));
  std::ofstream(t.path / "window.json") << R"({"theme":"light","scale":"huge","from_the_future":[1,2]})";
  s = Settings::load(t.path);
  CHECK(s.theme == "light");
  CHECK(s.scale == 1);
  CHECK(s.save(t.path).empty());
  std::string text = read_regular_file(t.path / "window.json").value_or("");
  CHECK(text.find("from_the_future") != std::string::npos);
  CHECK_FALSE(Settings{}.save({}).empty());
  CHECK_FALSE(read_regular_file(t.path).has_value());
  CHECK_FALSE(read_regular_file(t.path / "absent").has_value());
}

TEST_CASE("broken progress is set aside, and the window says so") {
  test::TempFolder t;
  test::write_labs(t.path);
  fs::create_directories(t.path / "data");
  std::ofstream(t.path / "data/progress.json") << "{ \"steps\": ";
  Session s(load_catalog(t.path), std::make_unique<FakeRunner>(), Places{t.path / "config", t.path / "data"});
  CHECK(fs::exists(t.path / "data/progress.json.broken"));
  REQUIRE_FALSE(s.toasts().empty());
  CHECK(s.toasts().back().text.find("progress.json.broken") != std::string::npos);
}

TEST_CASE("conflict: nothing is called saved that could not be written") {
  test::TempFolder t;
  test::write_labs(t.path);
  Session s(load_catalog(t.path), std::make_unique<FakeRunner>(), Places{t.path / "config", t.path / "data"});
  s.open("demo/2");
  s.view()->text.type("// mine ");
  std::ofstream(t.path / "labs/01-demo/2-second.cu") << "// theirs\n";
  CHECK_FALSE(s.save());
  // No file may grow: that stops root, too.
  rlimit before{};
  REQUIRE(::getrlimit(RLIMIT_FSIZE, &before) == 0);
  const rlimit nothing{0, before.rlim_max};
  const auto signal_before = ::signal(SIGXFSZ, SIG_IGN);
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &nothing) == 0);
  s.keep_mine();
  ::setrlimit(RLIMIT_FSIZE, &before);
  ::signal(SIGXFSZ, signal_before);
  REQUIRE_FALSE(s.toasts().empty());
  for (auto& t : s.toasts()) CHECK(t.text.find("saved") == std::string::npos);
  CHECK(s.toasts().back().text.find("can't be written") != std::string::npos);
  CHECK(s.view()->text.modified());
}

TEST_CASE("a folder that can't be written is said once, and the app goes on") {
  test::TempFolder t;
  test::write_labs(t.path);
  std::ofstream(t.path / "file") << "no folder";
  Session s(load_catalog(t.path), std::make_unique<FakeRunner>(), Places{t.path / "file", t.path / "file"});
  s.open("demo/1");
  s.tick(0);
  for (int k = 1; k < 4; ++k) {
    s.settings_changed();
    s.tick(k * 10.0);
    int said = 0;
    for (auto& x : s.toasts()) said += x.text.find("Settings are not kept") != std::string::npos;
    CHECK(said == (k == 1 ? 1 : 0));
  }
}

TEST_CASE("hints come one at a time") {
  SessionBench b;
  b.s->open("demo/1");
  CHECK(b.s->hints_shown() == 0);
  for (int k = 0; k < 5; ++k) b.s->show_hint();
  CHECK(b.s->hints_shown() == 3);
}

TEST_CASE("reset brings the first text back and keeps the other") {
  SessionBench b;
  auto& s = *b.s;
  s.open("demo/2");
  std::string original = s.view()->text.text();
  s.view()->text.select_all();
  s.view()->text.type("mine");
  s.save();
  CHECK(s.reset());
  CHECK(b.text(b.file("2-second.cu")) == original);
  bool kept = false;
  for (auto& e : fs::recursive_directory_iterator(b.folder.path / "data" / "kept"))
    kept = kept || (e.is_regular_file() && b.text(e.path()) == "mine");
  CHECK(kept);
  s.view()->text.undo();
  CHECK(s.view()->text.text() == "mine");
}
