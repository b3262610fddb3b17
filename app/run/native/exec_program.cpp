#include "run/native/exec_program.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>

#include "core/compile/child.hpp"
#include "core/device.hpp"
#include "core/error.hpp"
#include "core/files/whole_file.hpp"
#include "core/install/search_path.hpp"
#include "core/labs/lab.hpp"
#include "core/paths.hpp"
#include "run/native/older_toolkits.hpp"
#include "run/sandbox/sandbox.hpp"

namespace dojo::run {
namespace fs = std::filesystem;
namespace {

/// Our libcudart.so.13: beside the program that was built, or where it was installed.
fs::path cudart_library() {
  std::error_code ec;
  const fs::path self = fs::read_symlink("/proc/self/exe", ec).parent_path();
  for (const fs::path& at : {self / "exec", self.parent_path() / "lib" / "warpdojo" / "exec"})
    if (fs::exists(at / "libcudart.so.13", ec)) return at / "libcudart.so.13";
  throw Error(
      "there is no libcudart.so.13 beside this program. In a checkout, `./warpdojo exec` builds it; "
      "otherwise install the package again",
      71);
}

std::string with_value(const char* variable, const std::string& first, char separator) {
  const char* old = std::getenv(variable);
  return old && *old ? first + separator + old : first;
}

/// The program reads and starts what the system has installed and what lies in its own folder, writes to the
/// current folder and to `scratch`, and reaches neither other files nor the network nor other processes.
/// Throws Error where the current folder holds everything of the user's.
SandboxPaths paths_of_program(const std::string& name, const fs::path& library, const fs::path& scratch) {
  const fs::path here = fs::current_path();
  const char* home = std::getenv("HOME");
  std::error_code ec;
  if (here == here.root_path() || (home && fs::equivalent(here, home, ec)))
    throw Error(here.string() +
                " is the current folder, and a program in the sandbox may write there. "
                "Change to a folder of the program's own");
  SandboxPaths p = sandbox_paths(Enclosed::compiler, scratch, false);
  for (const char* system : {"/usr", "/lib", "/lib64", "/bin"}) p.execute.push_back(system);
  p.execute.insert(p.execute.end(), {cuda_root() / "bin", cuda_root() / "nvvm" / "bin"});
  p.execute.insert(p.execute.end(), {here, find_program(name).parent_path()});
  p.read.insert(p.read.end(), {library.parent_path(), source_root() / "assets", find_root() / "assets",
                               "/etc/localtime", "/proc/cpuinfo", "/proc/meminfo"});
  p.write.push_back(here);
  return p;
}

volatile pid_t waited_for = 0;
void pass_on(int signal) { kill(waited_for, signal); }

/// Waits for a child; Ctrl+C reaches it by the terminal, and a request to end is passed on, so that what was
/// found until then is still shown.
int wait_for(pid_t child) {
  waited_for = child;
  const auto old_int = std::signal(SIGINT, SIG_IGN), old_quit = std::signal(SIGQUIT, SIG_IGN);
  const auto old_term = std::signal(SIGTERM, pass_on);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  std::signal(SIGINT, old_int);
  std::signal(SIGQUIT, old_quit);
  std::signal(SIGTERM, old_term);
  return status;
}

int status_of(int wait_status) {
  return WIFSIGNALED(wait_status) ? 128 + WTERMSIG(wait_status) : WEXITSTATUS(wait_status);
}

}  // namespace

std::string exec_build_flags(int arch) {
  const std::string compute = "compute_" + std::to_string(arch);
  return "-cudart shared -gencode arch=" + compute + ",code=" + compute + " -lineinfo -g --no-compress";
}

int exec_build(const ExecRequest& r) {
  const auto device = open_device(r.options.device);
  const int arch = std::max(75, 10 * device->info().cc_major + device->info().cc_minor);
  const std::string flags = with_value("NVCC_APPEND_FLAGS", exec_build_flags(arch), ' ');
  const fs::path toolkit = toolkit_with_older_names();
  const std::string path = with_value("PATH", (toolkit / "bin").string(), ':');
  const pid_t child = fork();
  if (child < 0) throw Error("cannot start a process: " + std::string(std::strerror(errno)), 71);
  if (child == 0) {
    setenv("NVCC_APPEND_FLAGS", flags.c_str(), 1);
    setenv("PATH", path.c_str(), 1);
    // Makefiles that name nvcc by its path take it from one of these.
    for (const char* name : {"CUDA_HOME", "CUDA_PATH"}) setenv(name, toolkit.c_str(), 1);
    execl("/bin/sh", "sh", "-c", r.build.c_str(), static_cast<char*>(nullptr));
    _exit(127);
  }
  return status_of(wait_for(child));
}

namespace {

/// Why a program can't be started; empty when it can. In the sandbox every reason looks like a lack of
/// rights.
std::string why_not_run(const std::string& program) {
  std::error_code ec;
  std::vector<fs::path> places{program};
  if (program.find('/') == std::string::npos) {
    places.clear();
    for (const fs::path& folder : search_path()) places.push_back(folder / program);
  }
  std::string why = "No such file or directory";
  for (const fs::path& p : places) {
    if (!fs::exists(p, ec)) continue;
    if (fs::is_directory(p, ec))
      why = "it is a folder";
    else if (access(p.c_str(), X_OK) == 0)
      return {};
    else
      why = p.extension() == ".cu" ? "it is source text: compile it first, or run it with `warpdojo play`"
                                   : "it is not executable";
  }
  return why;
}

}  // namespace

ExecEnded exec_program(const ExecRequest& r) {
  if (const std::string why = why_not_run(r.command.at(0)); !why.empty())
    throw Error("cannot run " + r.command[0] + ": " + why);
  const fs::path library = cudart_library();
  const ScratchFolder scratch;
  if (scratch.path.empty())
    throw Error("cannot make a temporary folder: " + std::string(std::strerror(errno)), 71);
  NativeRunOptions options = r.options;
  options.result_folder = scratch.path;
  open_device(options.device);  // an unknown name is told before the program runs
  std::vector<char*> argv;
  for (const std::string& a : r.command) argv.push_back(const_cast<char*>(a.c_str()));
  argv.push_back(nullptr);
  const std::string text = to_json(options), root = source_root().string();
  // Preloaded too: a search path that the program was linked with would find another library first.
  const std::string folders = with_value("LD_LIBRARY_PATH", library.parent_path().string(), ':');
  const std::string preload = with_value("LD_PRELOAD", library.string(), ':');
  Sandbox sandbox;
  SandboxPaths paths;
  if (r.sandbox) {
    sandbox.landlock = landlock_version();
    sandbox.seccomp = seccomp_built_in();
    if (!sandbox.closed())
      throw Error(
          "no sandbox can be had here: Landlock needs Linux 5.13 or newer. `warpdojo play FILE.cu` "
          "interprets the host part instead",
          71);
    paths = paths_of_program(r.command[0], library, scratch.path);
  }
  int failure[2];
  if (pipe(failure) != 0) throw Error("cannot make a pipe: " + std::string(std::strerror(errno)), 71);
  const pid_t child = fork();
  if (child < 0) throw Error("cannot start a process: " + std::string(std::strerror(errno)), 71);
  if (child == 0) {
    close(failure[0]);
    setenv(native_run_variable, text.c_str(), 1);
    setenv("LD_LIBRARY_PATH", folders.c_str(), 1);
    setenv("LD_PRELOAD", preload.c_str(), 1);
    if (!std::getenv("WARPDOJO_ROOT")) setenv("WARPDOJO_ROOT", root.c_str(), 1);
    fcntl(failure[1], F_SETFD, FD_CLOEXEC);
    if (r.sandbox) {
      setenv("TMPDIR", scratch.path.c_str(), 1);
      try {
        enclose(sandbox, Enclosed::runner, paths);
      } catch (const Error& e) {
        std::fprintf(stderr, "warpdojo: %s\n", e.what());
        _exit(71);
      }
    }
    execvp(argv[0], argv.data());
    const int why = errno;
    [[maybe_unused]] const ssize_t sent = write(failure[1], &why, sizeof why);
    _exit(127);
  }
  close(failure[1]);
  int why = 0;
  const bool failed = read(failure[0], &why, sizeof why) == sizeof why;
  close(failure[0]);
  const int status = wait_for(child);
  if (failed) throw Error("cannot run " + r.command[0] + ": " + std::strerror(why));
  ExecEnded ended;
  ended.exit_status = status_of(status);
  ended.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  std::error_code ec;
  for (const auto& e : fs::directory_iterator(scratch.path, ec)) {
    ended.begun |= e.path().extension() == ".begun";
    if (e.path().extension() != ".json") continue;
    if (const auto json = read_file(e.path())) ended.results.push_back(native_result_from_json(*json));
  }
  return ended;
}

}  // namespace dojo::run
