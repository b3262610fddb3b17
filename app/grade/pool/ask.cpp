#include "grade/pool/ask.hpp"

#include <chrono>

namespace dojo::grade {
namespace {

/// Times the limit of processor time that a second try may take.
constexpr double second_try = 4;

/// What ended a run that was within its limit of instructions, a signal or a time limit; null: nothing did.
const Diagnostic* end_by_machine(const Report& r) {
  for (const RunReport& run : r.runs)
    for (const Diagnostic& d : run.diagnostics)
      if (finding_info(d.kind).origin == FindingOrigin::machine) return &d;
  return nullptr;
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
    if (e->kind == run::WorkerEvent::died && end_by_machine(e->report_)) throw MachineFailure(e->text);
    if (const std::string words = machine_words(e->report_);
        e->kind == run::WorkerEvent::report && !words.empty() && !cancelled)
      throw MachineFailure(words);
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

std::string machine_words(const Report& r) {
  const Diagnostic* d = end_by_machine(r);
  return d ? "the run was within its limit of instructions, but the machine ended it: " + d->message : "";
}

run::WorkerEvent ask(run::WorkerClient& worker, const run::RunRequest& request,
                     const std::function<bool()>& stopped) {
  return ask_twice(worker, request, stopped);
}

run::WorkerEvent ask(run::WorkerClient& worker, const run::CallRequest& request,
                     const std::function<bool()>& stopped) {
  return ask_twice(worker, request, stopped);
}

}  // namespace dojo::grade
