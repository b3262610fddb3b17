// The real window on Xvfb, driven by real key and mouse events (xdotool). The app runs in a child with the
// stand-in worker; what it did is read from the files it keeps.

#include "../near.hpp"
#include "app_window.hpp"
#include "gui/model/teaching/submissions.hpp"

using namespace dojo;
using namespace dojo::gui;
using test::App;
using test::display;

TEST_CASE("window: the display stays as it is when its last client leaves") {
  if (!display()) return;
  // A display that starts anew between two clients puts the pointer back, and refuses a client that comes
  // meanwhile.
  REQUIRE(std::system("xdotool mousemove 123 45 >/dev/null 2>&1") == 0);
  CHECK(std::system("xdotool getmouselocation 2>/dev/null | grep -q 'x:123 y:45'") == 0);
}

TEST_CASE("window: F5 runs the step and the pass is kept; Ctrl+Q ends cleanly") {
  if (!display()) return;
  App app;
  app.start();
  App::key("F5");
  CHECK(app.within(25, [&] { return app.state("demo/2-second") == "passed"; }));
  CHECK(app.quit() == 0);
  CHECK(fs::exists(app.folder.path / "data/warpdojo/history/demo+2-second.jsonl"));
}

TEST_CASE("window: a click through Run, then edits in the window, a finding, and the restart keeps it all") {
  if (!display()) return;
  App app;
  app.student.status = Status::finding;
  app.start();
  App::click(1220, 24);  // of an unedited file: no try
  CHECK(app.within(
      25, [&] { return fs::exists(app.folder.path / "data/warpdojo/history/demo+2-second.jsonl"); }));
  // Type into the source and save.
  App::key("alt+2");
  App::click(700, 500);
  App::key("ctrl+Home");
  App::xdo("type --delay 90 '// mine '");
  App::key("ctrl+s");
  std::string text;
  CHECK(app.within(25, [&] {
    text = read_regular_file(app.folder.path / "labs/01-demo/2-second.cu").value_or("");
    return text.starts_with("// mine ");
  }));
  CHECK(app.within(25, [&] { return app.state("demo/2-second") == "failed"; }));
  // Larger, another step by a click in the rail, the light theme by the palette.
  App::key("ctrl+equal");
  App::key("ctrl+0");
  App::key("ctrl+p");
  App::xdo("type --delay 90 'light'");
  App::key("Return");
  App::click(120, 103);
  CHECK(app.quit() == 0);
  auto j = app.kept("config", "window.json");
  CHECK(j.value("theme", "") == "light");
  CHECK(j.value("step", "") == "demo/1-first");
  CHECK(j.value("scale", 0.0) == dojo::tolerance::within(1.0));
}

TEST_CASE("window: what is typed after Alt+2 goes into the source, without a click") {
  if (!display()) return;
  App app;
  app.start();
  App::key("alt+2");
  App::xdo("type --delay 90 '// mine '");
  App::key("ctrl+s");
  std::string text;
  CHECK(app.within(25, [&] {
    text = read_regular_file(app.folder.path / "labs/01-demo/2-second.cu").value_or("");
    return text.find("// mine ") != std::string::npos;
  }));
  CHECK(app.quit() == 0);
}

TEST_CASE("window: a save by another program runs the step while the window waits") {
  if (!display()) return;
  App app;
  app.start();
  std::ofstream(app.folder.path / "labs/01-demo/new") << "// from elsewhere\n";
  fs::rename(app.folder.path / "labs/01-demo/new", app.folder.path / "labs/01-demo/2-second.cu");
  CHECK(app.within(25, [&] { return app.state("demo/2-second") == "passed"; }));
  CHECK(app.quit() == 0);
}

TEST_CASE("window: Esc cancels a long run") {
  if (!display()) return;
  App app;
  app.run_seconds = 60;
  app.start();
  App::key("F5");
  App::key("Escape");
  CHECK(app.quit() == 0);
  CHECK(app.state("demo/2-second") == "");
}

TEST_CASE("window: submissions are graded, exported, sorted and opened, with real keys and a real mouse") {
  if (!display()) return;
  App app;
  for (const char* who : {"ada", "bob"}) {
    fs::create_directories(app.folder.path / "class" / who / "01-demo");
    fs::copy_file(app.folder.path / "labs/01-demo/1-first.cu",
                  app.folder.path / "class" / who / "01-demo/1-first.cu");
  }
  app.options = [folder = (app.folder.path / "class").string()](GuiOptions& o) {
    o.submissions = folder;
    o.instructor = true;
    // Rows as from a grader; the files run on the stand-in.
    o.grader = [](std::function<void()> wake) {
      return std::make_unique<Submissions>(
          std::move(wake),
          [](const Catalog& c, const std::vector<grade::Submission>& people, const grade::GradeOptions& g) {
            std::vector<grade::Row> rows;
            for (auto& p : people)
              for (auto& cs : g.course.steps) {
                const Step& s = c.find(cs.step);
                grade::Row r;
                r.student = p.student, r.lab = s.lab, r.step = s.file.substr(0, s.file.rfind('.'));
                r.status = p.student == "ada" ? grade::RowStatus::pass : grade::RowStatus::wrong,
                r.points = p.student == "ada" ? 10 : 0, r.max_points = 10;
                g.row(r, int(rows.size()), 6);
                rows.push_back(r);
              }
            return rows;
          },
          [] {
            run::Sandbox s;
            s.landlock = 1;
            return s;
          });
    };
  };
  app.start();
  App::key("ctrl+p");
  App::xdo("type --delay 90 'grade the'");
  App::key("Return");
  App::key("ctrl+p");
  App::xdo("type --delay 90 'export the grades'");
  App::key("Return");
  const fs::path grades = app.folder.path / "data/warpdojo/grades";
  std::string csv;
  CHECK(app.within(25, [&] {
    std::error_code ec;
    for (auto& f : fs::directory_iterator(grades, ec)) {
      csv = read_regular_file(f.path()).value_or("");
      return csv.find("ada,demo,1-first,pass,10") != std::string::npos;
    }
    return false;
  }));
  CHECK(csv.find("bob,other,1-only,wrong,0") != std::string::npos);
  // A click on the first row of the table opens the file there, which is of another step than the open one.
  App::click(480, 273);
  App::key("F5");
  CHECK(app.quit() == 0);
  CHECK(app.kept("config", "window.json").value("step", "") == "demo/1-first");
  // It is no student's progress.
  CHECK(app.state("demo/1-first") == "");
}

TEST_CASE("window: the notes have a window of their own, whose keys turn the slides") {
  if (!display()) return;
  App app;
  app.start({}, 60, "", "demo/1");
  App::key("F11");
  App::key("ctrl+n");
  auto there = [](const char* title) {
    return std::system((std::string("xdotool search --onlyvisible --name '^WarpDojo notes ") + title +
                        "$' >/dev/null 2>&1")
                           .c_str()) == 0;
  };
  CHECK(app.within(25, [&] { return there("1 / [0-9]*"); }));
  // A key sent while the new window is still being mapped is lost: it is sent again.
  for (int tries = 0; tries < 4 && !there("2 / [0-9]*"); ++tries) {
    std::this_thread::sleep_for(std::chrono::milliseconds(400));
    (void)!std::system(
        "xdotool search --onlyvisible --name '^WarpDojo notes' windowfocus --sync key --delay 240 Right "
        ">/dev/null 2>&1");
    app.within(5, [&] { return there("2 / [0-9]*"); });
  }
  CHECK(there("2 / [0-9]*"));
  // And the slides' own keys turn the notes.
  App::key("Right");
  CHECK(app.within(25, [&] { return there("3 / [0-9]*"); }));
  App::key("ctrl+n");
  CHECK(app.within(25, [&] { return !there(".*"); }));
  App::key("F11");
  CHECK(app.quit() == 0);
}

TEST_CASE("window: what is typed in the notes' window goes into the palette that Ctrl+P opens from there") {
  if (!display()) return;
  App app;
  app.start({}, 60, "", "demo/1");
  App::key("F11");
  App::key("ctrl+n");
  const auto in_notes = [](const std::string& what) {
    return std::system(("xdotool search --onlyvisible --name '^WarpDojo notes' windowfocus --sync " + what +
                        " >/dev/null 2>&1")
                           .c_str()) == 0;
  };
  REQUIRE(app.within(25, [&] { return in_notes("sleep 0.4"); }));
  in_notes("key --delay 240 ctrl+p");
  in_notes("type --delay 90 'light'");
  in_notes("key --delay 240 Return");
  App::key("F11");
  CHECK(app.quit() == 0);
  CHECK(app.kept("config", "window.json").value("theme", "") == "light");
}

TEST_CASE("window: a click on a row of the PTX goes to its line of the source") {
  if (!display()) return;
  App app;
  app.start({}, 60, "", "demo/1");
  App::key("alt+6");
  REQUIRE(app.within(25, [&] { return fs::exists(app.listed()); }));
  App::click(430, 572);  // the fourth row, of line 6
  // The caret and the keyboard are there: what is typed comes to stand in that line.
  App::xdo("type --delay 90 '//here '");
  App::key("ctrl+s");
  std::string text;
  CHECK(app.within(25, [&] {
    text = read_regular_file(app.folder.path / "labs/01-demo/1-first.cu").value_or("");
    return text.find("//here ") != std::string::npos;
  }));
  const size_t at = text.find("//here ");
  REQUIRE(at != std::string::npos);
  CHECK(std::count(text.begin(), text.begin() + long(at), '\n') == 5);
  CHECK(app.quit() == 0);
}
