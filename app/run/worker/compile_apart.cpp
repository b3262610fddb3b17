#include "run/worker/compile_apart.hpp"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run/worker/channel.hpp"
#include "run/worker/worker_protocol.hpp"

namespace dojo::run {

Compiled compile_apart(const CompileRequest& request, int limit_s) {
  if (!request.debug) return compile(request);
  auto [here, there] = socket_pair();
  const pid_t parent = getpid(), child = fork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // a compiler that is ended takes this one with it
    if (getppid() != parent) _exit(1);
    here.reset();
    if (limit_s > 0) {
      const rlimit time{rlim_t(limit_s), rlim_t(limit_s) + 1};
      setrlimit(RLIMIT_CPU, &time);
    }
    try {
      Channel(there.get(), there.get()).write(encode(compile(request), 0));
    } catch (...) {
      _exit(1);
    }
    _exit(0);
  }
  there.reset();
  std::optional<Compiled> got;
  int status = 0;
  if (child > 0) {
    uint64_t id = 0;
    if (const auto line = Channel(here.get(), here.get()).read()) got = decode_compiled(*line, &id);
    waitpid(child, &status, 0);
  }
  if (got) return std::move(*got);
  if (child < 0) return compile(request);  // no process to be had: better this than nothing
  Compiled c;
  Diagnostic d;
  const bool late =
      WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || (limit_s > 0 && WTERMSIG(status) == SIGKILL));
  d.kind = late ? FindingKind::timeout : FindingKind::compile;
  d.where.file = request.file;
  d.message = late ? "The compiler was still busy with this file after " + std::to_string(limit_s) +
                         " seconds of processor time and was ended."
                   : "The compiler ended without an answer: out of memory, or an error of its own. Shorten "
                     "the file to find the line.";
  c.diagnostics.push_back(std::move(d));
  return c;
}

}  // namespace dojo::run
