#pragma once
// The curve of a lab: speed by step, the student's and the reference's, from the last passing run of each
// step.
#include <functional>
#include <string>
#include <vector>

#include "core/labs/lab.hpp"
#include "gui/model/session/store.hpp"

namespace dojo::gui {

struct LabCurve {
  struct Point {
    std::string step, label;  ///< id, and the number under the axis
    double student = 0, reference = 0;
  };
  std::vector<Point> points;  ///< of passed steps, in the lab's order
  std::string unit;           ///< of all points: "GB/s", or "× step 3's reference" where bytes say nothing
  std::string device;         ///< that the runs are of
};

/// `runs_of` gives the earlier runs of a step, oldest first. Only runs on one device count: the one that most
/// passed steps have.
LabCurve lab_curve(const Lab&, const std::function<std::vector<PastRun>(const std::string& step)>& runs_of);

}  // namespace dojo::gui
