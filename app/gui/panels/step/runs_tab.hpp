#pragma once
// Earlier runs of this step, and any two of them compared.
#include <vector>

#include "gui/panels/window_state.hpp"

namespace dojo::gui {

class Plots;

class RunsTab {
 public:
  RunsTab(WindowState& w, Plots& plots) : s_(w.s), window_(w), plots_(plots) {}
  void draw();

 private:
  /// The table of runs; the index of the text whose Restore was clicked, else -1.
  int list(const std::vector<PastRun>& history);
  void pick_cell(int i);
  void run_cells(const PastRun&, const RunReport&, bool narrow);
  bool text_cells(const PastRun&, int i, bool narrow);  ///< of a text that never ran; true: restore it
  void place(const char* name);
  void comparison(const PastRun& a, const PastRun& b);
  bool restore(const char* label, const PastRun&);  ///< true: clicked, and restored
  void counters(const PastRun& a, const PastRun& b);
  void compare_plot(const PastRun& a, const PastRun& b);

  Session& s_;
  WindowState& window_;
  Plots& plots_;
  int compare_a_ = -1, compare_b_ = -1;
  bool runs_source_ = false;  ///< compares the two runs' sources, not their counters
};

}  // namespace dojo::gui
