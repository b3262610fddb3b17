// ptxas as a child: what a kernel needs of a real multiprocessor, and its machine code.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <mutex>

#include "core/compile.hpp"
#include "core/paths.hpp"

namespace dojo {
namespace fs = std::filesystem;
namespace {

constexpr int time_limit_s = 30;
constexpr size_t cache_entries = 64;

struct TempFolder {
  std::string path;
  TempFolder() {
    std::error_code ec;
    std::string name = (fs::temp_directory_path(ec) / "warpdojo-XXXXXX").string();
    if (!ec && mkdtemp(name.data())) path = name;
  }
  ~TempFolder() {
    std::error_code ec;
    if (!path.empty()) fs::remove_all(path, ec);
  }
};

/// Runs a program with a limit on time and output; returns its status, or -1 (could not start), -2 (limit).
int run_child(const std::vector<std::string>& args, const std::string& folder, std::string* output) {
  int fds[2];
  if (pipe2(fds, O_CLOEXEC) != 0) return -1;
  std::vector<char*> argv;
  for (const std::string& a : args) argv.push_back(const_cast<char*>(a.c_str()));
  argv.push_back(nullptr);
  const std::string tmp = "TMPDIR=" + folder;
  char* env[] = {const_cast<char*>("PATH=/usr/bin:/bin"), const_cast<char*>(tmp.c_str()), nullptr};
  const pid_t pid = fork();
  if (pid < 0) {
    close(fds[0]), close(fds[1]);
    return -1;
  }
  if (pid == 0) {
    setpgid(0, 0);
    dup2(fds[1], 1), dup2(fds[1], 2);
    const int null = open("/dev/null", O_RDONLY);
    if (null >= 0) dup2(null, 0);
    const rlimit cpu{time_limit_s + 1, time_limit_s + 2}, size{rlim_t(256) << 20, rlim_t(256) << 20};
    setrlimit(RLIMIT_CPU, &cpu);
    setrlimit(RLIMIT_FSIZE, &size);
    execve(argv[0], argv.data(), env);
    _exit(127);
  }
  close(fds[1]);
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(time_limit_s);
  bool late = false;
  char buffer[4096];
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    if (left.count() <= 0) {
      late = true;
      break;
    }
    pollfd p{fds[0], POLLIN, 0};
    const int n = poll(&p, 1, int(left.count()));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {
      late = true;
      break;
    }
    const ssize_t got = read(fds[0], buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    if (output->size() < (size_t(1) << 20)) output->append(buffer, size_t(got));
  }
  close(fds[0]);
  if (late && kill(-pid, SIGKILL) != 0) kill(pid, SIGKILL);  // in a sandbox it got no group of its own
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (late) return -2;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int number_before(const std::string& line, const char* words) {
  const size_t at = line.find(words);
  if (at == std::string::npos) return 0;
  size_t b = at;
  while (b > 0 && isdigit(static_cast<unsigned char>(line[b - 1]))) --b;
  return std::atoi(line.substr(b, at - b).c_str());
}

std::map<std::string, KernelResources> parse_resources(const std::string& log, int least_registers) {
  std::map<std::string, KernelResources> out;
  std::string kernel, properties;
  std::map<std::string, int> stack;
  for (size_t i = 0; i < log.size();) {
    const size_t n = std::min(log.find('\n', i), log.size());
    const std::string line = log.substr(i, n - i);
    i = n + 1;
    if (size_t at = line.find("Compiling entry function '"); at != std::string::npos) {
      at += std::strlen("Compiling entry function '");
      kernel = line.substr(at, line.find('\'', at) - at);
    } else if (size_t at2 = line.find("Function properties for "); at2 != std::string::npos) {
      properties = line.substr(at2 + std::strlen("Function properties for "));
    } else if (line.find("bytes stack frame") != std::string::npos) {
      stack[properties] = number_before(line, " bytes stack frame");
    } else if (line.find("Used ") != std::string::npos && !kernel.empty()) {
      KernelResources r;
      r.registers = std::max(least_registers, number_before(line, " registers"));
      r.static_smem = number_before(line, " bytes smem");
      r.const_bytes = number_before(line, " bytes cmem[0]");
      r.local_bytes = stack.count(kernel) ? stack[kernel] : 0;
      r.estimated = false;
      out[kernel] = r;
    }
  }
  return out;
}

/// The first error of ptxas, without its own file names.
std::string first_error(const std::string& log) {
  for (size_t i = 0; i < log.size();) {
    const size_t n = std::min(log.find('\n', i), log.size());
    const std::string line = log.substr(i, n - i);
    i = n + 1;
    const size_t at = line.find("; error");
    if (at != std::string::npos) {
      const size_t l = line.find("line ");
      return "ptxas, PTX " + line.substr(l == std::string::npos ? at + 2 : l);
    }
    if (line.rfind("ptxas fatal", 0) == 0) return line;
  }
  return log.empty() ? "ptxas failed" : "ptxas: " + log.substr(0, log.find('\n'));
}

Assembled assemble_now(const std::string& ptx, const std::string& sm) {
  Assembled out;
  std::error_code ec;
  const fs::path ptxas = cuda_root() / "bin" / "ptxas";
  if (!fs::exists(ptxas, ec)) {
    out.message = "no ptxas found in the CUDA Toolkit: registers and machine code are estimated";
    return out;
  }
  const TempFolder folder;
  if (folder.path.empty()) {
    out.message = "no temporary folder can be made";
    return out;
  }
  {
    std::ofstream f(folder.path + "/in.ptx", std::ios::binary);
    f.write(ptx.data(), std::streamsize(ptx.size()));
    if (!f) {
      out.message = "the temporary folder is full or read-only";
      return out;
    }
  }
  std::string log;
  auto run = [&](const std::string& arch) {
    log.clear();
    return run_child({ptxas.string(), "-arch=" + arch, "-v", "-lineinfo", folder.path + "/in.ptx", "-o",
                      folder.path + "/out.cubin"},
                     folder.path, &log);
  };
  std::string arch = sm;
  int status = run(arch);
  if (status != 0 && log.find("is not defined for option 'gpu-name'") != std::string::npos) {
    // An architecture that this toolkit dropped: the nearest one that it has.
    arch = "sm_75";
    status = run(arch);
    if (status == 0) out.message = "this ptxas has no " + sm + ": registers and machine code are " + arch + "'s";
  }
  if (status != 0) {
    out.message = status == -2   ? "ptxas took longer than " + std::to_string(time_limit_s) + " s"
                  : status == -1 ? "ptxas could not be started"
                                 : first_error(log);
    return out;
  }
  std::ifstream f(folder.path + "/out.cubin", std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(f)), {});
  out.cubin.resize(bytes.size());
  std::memcpy(out.cubin.data(), bytes.data(), bytes.size());
  const int cc = arch.size() > 3 ? std::atoi(arch.c_str() + 3) : 0;
  out.kernels = parse_resources(log, cc >= 90 ? 16 : 0);
  out.ok = !out.cubin.empty();
  if (!out.ok) out.message = "ptxas wrote no machine code";
  return out;
}

uint64_t fnv(const std::string& s, uint64_t h) {
  for (unsigned char c : s) h = (h ^ c) * 0x100000001b3ull;
  return h;
}

}  // namespace

Assembled assemble(const std::string& stripped_ptx, const std::string& sm) {
  struct Key {
    uint64_t a, b;
    size_t n;
    auto operator<=>(const Key&) const = default;
  };
  static std::mutex mutex;
  static std::map<Key, std::pair<uint64_t, Assembled>> cache;  // with the time of the last use
  static uint64_t clock = 0;
  const Key key{fnv(sm, fnv(stripped_ptx, 0xcbf29ce484222325ull)), fnv(stripped_ptx, fnv(sm, 0x9E3779B97F4A7C15ull)),
                stripped_ptx.size()};
  {
    std::lock_guard lock(mutex);
    if (auto it = cache.find(key); it != cache.end()) {
      it->second.first = ++clock;
      return it->second.second;
    }
  }
  Assembled out = assemble_now(stripped_ptx, sm);
  if (out.ok) {
    std::lock_guard lock(mutex);
    if (cache.size() >= cache_entries)
      cache.erase(std::min_element(cache.begin(), cache.end(),
                                   [](const auto& x, const auto& y) { return x.second.first < y.second.first; }));
    cache[key] = {++clock, out};
  }
  return out;
}

}  // namespace dojo
