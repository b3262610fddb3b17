#pragma once
// Earlier runs of this step, and any two of them compared.
#include "gui/panels/window_state.hpp"

namespace dojo::gui {

class Plots;

class RunsTab {
 public:
  RunsTab(WindowState& w, Plots& plots) : s_(w.s), window_(w), plots_(plots) {}
  void draw();

 private:
  void compare_plot(const PastRun& a, const PastRun& b);

  Session& s_;
  WindowState& window_;
  Plots& plots_;
  int compare_a_ = -1, compare_b_ = -1;
  bool runs_source_ = false;  ///< compares the two runs' sources, not their counters
};

}  // namespace dojo::gui
