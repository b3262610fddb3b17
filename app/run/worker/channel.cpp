#include "run/worker/channel.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <thread>

#include "core/error.hpp"

extern char** environ;

namespace dojo::run {

std::optional<std::string> Channel::read(int timeout_ms) {
  using Clock = std::chrono::steady_clock;
  const auto until = Clock::now() + std::chrono::milliseconds(timeout_ms);
  for (;;) {
    if (const size_t end = pending_.find('\n', searched_); end != std::string::npos) {
      std::string line = pending_.substr(0, end);
      pending_.erase(0, end + 1);
      searched_ = 0;
      if (line.empty()) continue;
      return line;
    }
    searched_ = pending_.size();
    if (ended_) return std::nullopt;
    int left = -1;
    if (timeout_ms >= 0)
      left = int(std::max<int64_t>(
          0, std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now()).count()));
    pollfd p{in_, POLLIN, 0};
    const int ready = poll(&p, 1, left);
    if (ready < 0 && errno == EINTR) continue;
    if (ready == 0) return std::nullopt;
    char buffer[65536];
    const ssize_t n = ::read(in_, buffer, sizeof buffer);
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (n <= 0)
      ended_ = true;
    else
      pending_.append(buffer, size_t(n));
  }
}

bool Channel::write(const std::string& line) {
  std::lock_guard lock(writing_);
  // The leading line end closes what a killed predecessor on this channel may have left half written.
  const std::string text = "\n" + line + "\n";
  for (size_t at = 0; at < text.size();) {
    ssize_t n = send(out_, text.data() + at, text.size() - at, MSG_NOSIGNAL);
    if (n < 0 && errno == ENOTSOCK) n = ::write(out_, text.data() + at, text.size() - at);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    at += size_t(n);
  }
  return true;
}

std::pair<Descriptor, Descriptor> socket_pair() {
  int fds[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) != 0)
    throw Error(std::string("cannot make a socket pair: ") + std::strerror(errno), 71);
  return {Descriptor(fds[0]), Descriptor(fds[1])};
}

bool Child::alive() {
  if (pid <= 0) return false;
  int status = 0;
  const pid_t r = waitpid(pid, &status, WNOHANG);
  if (r == 0) return true;
  if (r == pid) {
    if (WIFSIGNALED(status))
      exit_signal = WTERMSIG(status);
    else
      exit_status = WEXITSTATUS(status);
  }
  pid = -1;
  return false;
}

void Child::kill() {
  if (pid <= 0) return;
  ::kill(-pid, SIGKILL);  // with whatever it started itself
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  exit_signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  pid = -1;
}

Child spawn(const std::string& program, const std::vector<std::string>& args, int socket, int extra,
            const std::vector<std::string>& environment, bool alone) {
  // A secret of the caller's environment is none of the child's business.
  static const std::string_view harmless[] = {"PATH=",           "HOME=",
                                              "LANG=",           "LD_LIBRARY_PATH=",
                                              "XDG_CACHE_HOME=", "TZ=",
                                              "LC_ALL=",         "CUDAToolkit_ROOT=",
                                              "CUDA_HOME=",      "WARPDOJO_FRONT_END=",
                                              "WARPDOJO_CLANG="};
  std::vector<char*> argv{const_cast<char*>(program.c_str())};
  for (const auto& a : args) argv.push_back(const_cast<char*>(a.c_str()));
  argv.push_back(nullptr);
  std::vector<char*> env;
  for (char** e = environ; *e; ++e) {
    const std::string_view entry(*e);
    const std::string_view key = entry.substr(0, entry.find('=') + 1);
    if (alone && std::find(std::begin(harmless), std::end(harmless), key) == std::end(harmless)) continue;
    if (std::none_of(environment.begin(), environment.end(),
                     [&](const std::string& n) { return n.starts_with(key); }))
      env.push_back(*e);
  }
  for (const auto& e : environment) env.push_back(const_cast<char*>(e.c_str()));
  env.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, socket, 0);
  posix_spawn_file_actions_adddup2(&actions, socket, 1);
  if (extra >= 0) posix_spawn_file_actions_adddup2(&actions, extra, 3);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  // A group of its own: Ctrl+C in the terminal is the parent's to handle.
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  posix_spawnattr_setpgroup(&attributes, 0);
  sigset_t none, defaults;
  sigemptyset(&none);
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGPIPE);
  sigaddset(&defaults, SIGINT);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  Child child;
  const int error = posix_spawn(&child.pid, program.c_str(), &actions, &attributes, argv.data(), env.data());
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (error) throw Error("cannot start " + program + ": " + std::strerror(error), 71);
  return child;
}

std::pair<int, int> harden_child() {
  rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  signal(SIGPIPE, SIG_IGN);
  setpriority(PRIO_PROCESS, 0, std::min(19, getpriority(PRIO_PROCESS, 0) + 12));
  // Nothing but the protocol may reach the other process: stray prints of libraries go to standard error.
  // Programs that the worker starts get neither end.
  const int out = fcntl(1, F_DUPFD_CLOEXEC, 10), in = fcntl(0, F_DUPFD_CLOEXEC, 10);
  dup2(2, 1);
  const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  dup2(nothing, 0);
  close(nothing);
  return {in, out};
}

uint64_t memory_limit() {
  const uint64_t all = uint64_t(sysconf(_SC_PHYS_PAGES)) * uint64_t(sysconf(_SC_PAGESIZE));
  return std::min<uint64_t>(all / 4 * 3, uint64_t(16) << 30);
}

void watch_memory(uint64_t limit, void (*too_much)(uint64_t)) {
  std::thread([limit, too_much] {
    const uint64_t page = uint64_t(sysconf(_SC_PAGESIZE));
    for (;;) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      unsigned long long size = 0, resident = 0;
      if (FILE* f = std::fopen("/proc/self/statm", "re")) {
        if (std::fscanf(f, "%llu %llu", &size, &resident) != 2) resident = 0;
        std::fclose(f);
      }
      if (resident * page > limit) too_much(limit);
    }
  }).detach();
}

}  // namespace dojo::run
