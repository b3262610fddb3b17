// The first hour of a student, with real keys in the real window on the real first lab: start, tour,
// prediction, an edit, six ways to break a kernel, the fix, the next step, a conflict with another editor,
// quit, restart.
#include <sstream>

#include "app_window.hpp"
#include "core/paths.hpp"
#include "gui/model/session/runner.hpp"

using namespace dojo;
using namespace dojo::gui;
using test::App;
using test::display;

namespace {
struct FirstHour {
  App app{false};
  FirstHour() {
    const fs::path root = source_root();
    for (const char* part :
         {"labs/00-first-launch", "labs/include", "labs/glossary.toml", "reference/00-first-launch"}) {
      fs::create_directories((app.folder.path / part).parent_path());
      fs::copy(root / part, app.folder.path / part, fs::copy_options::recursive);
    }
    app.runner = [] { return make_worker_runner(); };
  }
  fs::path file(const char* name) const { return app.folder.path / "labs/00-first-launch" / name; }
  std::string text(const char* name) const {
    std::string out = read_regular_file(file(name)).value_or("");
    return out;
  }
  /// Keys one after the other; the app uses all of them in their order, however many come within a frame.
  static void keys(const std::string& k) { App::xdo("key --delay 12 " + k); }
  static void type(const std::string& t) { App::xdo("type --delay 12 '" + t + "'"); }
  /// Replaces what stands behind the indentation of a line (from 1) of the source that has the keyboard.
  static void line(int n, const std::string& words) {
    std::string down;
    for (int k = 1; k < n; ++k) down += " Down";
    keys("ctrl+Home" + down + " End shift+Home");
    type(words);
  }
  static void to_source() {
    App::key("alt+2");
    App::click(700, 560);
  }
  std::vector<std::string> kept_runs(const char* step) const {
    std::string all, one;
    all = read_regular_file(app.folder.path / "data/warpdojo/history" /
                            (std::string("first-launch+") + step + ".jsonl"))
              .value_or("");
    std::vector<std::string> out;
    for (std::istringstream in(all); std::getline(in, one);) out.push_back(one);
    return out;
  }
  /// F5; what came of the student's kernel, as the kept run tells it: status, then the first finding's kind.
  std::string run(const char* step) {
    const size_t before = kept_runs(step).size();
    App::key("F5");
    // An endless loop ends after 48 s of computing, which a busy machine takes longer to give.
    if (!app.within(240, [&] { return kept_runs(step).size() > before; })) return "no run was kept";
    const auto j = nlohmann::json::parse(kept_runs(step).back(), nullptr, false);
    for (auto& r : j.value("report", nlohmann::json::object()).value("runs", nlohmann::json::array()))
      if (r.value("who", "") == "student") {
        std::string out = r.value("status", "");
        for (auto& d : r.value("diagnostics", nlohmann::json::array()))
          if (d.value("severity", "error") == "error") return out + " " + d.value("kind", "");
        return out;
      }
    return "the run has no student";
  }
};
bool starts(const std::string& text, const char* with) { return text.starts_with(with); }
}  // namespace

TEST_CASE(
    "window: the first hour: tour, prediction, an edit, six ways to break it, fix, next step, conflict, "
    "restart") {
  if (!display()) return;
  FirstHour h;
  App& app = h.app;
  app.start({}, 600, "", "");

  // The tour, by key: Tab goes to its button, Enter presses it, five times.
  App::key("Tab");
  for (int k = 0; k < 5; ++k) App::key("Return");
  // A line is a row.
  App::key("alt+z");
  FirstHour::to_source();
  FirstHour::line(11, "hello_kernel<<<1, 1>>>()");
  // The run asks for the prediction first; the syntax error is the first break.
  App::key("F5");
  FirstHour::type("210");
  App::key("Return");
  CHECK(app.within(60, [&] { return h.kept_runs("1-hello").size() == 1; }));
  CHECK(h.kept_runs("1-hello").back().find("compile_error") != std::string::npos);
  CHECK(app.within(20, [&] { return app.state("first-launch/1-hello") == "failed"; }));
  FirstHour::to_source();
  FirstHour::line(11, "hello_kernel<<<1, 1>>>();");
  CHECK(h.run("1-hello") == "pass");
  CHECK(app.within(20, [&] { return app.state("first-launch/1-hello") == "passed"; }));
  CHECK(h.text("1-hello.cu").find("hello_kernel<<<1, 1>>>();") != std::string::npos);

  // The next step, broken in five more ways.
  App::key("ctrl+Next");
  FirstHour::to_source();
  FirstHour::line(12, "number_kernel<<<n / threads, threads>>>(out, n);");
  App::key("F5");
  FirstHour::type("4096");
  App::key("Return");
  CHECK(app.within(60, [&] { return h.kept_runs("2-index").size() == 1; }));
  const std::string first = h.kept_runs("2-index").back();
  CHECK((first.find("\"wrong\"") != std::string::npos || first.find("race") != std::string::npos));
  FirstHour::to_source();
  // The finding has the name that the kernel gives the memory, and the host's where that differs.
  FirstHour::line(4, "__global__ void number_kernel(int* mine, int n) {");
  FirstHour::line(5, "const int i = blockIdx.x * blockDim.x + threadIdx.x + 1;");
  FirstHour::line(6, "mine[i] = i;");
  CHECK(starts(h.run("2-index"), "finding out_of_bounds"));
  CHECK(h.kept_runs("2-index").back().find(
            "writes mine[1048576]; mine is the host's out and has 1,048,576 elements.") != std::string::npos);
  FirstHour::line(4, "__global__ void number_kernel(int* out, int n) {");
  FirstHour::line(5, "const int i = blockIdx.x * blockDim.x + threadIdx.x;");
  FirstHour::line(6, "out[i] = i; out[i / 2] = i;");
  CHECK(starts(h.run("2-index"), "finding race"));
  FirstHour::line(6, "while (out[i] != -1) out[i] = i;");
  CHECK(starts(h.run("2-index"), "timeout"));
  FirstHour::line(6, "out[i] = i;");
  FirstHour::line(12, "number_kernel<<<1, 2 * n>>>(out, n);");
  CHECK(starts(h.run("2-index"), "finding launch_error"));
  FirstHour::line(12, "number_kernel<<<n / threads, threads>>>(out, n);");
  CHECK(h.run("2-index") == "pass");
  CHECK(app.within(20, [&] { return app.state("first-launch/2-index") == "passed"; }));

  // On to the third step; another editor saves while it is edited here: both versions are shown, mine stays,
  // the other one is kept.
  App::key("ctrl+Next");
  FirstHour::to_source();
  FirstHour::keys("ctrl+Home");
  FirstHour::type("// mine ");
  std::ofstream(h.file("3-bounds.cu")) << "// theirs\n";
  App::key("ctrl+s");
  CHECK(h.text("3-bounds.cu") == "// theirs\n");
  FirstHour::keys("Return");  // Keep mine has the keyboard
  CHECK(app.within(40, [&] { return starts(h.text("3-bounds.cu"), "// mine "); }));
  CHECK(app.within(40, [&] {
    const auto kept = h.kept_runs("3-bounds");
    return !kept.empty() && kept.front().find("// theirs") != std::string::npos;
  }));

  // Quit in the middle of a word; the restart is where it was, with every letter.
  FirstHour::to_source();
  FirstHour::keys("ctrl+Home");
  FirstHour::type("half a wor");
  CHECK(app.quit() == 0);
  CHECK(starts(h.text("3-bounds.cu"), "// mine "));
  app.start({}, 300, "", "");
  FirstHour::to_source();
  FirstHour::keys("ctrl+Home");
  FirstHour::type("// ");
  App::key("ctrl+s");
  CHECK(app.within(40, [&] { return starts(h.text("3-bounds.cu"), "// half a wor// mine "); }));
  CHECK(app.quit() == 0);
  CHECK(app.state("first-launch/1-hello") == "passed");
  CHECK(app.state("first-launch/2-index") == "passed");
  CHECK(app.kept("config", "window.json").value("step", "") == "first-launch/3-bounds");
}
