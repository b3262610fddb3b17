#include "grade/pool/ask.hpp"

#include <algorithm>
#include <chrono>

namespace dojo::grade {
namespace {

/// Times the limit of processor time that a second try may take.
constexpr double second_try = 4;

/// A signal ended the worker, or the clock a run that was within its limit of instructions.
bool by_machine(const Report& r) {
  return std::any_of(r.runs.begin(), r.runs.end(), [](const RunReport& run) {
    return std::any_of(run.diagnostics.begin(), run.diagnostics.end(), [](const Diagnostic& d) {
      return finding_info(d.kind).origin == FindingOrigin::machine;
    });
  });
}

template <class Request>
run::WorkerEvent ask_once(run::WorkerClient& worker, const Request& request,
                          const std::function<bool()>& stopped) {
  worker.start(request);
  bool cancelled = false;
  for (;;) {
    if (!cancelled && stopped && stopped()) {
      worker.cancel();
      cancelled = true;
    }
    auto e = worker.wait(std::chrono::milliseconds(200));
    if (!e) continue;
    if (e->kind == run::WorkerEvent::died && by_machine(e->report_)) throw MachineFailure(e->text);
    if (e->kind == run::WorkerEvent::report && by_machine(e->report_) && !cancelled)
      throw MachineFailure("the run was within its limit of instructions, but over " +
                           std::to_string(int(request.time_limit_s)) + " s of processor time");
    if (e->kind == run::WorkerEvent::report || e->kind == run::WorkerEvent::died) return std::move(*e);
    if (e->kind == run::WorkerEvent::failed) throw Error(e->text, e->exit_status);
  }
}

template <class Request>
run::WorkerEvent ask_twice(run::WorkerClient& worker, const Request& request,
                           const std::function<bool()>& stopped) {
  try {
    return ask_once(worker, request, stopped);
  } catch (const MachineFailure&) {
    if (stopped && stopped()) throw;
  }
  worker.renew();
  Request again = request;
  again.time_limit_s *= second_try;
  return ask_once(worker, again, stopped);
}

}  // namespace

run::WorkerEvent ask(run::WorkerClient& worker, const run::RunRequest& request,
                     const std::function<bool()>& stopped) {
  return ask_twice(worker, request, stopped);
}

run::WorkerEvent ask(run::WorkerClient& worker, const run::CallRequest& request,
                     const std::function<bool()>& stopped) {
  return ask_twice(worker, request, stopped);
}

}  // namespace dojo::grade
