#pragma once
// What is graded and for how many points: a course.toml, or every step of the catalog for ten points each.
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/labs/lab.hpp"

namespace dojo::grade {

struct Roster;

constexpr double most_points = 1e6;  ///< of a step: sums stay numbers that every export can write

struct CourseStep {
  std::string step;                    ///< id: "reduce/5-sequential"
  double points = 10;                  ///< default: the lab's own ("points" among a step's params), else ten
  std::string deadline;                ///< "2026-10-01T23:59"; costs points only with [late]
  int stage = 1;                       ///< a handout of a later stage holds it (handout.hpp)
  bool hidden = false;                 ///< exports say only the points
  std::string visibility = "visible";  ///< on Gradescope: visible, after_due_date, after_published, hidden
  Size size;  ///< pinned; empty: the lab's own. Gates are judged where the lab says, whatever it is
  double correct_share = -1;                   ///< of this step; below 0: the course's
  std::map<std::string, double> gate_weights;  ///< by the gate's text; left out: the lab's
};

/// What lateness costs: `per_day` of the points for each begun day, nothing counts after `days`.
struct LateRule {
  double per_day = 0.1;
  int days = 7;
  int grace_minutes = 0;
};

struct Course {
  std::string title = "WarpDojo";
  std::vector<CourseStep> steps;
  std::string device;         ///< pinned; empty: each step's own
  std::string model_version;  ///< pinned; grading refuses to start with another. Empty: any
  double correct_share =
      0.6;                   ///< of the points, for right results without findings; the gates share the rest
  int seeds = 2;             ///< inputs each step is run on, the visible one included
  double time_limit_s = 60;  ///< per run, of processor time: for what the limit of instructions doesn't end
  double compile_limit_s = 30;           ///< per compile, of processor time
  int memory_mb = 6144;                  ///< per run
  std::optional<LateRule> late;          ///< none: deadlines are shown, not enforced
  int drop_lowest = 0;                   ///< so many steps of the lowest share are in no total
  bool solved_starters = false;          ///< a handout may hold a starter with another step's solution
  std::shared_ptr<const Roster> roster;  ///< for exports that name people; null: none
  std::string sandbox;                   ///< the layers that grading found active; for exports
};

/// Reads a course.toml (docs/instructor.md). Throws Error with file and line.
Course load_course(const fs::path&, const Catalog&);
/// Gradescope's words for who sees a test, and when.
const std::vector<std::string>& visibilities();
/// What must hold before anything is graded or handed out: the pinned model version and device are this
/// program's, every step of the course has a reference. Throws Error.
void check_course(const Course&, const Catalog&);
/// All steps of the catalog.
Course whole_catalog(const Catalog&);

}  // namespace dojo::grade
