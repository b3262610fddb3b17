#pragma once
// Carries out the jobs of a line, one after the other, in the window's worker.
#include "gui/model/session/jobs.hpp"

namespace dojo::gui {

class Session;

class JobQueue {
 public:
  explicit JobQueue(Session& s) : s_(s) {}
  bool start(JobLine);  ///< false (and a toast) when something runs already
  const JobLine& line() const { return line_; }
  /// What the worker said at the end of the job that ran.
  void take(const run::WorkerEvent&, bool cancelled);

 private:
  void next();
  void end(bool whole);

  Session& s_;
  JobLine line_;
};

}  // namespace dojo::gui
