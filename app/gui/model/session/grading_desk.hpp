#pragma once
// A class's submissions in the window: opened, stepped through, run beside the reference, graded. Their files
// run in an enclosed worker, a fresh one for each student.
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "gui/model/session/runner.hpp"
#include "gui/model/teaching/submissions.hpp"

namespace dojo::gui {

class Session;

class GradingDesk {
 public:
  /// `wake` ends the window's wait, from any thread.
  GradingDesk(Session&, std::function<void()> wake);

  std::unique_ptr<Submissions> table;  ///< never null
  std::string course_file, secret;     ///< as typed; the secret is never kept
  bool trusted = false;                ///< no sandbox
  std::function<std::unique_ptr<Runner>(const run::WorkerOptions&)> make_enclosed = make_enclosed_runner;

  bool open(const std::string& path);
  void show(int row);  ///< shows the row's file; F5 runs it beside the reference
  void next(int direction);
  void grade();
  std::filesystem::path export_csv();  ///< into the data folder; returns the file, or empty

  /// What runs a submission that stands in for the open step's file. Throws Error when it can't be had (yet).
  Runner& runner_for(const StandIn&);

 private:
  Session& s_;
  std::unique_ptr<Runner> enclosed_;
  std::string enclosed_for_;
};

}  // namespace dojo::gui
