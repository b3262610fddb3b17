#pragma once
// A run is a child process: `warpdojo worker` reads requests and writes events, one JSON object a line
// (docs/worker.md). A crash, a hang or a runaway compile ends the child, never the caller.
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "run/runner.hpp"
#include "run/sandbox/sandbox.hpp"

namespace dojo::run {

struct CallRequest;
struct CallOutputs;

/// What a worker says. Exactly one of report / error is set at the end of a request.
struct WorkerEvent {
  enum Kind { progress, report, printed, failed, died } kind = progress;
  Progress at;
  Report report_;       ///< of `report`; with `died`, one run with status crash that says what happened
  std::string text;     ///< printed text; an error's one line
  int exit_status = 0;  ///< of CLI.md, for failed and died (71)
  std::shared_ptr<const StepTrace> steps;  ///< of a report whose request asked for a block's steps
  std::shared_ptr<const CodeListing>
      code;  ///< of an answer to a request for the code; then there is no report
  std::shared_ptr<const CallOutputs> outputs;  ///< of the report of a call
};

/// How the children of a client live.
struct WorkerOptions {
  std::string program;  ///< path of the warpdojo binary; empty: this process's own
  Sandbox sandbox;      ///< layers both children put on; none: as for one's own files
  bool warm = false;    ///< the compiler reads slow headers between requests: for sessions with many runs
  bool keep_references = false;  ///< of an enclosed runner: may add to the store of reference reports
  double compile_limit_s = 30;   ///< then the compiler is ended
  uint64_t memory_bytes = 0;     ///< of the runner; 0: a share of the machine's
};

/// Client of one worker child. Not thread safe; poll() never blocks, so a window may call it every frame.
class WorkerClient {
 public:
  /// `program`: path of the warpdojo binary (default: this process's own).
  explicit WorkerClient(std::string program = {});
  /// Children in a sandbox get an environment of a few known variables, and a private folder for their files.
  explicit WorkerClient(WorkerOptions);
  ~WorkerClient();
  /// Starts a request; starts the child if there is none. One at a time: throws Error when busy.
  void start(const RunRequest&);
  void start(const PlayRequest&);
  void start(const CallRequest&);
  bool busy() const;
  std::optional<WorkerEvent> poll();
  /// Ends both children, so that the next request starts new ones. Not while a request is under way.
  void renew();
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
/// The main loop of the long-lived child that compiles (`worker --compile`). `warm`: it reads slow headers
/// before the first request when that is late.
int compile_worker_main(bool warm);

}  // namespace dojo::run
