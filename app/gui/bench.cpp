#include "gui/bench.hpp"

#include <fmt/format.h>
#include <imgui.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <sstream>
#include <thread>

#include "core/error.hpp"
#include "core/files/whole_file.hpp"
#include "gui/app.hpp"
#include "gui/display.hpp"
#include "gui/model/session/runner.hpp"
#include "gui/model/session/session.hpp"
#include "gui/panels/ui.hpp"
#include "gui/theme.hpp"
#include "run/bench.hpp"

namespace dojo::gui {

Measured& measured() {
  static Measured m;
  return m;
}

namespace {
/// What the child's run of the app measured, and the processor time it used while idle.
struct Outcome {
  Measured m;
  double idle_cpu_pct = 0;
};

double cpu_seconds(pid_t pid) {
  const std::string text = read_or_empty("/proc/" + std::to_string(pid) + "/stat");
  size_t at = text.rfind(')');
  if (at == std::string::npos) return 0;
  std::istringstream rest(text.substr(at + 2));
  std::string skip;
  for (int k = 0; k < 11; ++k) rest >> skip;
  double user = 0, system = 0;
  rest >> user >> system;
  return (user + system) / double(sysconf(_SC_CLK_TCK));
}

/// Runs the app in a child of its own, so that each start is a fresh one. `watch_from`, `watch_to`: seconds
/// between which the child's processor time is taken (0, 0: not).
Outcome run_child(const GuiOptions& o, double watch_from = 0, double watch_to = 0) {
  int fds[2];
  if (::pipe(fds) != 0) throw Error("no pipe can be made");
  std::fflush(nullptr);
  pid_t pid = ::fork();
  if (pid == 0) {
    ::close(fds[0]);
    int status = run_app(o);
    std::string text = fmt::format("{}\n", measured().first_frame_ms);
    for (auto& f : measured().frames)
      text += fmt::format("{} {} {} {}\n", f.whole_ms, f.cpu_ms, int(f.busy), f.at_s);
    for (size_t at = 0; at < text.size();) {
      ssize_t n = ::write(fds[1], text.data() + at, text.size() - at);
      if (n <= 0) break;
      at += size_t(n);
    }
    ::_exit(status);
  }
  ::close(fds[1]);
  Outcome out;
  if (watch_to > watch_from) {
    std::this_thread::sleep_for(std::chrono::duration<double>(watch_from));
    double before = cpu_seconds(pid);
    std::this_thread::sleep_for(std::chrono::duration<double>(watch_to - watch_from));
    out.idle_cpu_pct = 100 * (cpu_seconds(pid) - before) / (watch_to - watch_from);
  }
  std::string text;
  char buffer[4096];
  ssize_t n;
  while ((n = ::read(fds[0], buffer, sizeof buffer)) > 0 || (n < 0 && errno == EINTR))
    if (n > 0) text.append(buffer, size_t(n));
  ::close(fds[0]);
  int status = 1;
  ::waitpid(pid, &status, 0);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    throw Error("the app ended badly while it was measured", 71);
  std::istringstream in(text);
  in >> out.m.first_frame_ms;
  FrameTime f;
  int busy;
  while (in >> f.whole_ms >> f.cpu_ms >> busy >> f.at_s)
    out.m.frames.push_back({f.whole_ms, f.cpu_ms, busy != 0, f.at_s});
  return out;
}

double percentile(std::vector<double> v, double p) {
  if (v.empty()) return 0;
  std::sort(v.begin(), v.end());
  return v[std::min(v.size() - 1, size_t(std::ceil(p * double(v.size()))) - (p > 0 ? 1 : 0))];
}

/// Answers with one report whose two runs have 100,000 blocks each.
class LargeReport final : public Runner {
 public:
  void start(const run::RunRequest& r) override {
    event_.kind = run::WorkerEvent::report;
    event_.report_.step = r.step;
    event_.report_.device = {"simt:h100", DeviceKind::simt, "H100", 132, 3352, 66900, 1980, "", ""};
    event_.report_.runs.clear();
    for (const char* who : {"student", "reference"}) {
      RunReport run;
      run.who = who;
      run.time_us = {100, 100, 100, 1, Source::modelled};
      LaunchReport l;
      l.kernel = "k";
      l.grid = {100000, 1, 1};
      // 132 SMs with 8 slots each; lengths differ, so that no two rows are alike.
      std::vector<double> at(132 * 8, 0.0);
      uint64_t seed = 1;
      for (uint64_t b = 0; b < 100000; ++b) {
        size_t slot = b % at.size();
        seed = seed * 6364136223846793005ull + 1442695040888963407ull;
        double length = 0.8 + 0.4 * double(seed >> 40) / double(1 << 24);
        l.blocks.push_back({b, int(slot % 132), at[slot], at[slot] + length, {}});
        at[slot] += length;
      }
      run.launches.push_back(std::move(l));
      event_.report_.runs.push_back(std::move(run));
    }
    busy_ = true;
  }
  bool busy() const override { return busy_; }
  std::optional<run::WorkerEvent> poll() override {
    if (!busy_) return std::nullopt;
    busy_ = false;
    return event_;
  }
  void cancel() override {}

 private:
  bool busy_ = false;
  run::WorkerEvent event_;
};

/// Milliseconds that making one frame's draw lists takes with the timeline shown over the whole window, while
/// it is zoomed (nothing can be kept from the frame before).
double timeline_ms(bool quick) {
  ImGui::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.DisplaySize = {1920, 1080};
  io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
  build_fonts(1);
  unsigned char* pixels;
  int w, h;
  io.Fonts->GetTexDataAsRGBA32(&pixels, &w, &h);
  set_theme("dark", 1);
  std::vector<double> ms;
  {
    Session s(load_catalog(find_root()), std::make_unique<LargeReport>(), Places{});
    if (s.catalog().labs.empty() || s.catalog().labs.front().steps.empty())
      throw Error("there are no labs to draw");
    s.open(s.catalog().labs.front().steps.front().id());
    s.settings.plot = "timeline";
    s.ui.plots_only = true;
    Ui ui(s);
    s.run(false);
    for (int k = 0; k < (quick ? 30 : 150); ++k) {
      s.tick(k * 0.016);
      io.DeltaTime = 1 / 60.0f;
      io.MousePos = {900.0f + float(k), 600};
      io.MouseWheel = k % 20 < 10 ? 1 : -1;
      auto start = std::chrono::steady_clock::now();
      ImGui::NewFrame();
      ui.frame();
      ImGui::Render();
      if (k > 5)
        ms.push_back(
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    }
  }
  ImGui::DestroyContext();
  return percentile(ms, 0.5);
}
}  // namespace

std::map<std::string, double> bench_app(bool quick, const std::function<void(const std::string&)>& say) {
  std::map<std::string, double> f;
  auto tell = [&](const std::string& s) {
    if (say) say(s);
  };
  ::setenv("LIBGL_ALWAYS_SOFTWARE", "1", 1);
  VirtualDisplay display(1920, 1080);
  GuiOptions o;
  o.keep_nothing = true;
  o.width = 1440;
  o.height = 900;
  std::vector<double> first;
  for (int k = 0; k < (quick ? 2 : 6); ++k) {
    o.frames = 3;
    Outcome r = run_child(o);
    tell(fmt::format("first frame: {:.0f} ms", r.m.first_frame_ms));
    if (k > 0) first.push_back(r.m.first_frame_ms);  // the first one warms the disk
  }
  f["app.first_frame_ms"] = percentile(first, 0.5);
  o.frames = 0;
  o.seconds = quick ? 3.5 : 8;
  f["app.idle_cpu_pct"] = run_child(o, 1.5, o.seconds - 0.3).idle_cpu_pct;
  tell(fmt::format("idle: {:.2f} % of a processor", f["app.idle_cpu_pct"]));
  o.seconds = quick ? 3 : 6;
  o.step = "reduce/2";
  o.commands = "run.anyway";
  o.rerun = true;
  std::vector<double> busy;
  double shown = 0, seconds = 0, last = -1;
  for (auto& x : run_child(o).m.frames) {
    if (x.busy) busy.push_back(x.whole_ms);
    if (x.busy && last >= 0) ++shown, seconds += x.at_s - last;
    last = x.busy ? x.at_s : -1;
  }
  if (busy.empty()) throw Error("no frame was drawn while a run went on");
  f["app.frame_ms_p99_busy"] = percentile(busy, 0.99);
  f["app.frames_busy"] = double(busy.size());
  f["app.frames_per_s_busy"] = seconds > 0 ? shown / seconds : 0;
  tell(fmt::format("{} frames while running, {:.0f} a second, 99 % under {:.1f} ms", busy.size(),
                   f["app.frames_per_s_busy"], f["app.frame_ms_p99_busy"]));
  f["app.timeline_100k_ms"] = timeline_ms(quick);
  tell(fmt::format("timeline of 100,000 blocks: {:.2f} ms a frame", f["app.timeline_100k_ms"]));
  return f;
}

}  // namespace dojo::gui
