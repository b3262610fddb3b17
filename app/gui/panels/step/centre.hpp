#pragma once
// The middle of the window: its tabs, and the panel that the chosen one shows.
#include "gui/panels/window_state.hpp"

namespace dojo::gui {

class BriefPanel;
class InstructorPanel;
class RunsTab;
class SourcePanel;

class CentrePanel {
 public:
  CentrePanel(WindowState& w, BriefPanel& brief, SourcePanel& source, RunsTab& runs,
              InstructorPanel& instructor)
      : s_(w.s), window_(w), brief_(brief), source_(source), runs_(runs), instructor_(instructor) {}
  void draw();

 private:
  void tabs();

  Session& s_;
  WindowState& window_;
  BriefPanel& brief_;
  SourcePanel& source_;
  RunsTab& runs_;
  InstructorPanel& instructor_;
};

}  // namespace dojo::gui
