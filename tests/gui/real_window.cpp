// The real window on Xvfb, driven by real key and mouse events (xdotool). The app runs in a child with the
// stand-in worker; what it did is read from the files it keeps and from pictures.
#include <fcntl.h>
#include <stb_image.h>

#include <algorithm>
#include <cmath>

#include "../near.hpp"
#include "app_window.hpp"
#include "gui/model/teaching/submissions.hpp"

using namespace dojo;
using namespace dojo::gui;
using test::App;
using test::display;

namespace {
struct Picture {
  int w = 0, h = 0;
  std::vector<unsigned char> rgb;
  explicit Picture(const fs::path& file) {
    int n = 0;
    if (unsigned char* p = stbi_load(file.c_str(), &w, &h, &n, 3)) {
      rgb.assign(p, p + size_t(w) * size_t(h) * 3);
      stbi_image_free(p);
    }
  }
  /// Mean of a part, 0..255, all channels.
  double mean(int x0, int y0, int x1, int y1) const {
    double sum = 0;
    for (int y = y0; y < y1; ++y)
      for (int x = x0 * 3; x < x1 * 3; ++x) sum += rgb[size_t(y) * size_t(w) * 3 + size_t(x)];
    return sum / double((x1 - x0) * (y1 - y0) * 3);
  }
  /// Pixels near a colour.
  int near(int r, int g, int b, int within = 40) const {
    int n = 0;
    for (size_t i = 0; i + 2 < rgb.size(); i += 3)
      n += std::abs(rgb[i] - r) < within && std::abs(rgb[i + 1] - g) < within &&
           std::abs(rgb[i + 2] - b) < within;
    return n;
  }
  /// The same between two columns.
  int near_between(int x0, int x1, int r, int g, int b, int within = 40) const {
    int n = 0;
    for (int y = 0; y < h; ++y)
      for (int x = x0; x < x1; ++x) {
        const size_t i = (size_t(y) * size_t(w) + size_t(x)) * 3;
        n += std::abs(rgb[i] - r) < within && std::abs(rgb[i + 1] - g) < within &&
             std::abs(rgb[i + 2] - b) < within;
      }
    return n;
  }
  /// Share of pixels that differ by more than a little.
  double difference(const Picture& o) const {
    if (w != o.w || h != o.h) return 1;
    size_t n = 0;
    for (size_t i = 0; i + 2 < rgb.size(); i += 3)
      n += std::abs(rgb[i] - o.rgb[i]) + std::abs(rgb[i + 1] - o.rgb[i + 1]) +
               std::abs(rgb[i + 2] - o.rgb[i + 2]) >
           60;
    return double(n) / (double(w) * h);
  }
};
}  // namespace

TEST_CASE("window: the display stays as it is when its last client leaves") {
  if (!display()) return;
  // A display that starts anew between two clients puts the pointer back, and refuses whoever comes
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
  App::click(1220, 24);
  CHECK(app.within(25, [&] { return app.state("demo/2-second") == "failed"; }));
  // Type into the source and save.
  App::key("alt+2");
  App::click(700, 500);
  App::key("ctrl+Home");
  App::xdo("type --delay 90 '// mine '");
  App::key("ctrl+s");
  std::string text;
  CHECK(app.within(25, [&] {
    return read_file(app.folder.path / "labs/01-demo/2-second.cu", text) && text.starts_with("// mine ");
  }));
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

TEST_CASE("window: CSV and PNG of a plot, lecture mode and back") {
  if (!display()) return;
  App app;
  app.start();
  App::key("F5");
  app.within(25, [&] { return app.state("demo/2-second") == "passed"; });
  App::key("F6");
  // The plot's own buttons are at the right of its title: fit, CSV, PNG, note.
  App::click(1202, 127);
  App::click(1226, 127);
  fs::path pictures = app.folder.path / "data/warpdojo/pictures";
  CHECK(app.within(25, [&] { return fs::exists(pictures) && !fs::is_empty(pictures); }));
  // The plot as vectors lies beside the picture.
  CHECK(app.within(25, [&] {
    for (auto& f : fs::directory_iterator(pictures)) {
      std::string svg;
      if (f.path().extension() == ".svg" && read_file(f.path(), svg) &&
          svg.find("<path") != std::string::npos)
        return true;
    }
    return false;
  }));
  App::key("F6");
  App::key("F11");
  App::key("space");
  App::key("Right");
  App::key("F11");
  CHECK(app.quit() == 0);
}

TEST_CASE("window: pictures in each theme show what they must, and two starts look alike") {
  if (!display()) return;
  struct {
    const char* theme;
    double ground_lo, ground_hi;
    int r, g, b;
  } looks[] = {{"dark", 8, 40, 0x56, 0xB4, 0xE9},
               {"light", 215, 256, 0x00, 0x72, 0xB2},
               {"contrast", 0, 12, 0x6C, 0xC8, 0xFF}};
  for (auto& look : looks) {
    App app;
    app.theme = look.theme;
    fs::path a = app.folder.path / "a.png";
    app.start(a, 90, "run.anyway", "demo/2", 90);
    CHECK(app.wait() == 0);
    Picture p(a);
    REQUIRE(p.w == 1280);
    REQUIRE(p.h == 720);
    double ground = p.mean(400, 660, 800, 690);  // the foot of the brief is empty
    CHECK(ground >= look.ground_lo);
    CHECK(ground <= look.ground_hi);
    CHECK(p.near(look.r, look.g, look.b) > 2000);  // the student's colour, in the timeline
    if (look.theme == std::string("dark")) {
      fs::remove_all(app.folder.path / "data");
      fs::remove_all(app.folder.path / "config");
      fs::path b = app.folder.path / "b.png";
      app.start(b, 90, "run.anyway", "demo/2", 90);
      CHECK(app.wait() == 0);
      CHECK(Picture(b).difference(p) < 0.01);
    }
  }
}

TEST_CASE(
    "window: a picture is taken when the commands' runs have ended, by itself; what can't be done is said, "
    "with status 2") {
  if (!display()) return;
  App app;
  const fs::path out = app.folder.path / "said";
  auto ends = [&](const std::string& commands, const fs::path& picture) {
    app.options = [&](GuiOptions& o) { o.seconds = 0; };
    std::fflush(nullptr);
    const int before = ::dup(2), file = ::open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    ::dup2(file, 2);
    ::close(file);
    app.start(picture, 0, commands, "demo/1");
    ::dup2(before, 2);
    ::close(before);
    return app.wait();
  };
  auto said = [&] {
    std::string text;
    read_file(out, text);
    return text;
  };
  const fs::path a = app.folder.path / "new/folder/a.png";
  app.run_seconds = 1.5;
  CHECK(ends("run.anyway,view.source,plot.timeline", a) == 0);
  REQUIRE(fs::exists(a));
  CHECK(Picture(a).near(0x56, 0xB4, 0xE9) > 2000);  // the run's blocks are there
  CHECK(app.state("demo/1-first") == "passed");
  app.run_seconds = 0;
  CHECK(ends("run.rnu", app.folder.path / "b.png") == 2);
  CHECK(said().find("there is no command 'run.rnu'") != std::string::npos);
  CHECK(ends("lecture.next", app.folder.path / "b.png") == 2);
  CHECK(said().find("'lecture.next'") != std::string::npos);
  CHECK(said().find("can't be used here and now") != std::string::npos);
  CHECK_FALSE(fs::exists(app.folder.path / "b.png"));
  CHECK(ends("", out / "below/a/file.png") == 2);
  CHECK(said().find("can't be written") != std::string::npos);
}

TEST_CASE("window: twice the scale is drawn with fonts of twice the size, nothing outside") {
  if (!display()) return;
  App app;
  app.scale = 2;
  fs::path a = app.folder.path / "a.png";
  app.start(a, 90, "run.anyway", "demo/2", 90);
  CHECK(app.wait() == 0);
  Picture p(a);
  REQUIRE(p.w == 1280);
  CHECK(p.mean(1100, 20, 1250, 76) > 60);  // the Run button is twice as high
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
                r.status = p.student == "ada" ? "pass" : "wrong", r.points = p.student == "ada" ? 10 : 0,
                r.max_points = 10;
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
    for (auto& f : fs::directory_iterator(grades, ec))
      return read_file(f.path(), csv) && csv.find("ada,demo,1-first,pass,10") != std::string::npos;
    return false;
  }));
  CHECK(csv.find("bob,other,1-only,wrong,0") != std::string::npos);
  // A click on the first row of the table opens the file there, which is of another step than the open one.
  App::click(480, 273);
  App::key("F5");
  CHECK(app.quit() == 0);
  CHECK(app.kept("config", "window.json").value("step", "") == "demo/1-first");
  // It is nobody's progress.
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
  // A key sent while the new window is still being mapped reaches nobody: it is sent again.
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

TEST_CASE("window: a launch is played, paused, scrubbed and shown whole again in the block timeline") {
  if (!display()) return;
  App app;
  app.start({}, 150);
  App::key("F5");
  REQUIRE(app.within(25, [&] { return app.state("demo/2-second") == "passed"; }));
  App::key("F6");
  // The plot's own PNG button takes the pictures: what it shows then.
  const fs::path pictures = app.folder.path / "data/warpdojo/pictures";
  auto picture = [&] {
    std::error_code ec;
    fs::remove_all(pictures, ec);
    App::click(1226, 127);
    fs::path file;
    app.within(25, [&] {
      for (auto& f : fs::directory_iterator(pictures, ec))
        if (f.path().extension() == ".svg") file = f.path();  // written after the PNG
      return !file.empty();
    });
    return Picture(file.replace_extension(".png"));
  };
  auto blue = [](const Picture& p, double from, double to) {
    return p.near_between(int(p.w * from), int(p.w * to), 0x56, 0xB4, 0xE9);
  };
  const Picture all = picture();
  REQUIRE(all.w > 1000);
  REQUIRE(blue(all, 0.1, 0.45) > 5000);
  REQUIRE(blue(all, 0.55, 0.9) > 5000);
  // Scrubbed to the middle: what is later is veiled.
  App::click(253, 669);
  const Picture half = picture();
  CHECK(blue(half, 0.1, 0.45) == blue(all, 0.1, 0.45));
  CHECK(blue(half, 0.62, 0.9) < blue(all, 0.62, 0.9) / 20);
  // On by a block's start or end: no less of it.
  App::click(119, 669);
  CHECK(blue(picture(), 0.1, 0.95) >= blue(half, 0.1, 0.95));
  // Playing moves it by itself, and pausing stops that.
  App::click(149, 669);
  const Picture begin = picture();
  App::click(42, 669);
  CHECK(app.within(25, [&] { return blue(picture(), 0.1, 0.95) > blue(begin, 0.1, 0.95) + 1000; }));
  App::click(42, 669);
  const Picture paused = picture();
  CHECK(blue(picture(), 0.1, 0.95) == blue(paused, 0.1, 0.95));
  // The cross shows all of it again, once no note of a saved picture lies over it.
  bool whole = false;
  for (int tries = 0; tries < 4 && !whole; ++tries) {
    std::this_thread::sleep_for(std::chrono::seconds(7));
    App::click(1251, 669);
    whole = blue(picture(), 0.1, 0.95) == blue(all, 0.1, 0.95);
  }
  CHECK(whole);
  CHECK(app.quit() == 0);
}

TEST_CASE("window: a click on a row of the PTX goes to its line of the source") {
  if (!display()) return;
  App app;
  app.start({}, 60, "", "demo/1");
  App::key("alt+6");
  std::this_thread::sleep_for(std::chrono::milliseconds(1500));  // the listing comes from a child
  App::click(430, 572);                                          // the fourth row, of line 6
  // The caret and the keyboard are there: what is typed comes to stand in that line.
  App::xdo("type --delay 90 '//here '");
  App::key("ctrl+s");
  std::string text;
  CHECK(app.within(25, [&] {
    return read_file(app.folder.path / "labs/01-demo/1-first.cu", text) &&
           text.find("//here ") != std::string::npos;
  }));
  const size_t at = text.find("//here ");
  REQUIRE(at != std::string::npos);
  CHECK(std::count(text.begin(), text.begin() + long(at), '\n') == 5);
  CHECK(app.quit() == 0);
}
