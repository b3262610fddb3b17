#pragma once
// What grading knows of a step before the first submission: which hidden inputs are fit, how the reference
// does on them, and how the stored wrong versions fail. Made once, on first use, from the course's own files;
// on a cluster by one task for all.
#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/labs/lab.hpp"
#include "core/report.hpp"
#include "grade/grader.hpp"
#include "run/worker/worker.hpp"

namespace dojo::grade {

/// One run of a step: a seed, a size (empty: the step's own), with gates or without.
struct Input {
  uint64_t seed = 1;
  Size size;
  bool gates = false;
};

/// Runs one request in a worker: what grader.cpp's ask() does.
using Ask = std::function<Report(const run::RunRequest&)>;

/// Warp instructions after which a run counts as endless, from those of the reference.
uint64_t most_instructions(double of_the_reference);

/// The course's own: the reference of a step passes on none of its inputs. Ends the batch.
struct CourseFailure : Error {
  explicit CourseFailure(const std::string& what) : Error(what, 71) {}
};

class References {
 public:
  References(const Catalog&, const GradeOptions&);

  struct StepPlan {
    std::vector<Input>
        inputs;  ///< the first has the gates; those on which the reference doesn't pass are left out
    std::vector<RunReport> references;  ///< one an input
    Starter starter;                    ///< the unsolved file on the first input
    Report starter_report;              ///< no runs: there is no unsolved file
    /// Warp instructions after which a run counts as endless: many times the reference's, and the same on
    /// every machine. 0: not known.
    uint64_t most_instructions = 0;
    std::vector<std::string> notes;  ///< for the instructor: an input left out, and why
  };
  /// How a stored wrong version failed.
  struct Mistake {
    std::string words, source;
    RunReport run;
  };
  /// Safe from several threads; `ask` runs the course's own files. Throws CourseFailure.
  const StepPlan& plan(const Step&, const CourseStep&, const Ask& ask);
  /// Another thread or task is making it: plan() would wait.
  bool being_made(const Step&);
  /// The words of the stored wrong version that fails as this run does; empty when none.
  std::string mistake(const Step&, size_t input, const RunReport& failed, const std::string& source,
                      const Ask& ask);
  /// A request for a file on an input, as grading makes it.
  run::RunRequest request(const Step&, const StepPlan&, const Input&, std::string name,
                          std::string source) const;

 private:
  struct Entry {
    std::once_flag once;
    std::atomic<bool> begun = false, there = false;
    StepPlan plan;
    std::mutex mutex;
    std::map<size_t, std::vector<Mistake>> mistakes;  ///< by input
  };
  StepPlan make(const Step&, const Size& pinned, const Ask&) const;
  Report run_starter(const Step&, const StepPlan&, const Ask&) const;
  StepPlan made_once(const Step&, const Size& pinned, const Ask&) const;
  std::vector<Mistake> run_mistakes(const Step&, const StepPlan&, size_t input, const Ask&) const;
  Entry& entry(const Step&);

  const Catalog& catalog_;
  const GradeOptions& options_;
  std::mutex mutex_;
  std::map<std::string, std::unique_ptr<Entry>> entries_;
};

/// As the tasks of an array job hand them on. Reading throws Error on anything else.
std::string to_json(const References::StepPlan&);
std::string to_json(const std::vector<References::Mistake>&);
References::StepPlan plan_from_json(const std::string&);
std::vector<References::Mistake> mistakes_from_json(const std::string&);
/// What the tasks that share a folder had to say of the inputs, in the order of steps' names.
std::vector<std::string> notes_of_plans(const fs::path& folder);

}  // namespace dojo::grade
