#pragma once
// Two runs against each other: their times on one axis, the ratio and how far it can be off.
#include <string>

#include "core/report.hpp"

namespace dojo::gui {

struct Ratio {
  bool known = false;  ///< both have a time
  double value = 0;    ///< B's time over A's
  double
      lo = 0,
      hi = 0;  ///< from the spreads: B's least over A's most, and the other way round; equal without a spread
  std::string text;  ///< "B takes 1.28 × A's time (1.25 to 1.31)."
};
/// Modelled times have no spread. A modelled time and a measured one are not compared: `text` says so.
Ratio compare_times(const RunReport& a, const RunReport& b);

}  // namespace dojo::gui
