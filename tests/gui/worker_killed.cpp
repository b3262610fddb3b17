// The window outlives its worker: killed in mid-run, and dead at its start. The real worker runs the real
// reduce lab.
#include <dirent.h>

#include <sstream>

#include "app_window.hpp"
#include "core/paths.hpp"
#include "gui/model/session/runner.hpp"

using namespace dojo;
using namespace dojo::gui;
using test::App;
using test::display;

namespace {

/// The first lab's folders, so that the worker has something real to run; `file` is the student's.
struct RealLab {
  App app{false};
  fs::path file = app.folder.path / "labs/01-reduce/1-global.cu";
  RealLab() {
    const fs::path root = source_root();
    for (const char* part : {"labs/01-reduce", "labs/include", "reference/01-reduce"}) {
      fs::create_directories((app.folder.path / part).parent_path());
      fs::copy(root / part, app.folder.path / part, fs::copy_options::recursive);
    }
  }
  std::string reference() const {
    std::string text = read_regular_file(app.folder.path / "reference/01-reduce/1-global.cu").value_or("");
    return text;
  }
  void write(const std::string& text) const { REQUIRE(replace_file(file, text) == ""); }
};

std::string command_of(pid_t pid) {
  std::string text = read_regular_file("/proc/" + std::to_string(pid) + "/cmdline").value_or("");
  for (char& c : text)
    if (c == 0) c = ' ';
  return text;
}

/// The child of a process that runs kernels; 0: none.
pid_t worker_of(pid_t parent) {
  pid_t found = 0;
  DIR* d = opendir("/proc");
  while (dirent* e = d ? readdir(d) : nullptr) {
    const pid_t pid = std::atoi(e->d_name);
    const auto stat = pid > 0 ? read_regular_file("/proc/" + std::to_string(pid) + "/stat") : std::nullopt;
    if (!stat) continue;
    std::istringstream in(stat->substr(std::min(stat->size(), stat->rfind(')') + 1)));
    std::string state;
    pid_t of = 0;
    in >> state >> of;
    const std::string command = command_of(pid);
    if (of == parent && state != "Z" && command.find(" worker ") != std::string::npos &&
        command.find("--compile") == std::string::npos)
      found = pid;
  }
  if (d) closedir(d);
  return found;
}

/// Processor time that a process has used, in clock ticks.
long ticks_of(pid_t pid) {
  const auto stat = read_regular_file("/proc/" + std::to_string(pid) + "/stat");
  if (!stat) return 0;
  std::istringstream in(stat->substr(std::min(stat->size(), stat->rfind(')') + 1)));
  std::string word;
  long user = 0, system = 0;
  for (int k = 0; k < 11; ++k) in >> word;
  in >> user >> system;
  return user + system;
}

bool alive(pid_t pid) { return ::waitpid(pid, nullptr, WNOHANG) == 0; }

std::string state(App& app) { return app.state("reduce/1-global"); }

}  // namespace

TEST_CASE("window: a worker that is killed in mid-run takes nothing with it, and the next run works") {
  if (!display()) return;
  RealLab lab;
  // The reference, with a loop before it that does not end by itself.
  std::string text = lab.reference();
  const std::string at = "  const unsigned tid = threadIdx.x;\n";
  REQUIRE(text.find(at) != std::string::npos);
  text.replace(text.find(at), at.size(),
               at + "  volatile float* v = data;\n  while (v[tid] > -1e30f) v[tid] = v[tid] * 0.5f;\n");
  lab.write(text);
  lab.app.runner = [] { return make_worker_runner(); };
  lab.app.start({}, 240, "run.anyway", "reduce/1");
  const pid_t app = lab.app.pid;
  REQUIRE(lab.app.within(60, [&] { return worker_of(app) > 0; }));
  const pid_t worker = worker_of(app);
  // In the middle of it: it has computed for a second or more.
  REQUIRE(lab.app.within(60, [&] { return ticks_of(worker) > sysconf(_SC_CLK_TCK); }));
  REQUIRE(::kill(worker, SIGKILL) == 0);
  REQUIRE(lab.app.within(60, [&] { return worker_of(app) != worker; }));
  CHECK(alive(app));
  // No verdict came of it: the step is as new as before, its question apart.
  const std::string after = state(lab.app);
  CHECK_MESSAGE((after.empty() || after == "new"), after);
  lab.write(lab.reference());  // saved in another editor: that runs it, in a new worker
  CHECK(lab.app.within(90, [&] { return state(lab.app) == "passed"; }));
  CHECK(alive(app));
  CHECK(lab.app.quit() == 0);
}

TEST_CASE("window: a worker that dies at its start is said, and once it is there again F5 runs") {
  if (!display()) return;
  RealLab lab;
  lab.write(lab.reference());
  const fs::path broken = lab.app.folder.path / "broken", program = lab.app.folder.path / "warpdojo-worker";
  std::ofstream(broken) << "";
  std::ofstream(program) << "#!/bin/sh\n[ -e '" << broken.string()
                         << "' ] && [ \"$2\" != --compile ] && echo x >> '" << broken.string()
                         << "' && exit 3\nexec '" << program_path().string() << "' \"$@\"\n";
  fs::permissions(program, fs::perms::owner_all);
  // The prediction was made, so that F5 runs at once.
  REQUIRE(replace_file(lab.app.folder.path / "data/warpdojo/progress.json",
                       R"({"steps": {"reduce/1-global": {"prediction_skipped": true}}})") == "");
  lab.app.runner = [program] { return make_worker_runner(program.string()); };
  lab.app.start({}, 240, "run.anyway", "reduce/1");
  CHECK(lab.app.within(60, [&] { return !read_regular_file(broken).value_or("").empty(); }));
  CHECK(alive(lab.app.pid));
  CHECK(state(lab.app) == "");
  fs::remove(broken);
  App::key("F5");
  CHECK(lab.app.within(90, [&] { return state(lab.app) == "passed"; }));
  CHECK(lab.app.quit() == 0);
}
