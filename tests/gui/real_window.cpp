// The real window on Xvfb, driven by real key and mouse events (xdotool). The app runs in a child with the
// stand-in worker; what it did is read from the files it keeps and from pictures.
#include <doctest/doctest.h>

#include <signal.h>
#include <stb_image.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "core/error.hpp"
#include "fixtures.hpp"
#include "gui/app.hpp"
#include "gui/display.hpp"
#include "gui/model/store.hpp"

using namespace dojo;
using namespace dojo::gui;

namespace {
bool installed(const char* program) { return std::system((std::string("command -v ") + program + " >/dev/null 2>&1").c_str()) == 0; }

/// One display for all cases of this file, or null with a message that says why there is none.
VirtualDisplay* display() {
  static std::unique_ptr<VirtualDisplay> d = [] {
    std::unique_ptr<VirtualDisplay> out;
    ::setenv("LIBGL_ALWAYS_SOFTWARE", "1", 1);
    try {
      if (!installed("xdotool")) throw Error("xdotool is missing: apt-get install xdotool");
      out = std::make_unique<VirtualDisplay>(1400, 900);
    } catch (const Error& e) {
      std::fprintf(stderr, "SKIPPED, the real window is not tested: %s\n", e.what());
    }
    return out;
  }();
  return d.get();
}

struct App {
  test::TempFolder folder;
  pid_t pid = -1;
  test::RunShape student;
  double run_seconds = 0;
  std::string theme = "dark";
  float scale = 1;

  App() { test::write_labs(folder.path); }
  ~App() {
    if (pid > 0) {
      ::kill(pid, SIGKILL);
      ::waitpid(pid, nullptr, 0);
    }
  }
  void start(const fs::path& picture = {}, double seconds = 60, const std::string& commands = "", const std::string& step = "demo/2", int frames = 0) {
    std::fflush(nullptr);
    pid = ::fork();
    if (pid == 0) {
      ::setenv("XDG_CONFIG_HOME", (folder.path / "config").c_str(), 1);
      ::setenv("XDG_DATA_HOME", (folder.path / "data").c_str(), 1);
      ::setenv("XDG_CACHE_HOME", (folder.path / "cache").c_str(), 1);
      GuiOptions o;
      o.root = folder.path;
      o.step = step;
      o.width = 1280;
      o.height = 720;
      o.seconds = seconds;
      o.frames = frames;
      o.screenshot = picture;
      o.theme = theme;
      o.scale = scale;
      o.commands = commands;
      auto shape = student;
      double takes = run_seconds;
      o.runner = [shape, takes] {
        auto r = std::make_unique<test::FakeRunner>();
        r->student = shape;
        r->seconds = takes;
        return r;
      };
      int status = run_app(o);
      ::_exit(status);
    }
    // Up when xdotool can see it.
    for (int k = 0; k < 200; ++k) {
      if (std::system("xdotool search --onlyvisible --name '^WarpDojo$' >/dev/null 2>&1") == 0) break;
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
  }
  static void xdo(const std::string& what) {
    REQUIRE(std::system(("xdotool search --onlyvisible --name '^WarpDojo$' windowfocus --sync " + what + " >/dev/null 2>&1").c_str()) == 0);
    std::this_thread::sleep_for(std::chrono::milliseconds(320));
  }
  static void key(const std::string& k) { xdo("key --delay 90 " + k); }
  static void click(int x, int y) { xdo("mousemove " + std::to_string(x) + " " + std::to_string(y) + " sleep 0.15 mousedown 1 sleep 0.1 mouseup 1"); }
  int wait() {
    int status = 0;
    ::waitpid(pid, &status, 0);
    pid = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  int quit() {
    // The window may be gone before xdotool has let go of the keys: its own status says nothing.
    (void)!std::system("xdotool search --onlyvisible --name '^WarpDojo$' windowfocus --sync key --delay 40 ctrl+q >/dev/null 2>&1");
    return wait();
  }
  nlohmann::json kept(const char* where, const char* file) {
    std::string text;
    read_file(folder.path / where / "warpdojo" / file, text);
    auto j = nlohmann::json::parse(text, nullptr, false);
    return j.is_discarded() ? nlohmann::json::object() : j;
  }
  template <class F> bool within(double seconds, F f) {
    for (int k = 0; k < int(seconds * 20); ++k) {
      if (f()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    return f();
  }
  std::string state(const char* step) { return kept("data", "progress.json").value("steps", nlohmann::json::object()).value(step, nlohmann::json::object()).value("state", ""); }
};

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
      n += std::abs(rgb[i] - r) < within && std::abs(rgb[i + 1] - g) < within && std::abs(rgb[i + 2] - b) < within;
    return n;
  }
  /// Share of pixels that differ by more than a little.
  double difference(const Picture& o) const {
    if (w != o.w || h != o.h) return 1;
    size_t n = 0;
    for (size_t i = 0; i + 2 < rgb.size(); i += 3) n += std::abs(rgb[i] - o.rgb[i]) + std::abs(rgb[i + 1] - o.rgb[i + 1]) + std::abs(rgb[i + 2] - o.rgb[i + 2]) > 60;
    return double(n) / (double(w) * h);
  }
};
}  // namespace

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
  CHECK(app.within(25, [&] { return read_file(app.folder.path / "labs/01-demo/2-second.cu", text) && text.starts_with("// mine "); }));
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
  CHECK(j.value("scale", 0.0) == doctest::Approx(1.0));
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
  App::click(1202, 99);
  App::click(1226, 99);
  fs::path pictures = app.folder.path / "data/warpdojo/pictures";
  CHECK(app.within(25, [&] { return fs::exists(pictures) && !fs::is_empty(pictures); }));
  App::key("F6");
  App::key("F11");
  App::key("space");
  App::key("Right");
  App::key("F11");
  CHECK(app.quit() == 0);
}

TEST_CASE("window: pictures in each theme show what they must, and two starts look alike") {
  if (!display()) return;
  struct { const char* theme; double ground_lo, ground_hi; int r, g, b; } looks[] = {{"dark", 8, 40, 0x56, 0xB4, 0xE9}, {"light", 215, 256, 0x00, 0x72, 0xB2}, {"contrast", 0, 12, 0x6C, 0xC8, 0xFF}};
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
