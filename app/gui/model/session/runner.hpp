#pragma once
// Who carries out runs: the worker child in the app, a stand-in with prepared reports in tests.
#include <memory>
#include <optional>

#include "run/worker/worker.hpp"

namespace dojo::gui {

class Runner {
 public:
  virtual ~Runner() = default;
  virtual void start(const run::RunRequest&) = 0;  ///< throws Error when busy or when no child can be started
  virtual bool busy() const = 0;
  virtual std::optional<run::WorkerEvent> poll() = 0;  ///< never blocks
  virtual void cancel() = 0;
};

/// Runs in a child process (run::WorkerClient) of this program, or of another file.
std::unique_ptr<Runner> make_worker_runner(const std::string& program = {});
/// The same, enclosed as the options say: for files that are not trusted.
std::unique_ptr<Runner> make_enclosed_runner(const run::WorkerOptions&);

}  // namespace dojo::gui
