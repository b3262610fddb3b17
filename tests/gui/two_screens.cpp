// A lecture on two screens: an X server with two outputs that show nothing (Xorg with its dummy driver; Xvfb
// has one output only, whatever monitors xrandr is told of). Skipped where that isn't installed or may not be
// started.
#include <sys/stat.h>

#include "app_window.hpp"

using namespace dojo;
using namespace dojo::gui;
using test::App;

namespace {
constexpr const char* server_config = R"(Section "Device"
  Identifier "d"
  Driver "dummy"
  VideoRam 256000
EndSection
Section "Monitor"
  Identifier "m"
  HorizSync 5.0-1000.0
  VertRefresh 5.0-200.0
  Modeline "1280x720" 74.50 1280 1344 1472 1664 720 723 728 748
EndSection
Section "Screen"
  Identifier "s"
  Device "d"
  Monitor "m"
  DefaultDepth 24
  SubSection "Display"
    Depth 24
    Modes "1280x720"
    Virtual 2560 1024
  EndSubSection
EndSection
Section "ServerFlags"
  Option "AutoAddDevices" "false"
  Option "AutoEnableDevices" "false"
  Option "DontVTSwitch" "true"
EndSection
)";

/// Two outputs side by side, 1280 x 720 and 1024 x 768; `error` says why not.
struct TwoScreens {
  test::TempFolder folder;
  pid_t pid = -1;
  std::string before, error;
  TwoScreens() {
    struct stat found {};
    if (::geteuid() != 0)
      error = "an X server on a bare terminal wants root";
    else if (!dojo::needs::installed("xrandr") || !dojo::needs::installed("xdotool"))
      error = "xrandr and xdotool are missing: apt-get install x11-xserver-utils xdotool";
    else if (!dojo::needs::installed("Xorg") ||
             ::stat("/usr/lib/xorg/modules/drivers/dummy_drv.so", &found) != 0)
      error = "apt-get install xserver-xorg-core xserver-xorg-video-dummy";
    if (!error.empty()) return;
    std::ofstream(folder.path / "two.conf") << server_config;
    const std::string config = (folder.path / "two.conf").string(), log = (folder.path / "log").string(),
                      number = (folder.path / "number").string();
    pid = ::fork();
    if (pid == 0) {
      const std::string command = "exec Xorg -displayfd 3 -config " + config +
                                  " -noreset -novtswitch -sharevts -nolisten tcp -logfile " + log + " 3>" +
                                  number + " >/dev/null 2>&1";
      ::execl("/bin/sh", "sh", "-c", command.c_str(), static_cast<char*>(nullptr));
      ::_exit(127);
    }
    std::string text;
    for (int k = 0; k < 200 && text.find('\n') == std::string::npos; ++k) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      text = read_regular_file(number).value_or("");
    }
    if (text.find('\n') == std::string::npos) {
      error = "Xorg with the dummy driver doesn't start here";
      return;
    }
    if (const char* d = std::getenv("DISPLAY")) before = d;
    ::setenv("DISPLAY", (":" + text.substr(0, text.find('\n'))).c_str(), 1);
    ::setenv("LIBGL_ALWAYS_SOFTWARE", "1", 1);
    // A server that has just begun takes the mode and may leave the output off: until it is on.
    auto call = [](const char* what) {
      return std::system((std::string(what) + " >/dev/null 2>&1").c_str()) == 0;
    };
    for (int k = 0; k < 20; ++k) {
      call("xrandr --newmode projector 65.00 1024 1048 1184 1344 768 771 777 806");
      call("xrandr --addmode DUMMY1 projector");
      call("xrandr --output DUMMY1 --off");
      call("xrandr --output DUMMY1 --mode projector --right-of DUMMY0");
      if (call("xrandr --listmonitors | grep -q 'Monitors: 2'") &&
          call("xrandr | grep -q 'DUMMY1 connected 1024x768+1280+0'"))
        return;
      std::this_thread::sleep_for(std::chrono::milliseconds(250));
    }
    error = "the second output can't be switched on";
  }
  ~TwoScreens() {
    if (pid < 0) return;
    ::kill(pid, SIGTERM);
    ::waitpid(pid, nullptr, 0);
    if (before.empty())
      ::unsetenv("DISPLAY");
    else
      ::setenv("DISPLAY", before.c_str(), 1);
  }
};

/// "x,y width x height" of a window by its title.
std::string place(const std::string& title) {
  const std::string call =
      "xdotool search --onlyvisible --name '" + title +
      "' getwindowgeometry 2>/dev/null | awk '/Position/ {p=$2} /Geometry/ {print p \" \" $2}'";
  std::string out;
  if (FILE* f = ::popen(call.c_str(), "r")) {
    char line[256];
    while (std::fgets(line, sizeof line, f)) out += line;
    ::pclose(f);
  }
  while (!out.empty() && out.back() == '\n') out.pop_back();
  return out;
}
}  // namespace

TEST_CASE(
    "window: with two screens the slides fill the second and the notes stand on the first, by themselves") {
  TwoScreens screens;
  if (dojo::needs::left_out_without("two screens: " + screens.error, screens.error.empty())) return;
  App app;
  app.options = [](GuiOptions& o) {
    o.width = o.height = 0;
  };  // as a person starts it: full screen is allowed
  app.start({}, 90, "", "demo/1");
  const std::string before = place("^WarpDojo$");
  INFO("before: ", before);
  // The first key on a fresh server may be lost while its keyboard is made: it is sent again.
  auto on_projector = [&] { return place("^WarpDojo$") == "1280,0 1024x768"; };
  for (int tries = 0; tries < 4 && !on_projector(); ++tries) {
    App::key("F11");
    app.within(6, on_projector);
  }
  CHECK(on_projector());
  CHECK(app.within(25, [&] { return !place("^WarpDojo notes").empty(); }));
  int x = -1, y = -1, w = 0, h = 0;
  REQUIRE(std::sscanf(place("^WarpDojo notes").c_str(), "%d,%d %dx%d", &x, &y, &w, &h) == 4);
  CHECK(x >= 0);
  CHECK(x + w <= 1280);
  CHECK(y >= 0);
  CHECK(y + h <= 768);
  App::key("F11");
  CHECK(app.within(25, [&] { return place("^WarpDojo$") == before; }));
  CHECK(app.within(25, [&] { return place("^WarpDojo notes").empty(); }));
  CHECK(app.quit() == 0);
}
