// Each layer by itself, where this machine has it; and what a worker may not do.
#include <doctest/doctest.h>

#include "core/error.hpp"
#include "run/worker.hpp"
#include "small_class.hpp"

using namespace dojo;
using namespace dojo::test;

TEST_CASE("each layer that the kernel offers holds when it is tried") {
  const std::string program = program_path().string();
  const run::Sandbox whole = run::probe_sandbox(program, run::whole_sandbox());
  MESSAGE("layers here: ", whole.words());
  CHECK(whole.limits);
  if (run::landlock_version()) CHECK(whole.landlock == run::landlock_version());
  if (run::seccomp_built_in()) CHECK(whole.seccomp);
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
      MESSAGE("not tried: ", bubblewrap ? "bubblewrap" : "Landlock");
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
