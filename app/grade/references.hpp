#pragma once
// What grading knows of a step before the first submission: which hidden inputs are fit, how the reference
// does on them, and how the stored wrong versions fail. Made once, on first use, from the course's own files.
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/lab.hpp"
#include "core/report.hpp"
#include "grade/grader.hpp"
#include "run/worker.hpp"

namespace dojo::grade {

/// One run of a step: a seed, a size (empty: the step's own), with gates or without.
struct Input {
  uint64_t seed = 1;
  Size size;
  bool gates = false;
};

/// Runs one request in a worker: what grader.cpp's ask() does.
using Ask = std::function<Report(const run::RunRequest&)>;

class References {
 public:
  References(const Catalog&, const GradeOptions&);

  struct StepPlan {
    std::vector<Input>
        inputs;  ///< the first has the gates; those on which the reference doesn't pass are left out
    std::vector<RunReport> references;  ///< one an input
    /// Warp instructions after which a run counts as endless: many times the reference's, and the same on
    /// every machine. 0: not known.
    uint64_t most_instructions = 0;
  };
  /// Safe from several threads; `ask` runs the course's own files.
  const StepPlan& plan(const Step&, const CourseStep&, const Ask& ask);
  /// The words of the stored wrong version that fails as this run does; empty when none.
  std::string mistake(const Step&, size_t input, const RunReport& failed, const Ask& ask);
  /// A request for a file on an input, as grading makes it.
  run::RunRequest request(const Step&, const StepPlan&, const Input&, std::string name,
                          std::string source) const;

 private:
  struct Entry {
    std::once_flag once;
    StepPlan plan;
    std::mutex mutex;
    std::map<size_t, std::vector<std::pair<std::string, RunReport>>> mistakes;  ///< by input
  };
  void make(const Step&, const Size& pinned, Entry&, const Ask&) const;
  Entry& entry(const Step&);

  const Catalog& catalog_;
  const GradeOptions& options_;
  std::mutex mutex_;
  std::map<std::string, std::unique_ptr<Entry>> entries_;
};

}  // namespace dojo::grade
