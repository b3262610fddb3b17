#pragma once
// Asks a worker for one report. Where the machine failed and not the file, once more of a fresh child: a slow
// or busy machine decides no points.
#include <functional>

#include "core/error.hpp"
#include "run/worker/call.hpp"
#include "run/worker/worker.hpp"

namespace dojo::grade {

/// The machine failed and not the file: a signal ended the worker, or the clock did.
struct MachineFailure : Error {
  explicit MachineFailure(const std::string& what) : Error(what, 71) {}
};

/// The answer: a report, or `died` with a report of status crash when the file itself ended the child. Throws
/// MachineFailure after a second failure of the machine, Error when the worker refuses the request.
run::WorkerEvent ask(run::WorkerClient&, const run::RunRequest&, const std::function<bool()>& stopped);
run::WorkerEvent ask(run::WorkerClient&, const run::CallRequest&, const std::function<bool()>& stopped);

/// Why a run of this report tells nothing of the file: the message of the signal or of the time limit, of
/// processor time or by the clock, that ended it. Empty: neither did.
std::string machine_words(const Report&);

}  // namespace dojo::grade
