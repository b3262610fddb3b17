#pragma once
// The last run's result: verdict, printed text, first finding, gates, times, one advice.
#include "gui/panels/window_state.hpp"

namespace dojo::gui {

class BriefPanel;

/// Microseconds that a run took, as far as it came: a stopped run's clock may lack kernels that ended.
double run_us(const RunReport&);

class ResultPanel {
 public:
  ResultPanel(WindowState& w, BriefPanel& brief) : s_(w.s), window_(w), brief_(brief) {}
  void draw();

 private:
  void not_run();
  /// The verdict in a line, its detail below it.
  void head(const Headline&);
  void card_head();
  float head_words(float x, float top, float width, const std::string&);
  /// A link that runs the step on the device its file names, by that device's title. True when pressed.
  bool run_on_own_device();
  void recorded(const RunReport& reference);  ///< shown instead of a verdict for a recorded run
  void next_card();
  // run_times.cpp
  void printed_text(const RunReport&);
  void kernel_table(const RunReport&);  ///< for a whole program, not a step
  void run_times(const RunReport&, const RunReport* reference);
  void advice();
  // findings.cpp
  void findings(const RunReport&);
  void mismatches(const RunReport&);
  void gates(const RunReport&);

  Session& s_;
  WindowState& window_;
  BriefPanel& brief_;
};

}  // namespace dojo::gui
