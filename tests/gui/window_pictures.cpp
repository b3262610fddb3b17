// Pictures of the real window on Xvfb: plots as PNG and CSV, themes, scales, and a timeline that is played.
#include <fcntl.h>

#include <algorithm>

#include "../near.hpp"
#include "app_window.hpp"
#include "window_picture.hpp"

using namespace dojo;
using namespace dojo::gui;
using test::App;
using test::display;
using test::Picture;

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
      const std::string svg =
          f.path().extension() == ".svg" ? read_regular_file(f.path()).value_or("") : std::string();
      if (svg.find("<path") != std::string::npos) return true;
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
  auto ends = [&](const std::string& commands, const fs::path& picture, const char* step = "demo/1") {
    app.options = [&](GuiOptions& o) { o.seconds = 0; };
    std::fflush(nullptr);
    const int before = ::dup(2), file = ::open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    ::dup2(file, 2);
    ::close(file);
    app.start(picture, 0, commands, step);
    ::dup2(before, 2);
    ::close(before);
    return app.wait();
  };
  auto said = [&] {
    std::string text = read_regular_file(out).value_or("");
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
  CHECK(said().find("can't be used here and now: it needs lecture mode") != std::string::npos);
  CHECK_FALSE(fs::exists(app.folder.path / "b.png"));
  CHECK(ends("", app.folder.path / "b.png", "demo/9") == 2);
  CHECK(said().find("there is no 'demo/9' to take a picture of") != std::string::npos);
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
  // The cross shows all of it again. Notes of saved pictures may lie over a part of the later blocks.
  App::click(1251, 669);
  CHECK(app.within(25, [&] {
    const Picture whole = picture();
    return blue(whole, 0.1, 0.45) == blue(all, 0.1, 0.45) &&
           blue(whole, 0.62, 0.9) > blue(all, 0.62, 0.9) / 2;
  }));
  CHECK(app.quit() == 0);
}
