#include "run/sandbox/sandbox.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sstream>

#include "core/compile/compiler.hpp"
#include "core/error.hpp"
#include "core/files/scratch_folder.hpp"
#include "core/labs/lab.hpp"
#include "core/paths.hpp"
#include "run/worker/process_group.hpp"

namespace dojo::run {
namespace {

constexpr rlim_t largest_file = rlim_t(256) << 20;
constexpr rlim_t processor_seconds = 3600;
constexpr rlim_t descriptors = 256;

// What the kernel starts before a program that is linked with libraries.
#if defined(__aarch64__)
constexpr const char* loader = "/lib/ld-linux-aarch64.so.1";
#else
constexpr const char* loader = "/lib64/ld-linux-x86-64.so.2";
#endif

void limit(int what, rlim_t value) {
  rlimit now{};
  getrlimit(__rlimit_resource_t(what), &now);
  const rlim_t most = now.rlim_max == RLIM_INFINITY ? value : std::min(value, now.rlim_max);
  const rlimit wanted{most, most};
  if (setrlimit(__rlimit_resource_t(what), &wanted) != 0) throw Error("a resource limit can't be set", 71);
}

/// Runs a program, its output to nowhere; its exit status, or -1.
int run_quietly(const std::vector<std::string>& words, const std::vector<std::string>& environment) {
  const pid_t child = fork();
  if (child == 0) {
    const int nothing = open("/dev/null", O_RDWR);
    for (int fd : {0, 1, 2}) dup2(nothing, fd);
    for (const auto& e : environment) putenv(const_cast<char*>(e.c_str()));
    std::vector<char*> argv;
    for (const auto& w : words) argv.push_back(const_cast<char*>(w.c_str()));
    argv.push_back(nullptr);
    execv(argv[0], argv.data());
    _exit(127);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) < 0 || !WIFEXITED(status)) return -1;
  return WEXITSTATUS(status);
}

}  // namespace

std::string Sandbox::words() const {
  std::string out;
  auto add = [&](bool on, const std::string& w) {
    if (on) out += (out.empty() ? "" : ", ") + w;
  };
  add(landlock > 0, "Landlock " + std::to_string(landlock));
  add(bubblewrap, "bubblewrap");
  add(seccomp, "seccomp");
  add(limits, "limits");
  return out.empty() ? "none" : out;
}

std::string to_text(const Sandbox& s) {
  std::string out;
  if (s.limits) out += "limits ";
  if (s.landlock) out += "landlock ";
  if (s.seccomp) out += "seccomp ";
  if (s.bubblewrap) out += "bubblewrap ";
  return out;
}

Sandbox sandbox_from_text(const std::string& text) {
  Sandbox s;
  std::istringstream in(text);
  for (std::string w; in >> w;) {
    if (w == "limits") s.limits = true;
    if (w == "landlock") s.landlock = std::max(1, landlock_version());
    if (w == "seccomp") s.seccomp = true;
    if (w == "bubblewrap") s.bubblewrap = true;
  }
  return s;
}

Sandbox whole_sandbox() {
  Sandbox s;
  s.limits = s.seccomp = s.bubblewrap = true;
  s.landlock = landlock_version();
  return s;
}

std::string find_bubblewrap() {
  for (const char* p : {"/usr/bin/bwrap", "/bin/bwrap", "/usr/local/bin/bwrap"})
    if (access(p, X_OK) == 0) return p;
  return {};
}

SandboxPaths sandbox_paths(Enclosed part, const fs::path& scratch, bool keep_references) {
  SandboxPaths p;
  const fs::path root = find_root();
  p.read = {"/lib",
            "/lib64",
            "/usr/lib",
            "/usr/lib64",
            "/etc/ld.so.cache",
            "/etc/ld.so.conf",
            "/etc/ld.so.conf.d",
            "/dev/urandom",
            "/dev/zero",
            "/proc/self",
            "/sys/devices/system/cpu",
            root / "labs" / "include",
            source_root() / "labs" / "include",
            cuda_root()};
  // The toolkit is often reached by a link; its libraries ask for each other by the real path.
  if (std::error_code ec; fs::exists(cuda_root(), ec)) p.read.push_back(fs::canonical(cuda_root(), ec));
  if (part == Enclosed::runner) {
    for (const char* below : {"labs", "reference", "assets"}) {
      p.read.push_back(root / below);
      // In a user's copy of the labs these may be folders of links to what is installed.
      if (const fs::path installed = installed_root(); !installed.empty())
        p.read.push_back(installed / below);
    }
    p.read.push_back(source_root() / "assets");
    // ptxas, and the loader that a program needs to start.
    p.execute = {cuda_root() / "bin", cuda_root() / "nvvm" / "bin", loader};
    if (const fs::path cache = cache_folder(); !cache.empty())
      (keep_references ? p.write : p.read).push_back(cache / "reports");
  }
  if (part == Enclosed::compiler && !compiler_programs().empty()) {
    p.execute = {loader};
    for (const auto& program : compiler_programs()) p.execute.push_back(program), p.read.push_back(program);
    if (const fs::path cache = compiler_cache(); !cache.empty()) p.read.push_back(cache);
  }
  p.write.push_back(scratch);
  return p;
}

std::vector<std::string> bubblewrap_words(const SandboxPaths& paths, const std::string& program) {
  std::vector<std::string> w = {find_bubblewrap(),
                                "--unshare-user-try",
                                "--unshare-ipc",
                                "--unshare-pid",
                                "--unshare-net",
                                "--unshare-uts",
                                "--unshare-cgroup-try",
                                "--die-with-parent",
                                "--proc",
                                "/proc",
                                "--dev",
                                "/dev"};
  std::error_code ec;
  auto bind = [&](const char* how, const fs::path& p) {
    if (!fs::exists(p, ec) || p.string().starts_with("/proc") || p.string().starts_with("/dev")) return;
    w.insert(w.end(), {how, p.string(), p.string()});
  };
  for (const auto& p : paths.read) bind("--ro-bind", p);
  // What may be started lies below what may be read: here that is one thing.
  for (const auto& p : paths.write) bind("--bind", p);
  bind("--ro-bind", program);
  w.push_back("--");
  w.push_back(program);
  return w;
}

void enclose(const Sandbox& s, Enclosed part, const SandboxPaths& paths) {
  if (s.limits) {
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_FSIZE, largest_file);
    limit(RLIMIT_CPU, processor_seconds);
    limit(RLIMIT_NOFILE, descriptors);
    limit(RLIMIT_MEMLOCK, 1 << 20);
    limit(RLIMIT_MSGQUEUE, 0);
    // It counts all tasks of the user and nothing of root's: the parent's look at the group
    // (worker_client.cpp) is the limit that always holds, this one is there at once.
    limit(RLIMIT_NPROC, rlim_t(tasks_of_user() + 4 * most_tasks()));
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) throw Error("no_new_privs can't be set", 71);
  }
  if (s.landlock) apply_landlock(paths);
  if (s.seccomp) apply_seccomp(part);
}

Sandbox probe_sandbox(const std::string& program, const Sandbox& wanted) {
  const ScratchFolder scratch("probe");
  if (scratch.path.empty()) return {};
  auto holds = [&](const Sandbox& s) {
    std::vector<std::string> words{program};
    if (s.bubblewrap) words = bubblewrap_words(sandbox_paths(Enclosed::runner, scratch.path, false), program);
    words.insert(words.end(), {"worker", "--try-sandbox"});
    return run_quietly(words, {"WARPDOJO_SANDBOX=" + to_text(s), "TMPDIR=" + scratch.path}) == 0;
  };
  Sandbox found, one;
  if (wanted.limits) {
    one.limits = true;
    found.limits = holds(one);
  }
  if (wanted.landlock && landlock_version()) {
    one = {};
    one.landlock = landlock_version();
    if (holds(one)) found.landlock = one.landlock;
  }
  if (wanted.seccomp && seccomp_built_in()) {
    one = {};
    one.seccomp = true;
    found.seccomp = holds(one);
  }
  if (wanted.bubblewrap && !found.landlock && !find_bubblewrap().empty()) {
    one = {};
    one.bubblewrap = true;
    found.bubblewrap = holds(one);
  }
  return found;
}

int try_sandbox_main() {
  const char* text = std::getenv("WARPDOJO_SANDBOX");
  const char* folder = std::getenv("TMPDIR");
  const Sandbox s = sandbox_from_text(text ? text : "");
  const fs::path headers = compiler_cache();
  int open_doors = 0;
  auto door = [&](bool went_through, const char* what) {
    if (!went_through) return;
    std::printf("%s\n", what);
    ++open_doors;
  };
  try {
    enclose(s, Enclosed::compiler, sandbox_paths(Enclosed::compiler, folder ? folder : "/tmp", false));
  } catch (const Error& e) {
    std::printf("%s\n", e.what());
    return 1;
  }
  auto opens = [](const char* path, int flags) {
    const int fd = open(path, flags | O_CLOEXEC, 0600);
    if (fd >= 0) close(fd);
    return fd >= 0;
  };
  if (s.closed()) {
    door(opens("/etc/passwd", O_RDONLY), "reads /etc/passwd");
    door(opens("/etc/hostname", O_RDONLY), "reads /etc/hostname");
    if (s.landlock) {  // in namespaces of its own these are others' no more
      door(opens("/", O_RDONLY | O_DIRECTORY), "lists /");
      door(opens("/tmp/warpdojo-out-of-bounds", O_WRONLY | O_CREAT), "writes to /tmp");
    }
    door(!opens((std::string(folder ? folder : "/tmp") + "/probe").c_str(), O_WRONLY | O_CREAT),
         "can't write to its own folder");
    door(!opens("/dev/urandom", O_RDONLY), "can't read /dev/urandom");
    if (!headers.empty()) {
      door(opens((headers / "probe").c_str(), O_WRONLY | O_CREAT), "writes among the precompiled headers");
      door(!opens(headers.c_str(), O_RDONLY | O_DIRECTORY), "can't read the precompiled headers");
    }
  }
  if (s.seccomp) {
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    door(fd >= 0, "opens a socket");
    const pid_t child = fork();
    if (child == 0) {
      execl("/bin/true", "true", static_cast<char*>(nullptr));
      _exit(42);
    }
    int status = 0;
    if (child > 0) waitpid(child, &status, 0);
    // Where the compiler is a program, the filter lets it start; Landlock refuses every other one.
    if (s.landlock || compiler_programs().empty())
      door(child > 0 && WIFEXITED(status) && WEXITSTATUS(status) != 42, "starts a program");
    door(setsid() >= 0 || setpgid(0, 0) == 0, "leaves its process group");
    door(chmod((std::string(folder ? folder : "/tmp")).c_str(), 0700) == 0, "changes modes");
  }
  if (s.limits) {
    rlimit r{};
    getrlimit(RLIMIT_FSIZE, &r);
    door(r.rlim_max > largest_file, "writes files of any size");
    door(prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1, "may gain privileges");
  }
  return open_doors ? 1 : 0;
}

}  // namespace dojo::run
