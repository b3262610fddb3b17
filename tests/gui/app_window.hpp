#pragma once
// The app in a child process on Xvfb, driven by real key and mouse events (xdotool).
#include <doctest/doctest.h>

#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <memory>
#include <new>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "../left_out.hpp"
#include "core/error.hpp"
#include "fixtures.hpp"
#include "gui/app.hpp"
#include "gui/display.hpp"
#include "gui/model/session/store.hpp"

namespace dojo::gui::test {

using dojo::needs::installed;

/// A display for the case that asks, or null with a message that says why there is none. Each case has its
/// own: pressed keys, focus and settings of the one before are gone.
inline VirtualDisplay* display() {
  static std::unique_ptr<VirtualDisplay> d;
  static const void* owner = nullptr;
  const void* now = doctest::getContextOptions()->currentTest;
  if (now == owner) return d.get();
  owner = now;
  d.reset();
  ::setenv("LIBGL_ALWAYS_SOFTWARE", "1", 1);
  try {
    if (!installed("xdotool")) throw Error("xdotool is missing: apt-get install xdotool");
    d = std::make_unique<VirtualDisplay>(1400, 900);
  } catch (const Error& e) {
    std::fprintf(stderr, "SKIPPED, the real window is not tested: %s\n", e.what());
  }
  return d.get();
}

/// How many passes the loop of the window's process has made: both processes see it.
inline std::atomic<uint64_t>& passes() {
  static auto* shared = [] {
    void* page = ::mmap(nullptr, sizeof(std::atomic<uint64_t>), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) throw Error("no page of memory for the count of passes");
    return new (page) std::atomic<uint64_t>(0);
  }();
  return *shared;
}

struct App {
  TempFolder folder;
  pid_t pid = -1;
  RunShape student;
  double run_seconds = 0;
  std::string theme = "dark";
  std::function<std::unique_ptr<Runner>()> runner;  ///< instead of the stand-in
  float scale = 1;
  std::function<void(GuiOptions&)> options;  ///< what a case wants besides

  explicit App(bool labs = true) {
    if (labs) write_labs(folder.path);
  }
  ~App() {
    if (pid > 0) {
      ::kill(pid, SIGKILL);
      ::waitpid(pid, nullptr, 0);
    }
  }
  void start(const fs::path& picture = {}, double seconds = 600, const std::string& commands = "",
             const std::string& step = "demo/2", int frames = 0) {
    std::fflush(nullptr);
    passes() = 0;
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
      o.after_pass = [] { ++passes(); };
      if (options) options(o);
      auto shape = student;
      double takes = run_seconds;
      o.runner = [shape, takes, listed = listed()] {
        auto r = std::make_unique<FakeRunner>();
        r->listed = listed;
        r->student = shape;
        r->seconds = takes;
        return r;
      };
      if (runner) {
        ::setenv("WARPDOJO_ROOT", folder.path.c_str(), 1);
        o.runner = runner;
      }
      int status = run_app(o);
      ::_exit(status);
    }
    // Up when xdotool can see it, which takes a starved machine long.
    for (int k = 0; k < 1200; ++k) {
      if (std::system("xdotool search --onlyvisible --name '^WarpDojo$' >/dev/null 2>&1") == 0) break;
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
  }
  /// Sends events and doesn't wait. False: there is no window.
  static bool queue(const std::string& what) {
    return std::system(("xdotool search --onlyvisible --name '^WarpDojo$' windowfocus --sync " + what +
                        " >/dev/null 2>&1")
                           .c_str()) == 0;
  }
  /// Sends events and waits until the window has taken them up: one pass may have begun before they came, and
  /// two more draw what they changed. A loaded machine takes longer for that, an idle one not.
  static bool send(const std::string& what) {
    const uint64_t before = passes();
    const bool sent = queue(what);
    // Passes that a run makes by itself may all lie before the events: three more count from here. Events
    // that change nothing wake no window that sleeps, so that a second without a pass is enough, too.
    uint64_t seen = passes();
    const uint64_t wanted = seen + 3;
    for (int quiet = 0; sent && quiet < 200 && seen < wanted; ++quiet) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      if (const uint64_t now = passes(); now != seen) seen = now, quiet = 0;
      if (seen >= before + 3 && quiet >= 20) break;  // it has drawn what came, and sleeps
    }
    return sent;
  }
  static void xdo(const std::string& what) {
    REQUIRE(send(what));
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  /// One key after another, each with its modifiers: "ctrl+p", "Tab Tab Return".
  static void key(const std::string& keys) {
    std::istringstream each(keys);
    for (std::string k; each >> k;) {
      xdo("keydown " + k);
      // The key may have closed the window: the server must not keep it down.
      if (!send("keyup " + k)) (void)!std::system(("xdotool keyup " + k + " >/dev/null 2>&1").c_str());
    }
  }
  /// Two clicks are never a double click.
  static void click(int x, int y) {
    xdo("mousemove " + std::to_string(x) + " " + std::to_string(y));
    xdo("mousedown 1");
    xdo("mouseup 1");
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
  }
  /// Presses the left button, moves by (dx, dy) in two steps, and lets it go.
  static void drag(int x, int y, int dx, int dy) {
    const std::string half = std::to_string(dx / 2) + " " + std::to_string(dy / 2);
    xdo("mousemove " + std::to_string(x) + " " + std::to_string(y));
    xdo("mousedown 1");
    for (int step = 0; step < 2; ++step) xdo("mousemove_relative -- " + half);
    xdo("mouseup 1");
  }
  int wait() {
    int status = 0;
    ::waitpid(pid, &status, 0);
    pid = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  int quit() {
    // The window may be gone before xdotool has let go of the keys: its own status says nothing.
    (void)!std::system(
        "xdotool search --onlyvisible --name '^WarpDojo$' windowfocus --sync key --delay 240 ctrl+q "
        ">/dev/null 2>&1");
    const int status = wait();
    // xdotool ends with the window and leaves Ctrl and Q down: the next window would get Ctrl with every key.
    (void)!std::system("xdotool keyup q keyup Control_L keyup Control_R >/dev/null 2>&1");
    return status;
  }
  nlohmann::json kept(const char* where, const char* file) {
    std::string text = read_regular_file(folder.path / where / "warpdojo" / file).value_or("");
    auto j = nlohmann::json::parse(text, nullptr, false);
    return j.is_discarded() ? nlohmann::json::object() : j;
  }
  template <class F>
  bool within(double seconds, F f) {
    for (int k = 0; k < int(seconds * 20); ++k) {
      if (f()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    return f();
  }
  /// There once the window has the code under its source.
  fs::path listed() const { return folder.path / "listed"; }
  std::string state(const char* step) {
    return kept("data", "progress.json")
        .value("steps", nlohmann::json::object())
        .value(step, nlohmann::json::object())
        .value("state", "");
  }
};

}  // namespace dojo::gui::test
