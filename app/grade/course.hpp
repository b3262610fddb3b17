#pragma once
// What is graded and for how many points: a course.toml, or every step of the catalog for ten points each.
#include <map>
#include <string>
#include <vector>

#include "core/lab.hpp"

namespace dojo::grade {

struct CourseStep {
  std::string step;                    ///< id: "reduce/5-sequential"
  double points = 10;                  ///< default: the lab's own ("points" among a step's params), else ten
  std::string deadline;                ///< "2026-10-01T23:59": shown in exports, not enforced
  bool hidden = false;                 ///< exports say only the points
  std::string visibility = "visible";  ///< on Gradescope: visible, after_due_date, after_published, hidden
  Size size;  ///< pinned; empty: the lab's own. Gates are judged where the lab says, whatever it is
  double correct_share = -1;                   ///< of this step; below 0: the course's
  std::map<std::string, double> gate_weights;  ///< by the gate's text; left out: the lab's
};

struct Course {
  std::string title = "WarpDojo";
  std::vector<CourseStep> steps;
  std::string device;         ///< pinned; empty: each step's own
  std::string model_version;  ///< pinned; grading refuses to start with another. Empty: any
  double correct_share =
      0.6;                   ///< of the points, for right results without findings; the gates share the rest
  int seeds = 2;             ///< inputs each step is run on, the visible one included
  double time_limit_s = 60;  ///< per run, by the clock: for what the limit of instructions doesn't end
  double compile_limit_s = 30;  ///< per compile, of processor time
  int memory_mb = 6144;         ///< per run
  std::string sandbox;          ///< the layers that grading found active; for exports
};

/// Reads a course.toml (docs/instructor.md). Throws Error with file and line.
Course load_course(const fs::path&, const Catalog&);
/// Gradescope's words for who sees a test, and when.
const std::vector<std::string>& visibilities();
/// All steps of the catalog.
Course whole_catalog(const Catalog&);

}  // namespace dojo::grade
