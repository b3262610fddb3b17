// Nothing that was typed is lost: drafts, two versions of a file, a file that is gone.
#include <doctest/doctest.h>

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <thread>

#include "fixtures.hpp"
#include "grade/intake/pack.hpp"
#include "run/student/unsaved.hpp"

using namespace dojo;
using namespace dojo::gui;
using test::FakeRunner;

namespace {
struct DraftBench {
  test::TempFolder folder;
  FakeRunner* runner = nullptr;
  std::unique_ptr<Session> s;
  double now = 0;
  DraftBench() {
    test::write_labs(folder.path);
    start();
  }
  void start() {
    s.reset();
    auto r = std::make_unique<FakeRunner>();
    runner = r.get();
    s = std::make_unique<Session>(load_catalog(folder.path), std::move(r),
                                  Places{folder.path / "config", folder.path / "data"}, test::make_devices());
  }
  void settle(int n = 40) {
    for (int k = 0; k < n; ++k) s->tick(now += 0.05);
  }
  /// Ticks and waits, for what another thread or the disk has to tell.
  template <class F>
  bool until(F f) {
    for (int k = 0; k < 500 && !f(); ++k) {
      s->tick(now += 0.01);
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return f();
  }
  fs::path file(const char* f) { return folder.path / "labs/01-demo" / f; }
  fs::path draft() { return folder.path / "data/drafts/demo+2-second.json"; }
  std::string text(const fs::path& p) {
    std::string t = read_regular_file(p).value_or("");
    return t;
  }
};
}  // namespace

TEST_CASE("drafts: unsaved text is back at the next start, and a second of typing is kept without an end") {
  DraftBench b;
  b.s->open("demo/2");
  const std::string saved = b.s->view()->text.text();
  b.s->view()->text.type("// typed ");
  b.s->tick(b.now += 0.01);
  CHECK_FALSE(fs::exists(b.draft()));
  b.s->tick(b.now += 0.6);
  CHECK(b.text(b.draft()).find("// typed ") != std::string::npos);  // what a kill would leave
  b.s->view()->text.type("more ");
  b.start();  // closed without a question
  CHECK(b.text(b.file("2-second.cu")) == saved);
  b.s->open("demo/2");
  CHECK(b.s->view()->text.text().starts_with("// typed more "));
  CHECK(b.s->view()->text.modified());
  CHECK(b.s->ui.tab == UiState::Tab::source);  // what one goes on with
  CHECK_FALSE(b.s->view()->disk_newer);
  CHECK(b.s->view()->text.caret().column == 14);
  b.s->view()->text.undo();
  CHECK(b.s->view()->text.text() == saved);
  b.s->view()->text.redo();
  REQUIRE(b.s->save());
  b.settle();
  CHECK_FALSE(fs::exists(b.draft()));
  b.start();
  b.s->open("demo/2");
  CHECK_FALSE(b.s->view()->text.modified());
  CHECK(b.s->ui.tab == UiState::Tab::brief);
}

TEST_CASE("drafts: the text of every step is kept, also when the labs are read again") {
  DraftBench b;
  b.s->open("demo/1");
  b.s->view()->text.type("// one ");
  b.s->open("demo/2");
  b.s->view()->text.type("// two ");
  b.s->reload_catalog();
  CHECK(b.s->view()->text.text().starts_with("// two "));
  b.start();
  b.s->open("demo/1");
  CHECK(b.s->view()->text.text().starts_with("// one "));
}

TEST_CASE("drafts: a file that changed meanwhile is asked about before it is written over") {
  DraftBench b;
  b.s->open("demo/2");
  b.s->view()->text.type("// mine ");
  b.start();
  std::ofstream(b.file("2-second.cu")) << "// theirs\n";
  b.s->open("demo/2");
  CHECK(b.s->view()->disk_newer);
  CHECK_FALSE(b.s->save());
  CHECK(b.s->ui.shows(Overlay::conflict));
  CHECK(b.text(b.file("2-second.cu")) == "// theirs\n");
}

TEST_CASE("drafts: a damaged one is set aside, said, and not written over") {
  DraftBench b;
  b.s->open("demo/2");
  b.s->view()->text.type("// mine ");
  b.start();
  REQUIRE(fs::exists(b.draft()));
  const std::string whole = b.text(b.draft()), half = whole.substr(0, whole.size() / 2);
  std::ofstream(b.draft()) << half;
  b.s->open("demo/2");
  const fs::path aside = b.draft().string() + ".broken";
  CHECK(b.text(aside) == half);
  REQUIRE_FALSE(b.s->toasts().empty());
  CHECK(b.s->toasts().back().text.find("demo+2-second.json.broken") != std::string::npos);
  b.s->view()->text.type("// again ");
  b.settle();
  CHECK(fs::exists(b.draft()));
  CHECK(b.text(aside) == half);
}

TEST_CASE(
    "conflict: whichever version is not chosen is under Runs, over a restart, and can be brought back") {
  for (const bool mine : {true, false}) {
    DraftBench b;
    b.s->open("demo/2");
    b.s->view()->text.type("// mine ");
    std::ofstream(b.file("2-second.cu")) << "// theirs\n";
    CHECK_FALSE(b.s->save());  // asks, though nothing has noticed the change yet
    CHECK(b.s->ui.shows(Overlay::conflict));
    CHECK(b.s->view()->theirs == "// theirs\n");
    if (mine)
      b.s->keep_mine();
    else
      b.s->take_disk();
    CHECK_FALSE(b.s->ui.shows(Overlay::conflict));
    b.settle();
    const std::string stays = mine ? "// mine " : "// theirs", other = mine ? "// theirs" : "// mine ";
    CHECK(b.text(b.file("2-second.cu")).starts_with(stays));
    CHECK(b.runner->requests.size() == 1);  // a save that runs, as any
    b.start();
    b.s->open("demo/2");
    auto& history = b.s->view()->history;
    REQUIRE(history.size() == 2);
    CHECK(history[0].source.starts_with(other));
    CHECK(history[0].when.size() == 19);
    CHECK(history[0].report.runs.empty());
    CHECK(history[1].source.starts_with(stays));  // a run keeps its source too
    CHECK(b.s->restore_text(history[0]));
    CHECK(b.s->view()->text.text().starts_with(other));
    CHECK(b.text(b.file("2-second.cu")).starts_with(stays));
  }
}

TEST_CASE("a deleted file says so, and F5 puts it back with the text of the window") {
  DraftBench b;
  b.s->open("demo/2");
  const std::string text = b.s->view()->text.text();
  fs::remove(b.file("2-second.cu"));
  CHECK(b.until([&] { return !b.s->view()->file_problem.empty(); }));
  CHECK(b.s->view()->file_problem ==
        "01-demo/2-second.cu was deleted or moved. F5 puts it back with the text of this window.");
  CHECK(b.runner->requests.empty());
  b.s->run(false);
  CHECK(b.text(b.file("2-second.cu")) == text);
  CHECK(b.s->view()->file_problem.empty());
  b.settle();
  CHECK(b.runner->requests.size() == 1);
  // An editor that deletes first and renames then is no news.
  fs::rename(b.file("2-second.cu"), b.file("kept"));
  fs::rename(b.file("kept"), b.file("2-second.cu"));
  b.settle();
  CHECK(b.s->view()->file_problem.empty());
}

TEST_CASE("what is no file in a file's place says so, runs nothing, and takes no text from the window") {
  struct Case {
    const char* what;
    const char* words;
    bool comes_back;  ///< F5 puts the file there
  };
  for (const Case& c :
       {Case{"folder", "01-demo/2-second.cu is a folder. Move it away, then press F5.", false},
        Case{"pipe", "01-demo/2-second.cu is no file. Move it away, then press F5.", false},
        Case{"loop",
             "01-demo/2-second.cu is a link that leads nowhere. F5 replaces it by a file with "
             "the text of this window.",
             true}}) {
    CAPTURE(c.what);
    DraftBench b;
    b.s->open("demo/2");
    const std::string text = b.s->view()->text.text();
    const fs::path file = b.file("2-second.cu");
    fs::remove(file);
    if (c.what == std::string("folder")) fs::create_directory(file);
    if (c.what == std::string("pipe")) REQUIRE(mkfifo(file.c_str(), 0600) == 0);
    if (c.what == std::string("loop")) fs::create_symlink(file.filename(), file);
    CHECK(b.until([&] { return b.s->view()->file_problem == c.words; }));
    CHECK(b.s->view()->file_problem == c.words);
    CHECK(b.s->view()->file_gone == c.comes_back);  // else nothing offers to restore it
    CHECK(b.s->view()->text.text() == text);
    CHECK(b.runner->requests.empty());
    b.s->run(false);
    b.settle();
    CHECK(b.s->view()->text.text() == text);
    CHECK(b.runner->requests.size() == size_t(c.comes_back));
    if (c.comes_back) CHECK(b.text(file) == text);
  }
}

TEST_CASE("a file that is gone at the start does not hide its lab; F5 brings the first text back") {
  DraftBench b;
  b.s->open("demo/2");  // seen unchanged: a copy is kept
  const std::string text = b.s->view()->text.text();
  b.s.reset();
  fs::remove(b.file("2-second.cu"));
  b.start();
  CHECK(b.s->catalog().labs.size() == 2);
  REQUIRE(b.s->open("demo/2"));
  CHECK(b.s->view()->file_problem ==
        "01-demo/2-second.cu was deleted or moved. F5 puts it back as it was at first.");
  b.s->run(false);
  CHECK(b.text(b.file("2-second.cu")) == text);
  CHECK(b.s->view()->loaded);
}

TEST_CASE(
    "a file that was lost while the window was closed comes back as it last ran, not as it was at first") {
  DraftBench b;
  b.s->open("demo/2");
  b.s->view()->text.type("// mine ");
  b.s->run(false);
  b.settle();
  const std::string ran = b.text(b.file("2-second.cu"));
  REQUIRE(ran.starts_with("// mine "));
  b.s.reset();
  fs::remove(b.file("2-second.cu"));
  b.start();
  REQUIRE(b.s->open("demo/2"));
  CHECK(b.s->view()->file_problem ==
        "01-demo/2-second.cu was deleted or moved. F5 puts it back with the text of your last run.");
  CHECK(b.s->recorder.sample() == nullptr);  // a plot does not record what is not there
  CHECK_FALSE(b.s->running());
  b.s->run(false);
  CHECK(b.text(b.file("2-second.cu")) == ran);
}

TEST_CASE("after a restart a step shows its last result, stale when the file changed since") {
  DraftBench b;
  b.s->open("demo/2");
  b.s->run(false);
  b.settle();
  b.start();
  b.s->open("demo/2");
  REQUIRE(b.s->view()->has_report);
  CHECK(b.s->view()->shown_from.size() == 19);
  CHECK(student_run(b.s->view()->report)->status == Status::pass);
  CHECK_FALSE(b.s->view()->stale());
  CHECK(b.s->view()->history.size() == 1);  // shown, not run
  b.s->run(false);
  b.settle();
  CHECK(b.s->view()->shown_from.empty());
  b.s.reset();
  std::ofstream(b.file("2-second.cu")) << "// another\n";
  b.start();
  b.s->open("demo/2");
  CHECK(b.s->view()->has_report);
  CHECK(b.s->view()->stale());
}

TEST_CASE("an untouched file is not started: neither a failure nor a try") {
  for (const Status ends : {Status::wrong, Status::finding, Status::timeout}) {
    DraftBench b;
    b.s->open("demo/2");
    b.runner->student.status = ends;
    b.s->run(false);
    b.settle();
    CHECK(b.s->view()->todo_line == 8);
    CHECK(b.s->state_of("demo/2-second") == StepState::fresh);
    b.s->view()->text.type("// mine ");
    b.s->run(false);
    b.settle();
    CHECK(b.s->view()->todo_line == 0);
    CHECK(b.s->state_of("demo/2-second") == StepState::failed);
  }
}

TEST_CASE("a run of an untouched file is not started after a restart too, and while the file is edited") {
  DraftBench b;
  b.s->open("demo/2");
  b.runner->student.status = Status::wrong;
  b.runner->delay = 5;
  b.s->run(false);
  b.s->view()->text.type("// typed while it ran ");
  b.settle();
  CHECK(b.s->view()->stale());
  CHECK(b.s->view()->todo_line == 8);
  b.start();
  b.s->open("demo/2");
  CHECK(b.s->view()->text.text().starts_with("// typed while it ran "));
  CHECK(b.s->view()->stale());
  CHECK(b.s->view()->todo_line == 8);
  CHECK(b.s->state_of("demo/2-second") == StepState::fresh);
}

TEST_CASE("drafts: two windows with one step keep a draft each, and neither takes or drops the other's") {
  test::TempFolder folder;
  const pid_t other = ::fork();
  if (other == 0) {
    ::pause();
    ::_exit(0);
  }
  REQUIRE(other > 0);
  REQUIRE(window_of(other) != "");
  const fs::path file = "/labs/2.cu";
  const Drafts here(folder.path), there(folder.path, window_of(other));
  CHECK(there.keep("demo/2", {file.string(), "2026-11-26 10:00:00", "base", "theirs", 0, 0}).empty());
  CHECK(here.keep("demo/2", {file.string(), "2026-11-26 09:00:00", "base", "mine", 0, 0}).empty());
  REQUIRE(here.load("demo/2", file));
  CHECK(here.load("demo/2", file)->text == "mine");
  here.drop("demo/2", file);
  CHECK_FALSE(here.load("demo/2", file));
  CHECK(there.load("demo/2", file)->text == "theirs");
  // Its window is killed: now the draft is this window's, and goes when its text is saved.
  ::kill(other, SIGKILL);
  ::waitpid(other, nullptr, 0);
  REQUIRE(here.load("demo/2", file));
  CHECK(here.load("demo/2", file)->text == "theirs");
  CHECK_FALSE(here.load("demo/2", "/elsewhere/2.cu"));
  here.drop("demo/2", file);
  CHECK(fs::is_empty(folder.path / "drafts"));
}

TEST_CASE("drafts: the terminal names the file whose text only the window has, and so does submit") {
  DraftBench b;
  const fs::path data = b.folder.path / "data";
  const Catalog labs = load_catalog(b.folder.path);
  const Step& step = labs.find("demo/2");
  const auto words = [&] { return run::unsaved_words(labs, step, data, "which is not in the zip"); };
  b.s->open("demo/2");
  b.settle();
  CHECK(words() == "");
  b.s->view()->text.type("// not saved ");
  b.settle();
  b.s.reset();
  CHECK(words().starts_with("labs/01-demo/2-second.cu: the window holds unsaved text of 20"));
  CHECK(run::unsaved_since(labs, labs.find("demo/1"), data) == "");
  const grade::Course course = grade::whole_catalog(labs);
  const auto notes = grade::pack_submission(labs, course, data).notes;
  CHECK(std::count(notes.begin(), notes.end(), words()) == 1);
  b.start();
  b.s->open("demo/2");
  REQUIRE(b.s->save());
  b.settle();
  CHECK(words() == "");
  CHECK(grade::pack_submission(labs, course, data).notes.size() < notes.size());
}

TEST_CASE("drafts: a killed window whose parent has not noticed yet counts as gone") {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  REQUIRE(child > 0);
  siginfo_t ended{};
  REQUIRE(::waitid(P_PID, id_t(child), &ended, WEXITED | WNOWAIT) == 0);  // ended, and still in the list
  CHECK(window_of(child) == "");
  ::waitpid(child, nullptr, 0);
  CHECK(window_of(::getpid()) != "");
}
