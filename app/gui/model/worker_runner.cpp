#include "gui/model/runner.hpp"

namespace dojo::gui {

namespace {
class WorkerRunner final : public Runner {
 public:
  void start(const run::RunRequest& r) override { client_.start(r); }
  bool busy() const override { return client_.busy(); }
  std::optional<run::WorkerEvent> poll() override { return client_.poll(); }
  void cancel() override { client_.cancel(); }

 private:
  run::WorkerClient client_;
};
}  // namespace

std::unique_ptr<Runner> make_worker_runner() { return std::make_unique<WorkerRunner>(); }

}  // namespace dojo::gui
