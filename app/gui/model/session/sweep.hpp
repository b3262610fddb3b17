#pragma once
// Runs over several sizes: the points of a step's curve, and the runs that are still to be made.
#include <string>
#include <utility>
#include <vector>

#include "core/labs/lab.hpp"
#include "gui/plot/table.hpp"

namespace dojo::gui {

/// One point of a size sweep.
struct SweepPoint {
  Size size;
  double x = 0;  ///< the value that the curve runs over, or the product of the extents
  double student_us = 0, reference_us = 0;
  double student = 0, reference = 0;  ///< what the curve shows (GB/s when the step has none of its own)
  bool right = false;
};
/// One run that a sweep still has to make; `tier` names the other step whose reference it is.
struct SweepJob {
  Size size;
  double x = 0;
  std::string tier;
};
struct Sweep {
  std::string step;
  std::string x_label = "elements", y_label = "GB/s";
  std::vector<SweepJob> todo;
  SweepJob now;
  std::vector<SweepPoint> points;
  /// Curves of the references of the lab's other steps, by step: x and y.
  std::vector<std::pair<std::string, std::vector<std::pair<double, double>>>> tiers;
  size_t total = 0, done = 0;
  bool running = false;
  std::string stopped;  ///< why it ended before its last size, and what to do; empty: it did not
};

/// A sweep's points, tiers included: what its "copy as CSV" gives.
Table sweep_table(const Sweep&);

}  // namespace dojo::gui
