#pragma once
// A run is a child process: `warpdojo worker` reads requests and writes events, one JSON object a line
// (docs/worker.md). A crash, a hang or a runaway compile ends the child, never the caller.
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "run/runner.hpp"

namespace dojo::run {

/// What a worker says. Exactly one of report / error is set at the end of a request.
struct WorkerEvent {
  enum Kind { progress, report, printed, failed, died } kind = progress;
  Progress at;
  Report report_;       ///< of `report`; with `died`, one run with status crash that says what happened
  std::string text;     ///< printed text; an error's one line
  int exit_status = 0;  ///< of CLI.md, for failed and died (71)
  std::shared_ptr<const StepTrace> steps;  ///< of a report whose request asked for a block's steps
};

/// Client of one worker child. Not thread safe; poll() never blocks, so a window may call it every frame.
class WorkerClient {
 public:
  /// `program`: path of the warpdojo binary (default: this process's own).
  explicit WorkerClient(std::string program = {});
  ~WorkerClient();
  /// Starts a request; starts the child if there is none. One at a time: throws Error when busy.
  void start(const RunRequest&);
  void start(const PlayRequest&);
  bool busy() const;
  std::optional<WorkerEvent> poll();
  /// Waits up to a time for the next event.
  std::optional<WorkerEvent> wait(std::chrono::milliseconds);
  /// Asks the run to end; kills the child when it doesn't within a second.
  void cancel();
  /// File descriptor that becomes readable with the next event, or -1.
  int descriptor() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The child's main loop on standard input and output. Returns its exit status.
int worker_main();
/// The main loop of the long-lived child that compiles and keeps its headers warm (`worker --compile`).
int compile_worker_main();

}  // namespace dojo::run
