#include "run/compile_apart.hpp"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run/channel.hpp"
#include "run/worker_protocol.hpp"

namespace dojo::run {

Compiled compile_apart(const CompileRequest& request) {
  if (!request.debug) return compile(request);
  const auto [here, there] = socket_pair();
  const pid_t parent = getpid(), child = fork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // a compiler that is ended takes this one with it
    if (getppid() != parent) _exit(1);
    close(here);
    try {
      Channel(there, there).write(encode(compile(request), 0));
    } catch (...) {
      _exit(1);
    }
    _exit(0);
  }
  close(there);
  std::optional<Compiled> got;
  if (child > 0) {
    uint64_t id = 0;
    if (const auto line = Channel(here, here).read()) got = decode_compiled(*line, &id);
    waitpid(child, nullptr, 0);
  }
  close(here);
  if (got) return std::move(*got);
  if (child < 0) return compile(request);  // no process to be had: better this than nothing
  Compiled c;
  Diagnostic d;
  d.kind = "compile";
  d.where.file = request.file;
  d.message = "The compiler ended without an answer: out of memory, or an error of its own. Shorten the file to find the line.";
  c.diagnostics.push_back(std::move(d));
  return c;
}

}  // namespace dojo::run
