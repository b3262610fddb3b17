// Each layer by itself, where this machine has it; and what a worker may not do.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <map>
#include <optional>
#include <thread>

#include "../left_out.hpp"
#include "core/compile/compiler.hpp"
#include "core/error.hpp"
#include "core/files/whole_file.hpp"
#include "run/worker/process_group.hpp"
#include "run/worker/worker.hpp"
#include "small_class.hpp"

using namespace dojo;
using namespace dojo::test;

TEST_CASE("each layer that the kernel offers holds when it is tried") {
  const std::string program = program_path().string();
  const run::Sandbox whole = run::probe_sandbox(program, run::whole_sandbox());
  MESSAGE("layers here: ", whole.words());
  CHECK(whole.limits);
  if (run::landlock_version()) CHECK(whole.landlock == run::landlock_version());
  if (run::seccomp_built_in() && !sanitized) CHECK(whole.seccomp);
  run::Sandbox only;
  only.bubblewrap = true;
  if (!run::find_bubblewrap().empty() && !run::probe_sandbox(program, only).bubblewrap)
    MESSAGE("bubblewrap is installed, but does not work here (user namespaces?)");
  CHECK(run::probe_sandbox("/bin/false", run::whole_sandbox()).words() == "none");
}

TEST_CASE("layers go through the environment as words") {
  run::Sandbox s;
  s.limits = s.seccomp = true;
  const run::Sandbox back = run::sandbox_from_text(run::to_text(s));
  CHECK(back.limits);
  CHECK(back.seccomp);
  CHECK(!back.closed());
  CHECK(!run::sandbox_from_text("nothing of this").any());
}

TEST_CASE("an enclosed worker runs a step with either of the closed file systems, and reads nothing else") {
  const SmallClass c;
  const std::string program = program_path().string();
  for (const bool bubblewrap : {false, true}) {
    run::Sandbox wanted = run::whole_sandbox();
    if (bubblewrap) wanted.landlock = 0;
    const run::Sandbox have = run::probe_sandbox(program, wanted);
    if (!have.closed()) {
      MESSAGE("not tried: ", std::string(bubblewrap ? "bubblewrap" : "Landlock"));
      continue;
    }
    CAPTURE(have.words());
    run::WorkerOptions o;
    o.sandbox = have;
    run::WorkerClient worker(o);
    auto ask = [&](const run::RunRequest& r) -> run::WorkerEvent {
      worker.start(r);
      for (;;) {
        const auto e = worker.wait(std::chrono::milliseconds(500));
        if (e && e->kind != run::WorkerEvent::progress && e->kind != run::WorkerEvent::printed) return *e;
      }
    };
    run::RunRequest r;
    r.step = "reduce/5-sequential";
    r.who = run::Who::student;
    r.student_file = "01-reduce/5-sequential.cu";
    r.student_source = c.solution();
    const auto good = ask(r);
    REQUIRE_MESSAGE(good.kind == run::WorkerEvent::report, good.text);
    for (const auto& d : good.report_.runs.at(0).diagnostics) MESSAGE(d.message);
    CHECK(good.report_.runs.at(0).status == Status::pass);
    // A file that it is told to run but may not see.
    r.student_source.reset();
    r.student_file = c.canary.string();
    const auto refused = ask(r);
    CHECK(refused.kind == run::WorkerEvent::failed);
    CHECK(refused.text.find(SmallClass::secret_words) == std::string::npos);
    // After an end by force the next request meets new children.
    worker.renew();
    r.student_source = c.solution();
    CHECK(ask(r).kind == run::WorkerEvent::report);
  }
}

TEST_CASE("clang: an enclosed compiler may read the precompiled headers, and writes none") {
  if (dojo::needs::left_out_without("clang-19")) return;
  const SmallClass c;
  const Environment clang{"WARPDOJO_FRONT_END", "clang"};
  prepare_compiler("compute_75");
  const auto kept = [] {
    std::map<std::string, std::string> all;
    for (const auto& e : fs::directory_iterator(compiler_cache())) all[e.path()] = read_or_empty(e.path());
    return all;
  };
  const auto before = kept();
  CHECK(before.size() == 2);
  const std::string program = program_path().string();
  for (const bool bubblewrap : {false, true}) {
    run::Sandbox wanted = run::whole_sandbox();
    if (bubblewrap) wanted.landlock = 0;
    run::WorkerOptions o;
    o.sandbox = run::probe_sandbox(program, wanted);  // tries to read and to write there
    if (!bubblewrap && run::landlock_version()) CHECK(o.sandbox.closed());
    if (!o.sandbox.closed()) {
      MESSAGE("not tried: ", std::string(bubblewrap ? "bubblewrap" : "Landlock"));
      continue;
    }
    run::WorkerClient worker(o);
    run::RunRequest r;
    r.step = "reduce/5-sequential";
    r.who = run::Who::student;
    r.gates = false;
    r.student_file = "01-reduce/5-sequential.cu";
    r.student_source = c.solution();
    worker.start(r);
    std::optional<run::WorkerEvent> end;
    while (!end || end->kind == run::WorkerEvent::progress || end->kind == run::WorkerEvent::printed)
      end = worker.wait(std::chrono::milliseconds(500));
    REQUIRE_MESSAGE(end->kind == run::WorkerEvent::report, end->text);
    CHECK(end->report_.runs.at(0).status == Status::pass);
    CHECK(kept() == before);
  }
}

TEST_CASE(
    "an enclosed child meets its limits: file size, descriptors, processor time, privileges, its process "
    "group") {
  const SmallClass c;
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    // A bit for each door that is open.
    int open_doors = 0;
    setpgid(0, 0);
    try {
      run::Sandbox s;
      s.limits = true;
      s.seccomp = run::seccomp_built_in();
      run::enclose(s, run::Enclosed::runner, {});
    } catch (...) {
      _exit(99);
    }
    signal(SIGXFSZ, SIG_IGN);
    const int file = open((c.path / "large").c_str(), O_RDWR | O_CREAT, 0600);
    if (file < 0 || ftruncate(file, off_t(300) << 20) == 0) open_doors |= 1;
    int opened = 0;
    while (opened < 1000 && open("/dev/null", O_RDONLY) >= 0) ++opened;
    if (opened >= 256) open_doors |= 2;
    rlimit r{};
    if (getrlimit(RLIMIT_CPU, &r) != 0 || r.rlim_max > 3600) open_doors |= 4;
    if (getrlimit(RLIMIT_CORE, &r) != 0 || r.rlim_max != 0) open_doors |= 8;
    if (getrlimit(RLIMIT_NPROC, &r) != 0 || r.rlim_max == RLIM_INFINITY) open_doors |= 16;
    if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1) open_doors |= 32;
    if (run::seccomp_built_in()) {
      const pid_t inner = fork();
      if (inner == 0) _exit(setsid() >= 0 || setpgid(0, 0) == 0);
      int status = 0;
      waitpid(inner, &status, 0);
      if (status != 0) open_doors |= 64;
    }
    _exit(open_doors);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(WEXITSTATUS(status) == 0);
}

TEST_CASE("a worker that takes processes or memory without end is ended with all that it started") {
  const SmallClass c;
  struct Bomb {
    const char *script, *words;
    uint64_t memory;  ///< 0: no limit, for the one that is after something else
  };
  // In the place of the worker, as if something had taken it over.
  for (const Bomb& bomb : {Bomb{"while :; do sleep 300 & done", "processes and threads were started", 0},
                           Bomb{"head -c 400000000 /dev/zero | tail -c 400000000 | sleep 300",
                                "MiB of memory, twice the limit", uint64_t(64) << 20}}) {
    CAPTURE(bomb.script);
    const fs::path script = c.path / "worker";
    std::ofstream(script) << "#!/bin/sh\n[ \"$2\" ] && exec sleep 300\necho $$ >" << (c.path / "pid").string()
                          << "\n"
                          << bomb.script << "\n";
    fs::permissions(script, fs::perms::owner_all);
    run::WorkerOptions o;
    o.program = script.string();
    o.sandbox.limits = true;
    o.memory_bytes = bomb.memory;
    run::WorkerClient worker(o);
    run::RunRequest r;
    r.step = "reduce/5-sequential";
    worker.start(r);
    std::optional<run::WorkerEvent> e;
    while (!e) e = worker.wait(std::chrono::milliseconds(500));
    CHECK(e->kind == run::WorkerEvent::died);
    CHECK_MESSAGE(e->text.find(bomb.words) != std::string::npos, e->text);
    REQUIRE(e->report_.runs.size() == 1);
    CHECK(e->report_.runs[0].status == Status::crash);
    // Nothing of its group is left (what was killed takes a moment to go).
    const pid_t group = std::atoi(read_or_empty(c.path / "pid").c_str());
    REQUIRE(group > 0);
    for (int k = 0; k < 200 && run::use_of_group(group).resident; ++k)
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    CHECK(run::use_of_group(group).resident == 0);
  }
}

TEST_CASE("a worker that says that it ends does not get the next request") {
  const SmallClass c;
  const fs::path script = c.path / "worker", pids = c.path / "pids";
  // Ends a while after its answer, as one does at its memory limit.
  std::ofstream(script)
      << "#!/bin/sh\n[ \"$2\" ] && exec sleep 300\necho $$ >>" << pids.string()
      << "\nread -r empty\nread -r line\nid=$(printf %s \"$line\" | sed 's/.*\"id\":\\([0-9]*\\).*/\\1/')\n"
      << "printf '{\"event\":\"failed\",\"id\":%s,\"exit_status\":71,\"message\":\"full\"}\\n' $id\n"
      << "sleep 0.5\n";
  fs::permissions(script, fs::perms::owner_all);
  run::WorkerOptions o;
  o.program = script.string();
  run::WorkerClient worker(o);
  run::RunRequest r;
  r.step = "reduce/5-sequential";
  for (int k = 0; k < 2; ++k) {
    CAPTURE(k);
    worker.start(r);
    std::optional<run::WorkerEvent> e;
    while (!e) e = worker.wait(std::chrono::milliseconds(500));
    CHECK(e->kind == run::WorkerEvent::failed);
    CHECK(e->text == "full");
  }
  const std::string started = read_or_empty(pids);
  CHECK(std::count(started.begin(), started.end(), '\n') == 2);
}
