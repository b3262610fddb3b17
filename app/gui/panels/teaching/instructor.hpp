#pragma once
// For instructors: what runs in the place of the student's file, all gates, a whole lab.
#include "gui/panels/window_state.hpp"

namespace dojo::gui {

class InstructorPanel {
 public:
  explicit InstructorPanel(WindowState& w) : s_(w.s), window_(w) {}
  void draw();
  void strip();   ///< above the tab: what stands in for the student's file
  void source();  ///< its text, in the place of the student's

 private:
  void lab_table();

  Session& s_;
  WindowState& window_;
};

}  // namespace dojo::gui
