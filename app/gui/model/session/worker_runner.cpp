#include "gui/model/session/runner.hpp"

namespace dojo::gui {

namespace {
class WorkerRunner final : public Runner {
 public:
  explicit WorkerRunner(const run::WorkerOptions& o) : client_(o) {}
  void start(const run::RunRequest& r) override { client_.start(r); }
  bool busy() const override { return client_.busy(); }
  std::optional<run::WorkerEvent> poll() override { return client_.poll(); }
  void cancel() override { client_.cancel(); }

 private:
  run::WorkerClient client_;
};
}  // namespace

std::unique_ptr<Runner> make_worker_runner(const std::string& program) {
  run::WorkerOptions o;
  o.program = program;
  o.warm = true;
  return std::make_unique<WorkerRunner>(o);
}
std::unique_ptr<Runner> make_enclosed_runner(const run::WorkerOptions& o) {
  return std::make_unique<WorkerRunner>(o);
}

}  // namespace dojo::gui
