#pragma once
// For instructors: runs another file instead of the student's, shows all gates, and runs a whole lab.
#include "gui/panels/window_state.hpp"

namespace dojo::gui {

class InstructorPanel {
 public:
  explicit InstructorPanel(WindowState& w) : s_(w.s), window_(w) {}
  void draw();
  void strip();   ///< above the tab: names the file that runs instead of the student's
  void source();  ///< its text, shown instead of the student's

 private:
  void choices();
  void gates();
  void lab_controls();
  void lab_progress();
  void lab_table();
  void open_row(const LabRow&);

  Session& s_;
  WindowState& window_;
};

}  // namespace dojo::gui
