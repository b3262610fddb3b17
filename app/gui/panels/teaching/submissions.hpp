#pragma once
// A class's submissions: where they are, and one row per student and step.
#include "gui/panels/window_state.hpp"

namespace dojo::gui {

class SubmissionsPanel {
 public:
  explicit SubmissionsPanel(WindowState& w) : s_(w.s), window_(w) {}
  void draw();

 private:
  void head(float width);
  void table();

  Session& s_;
  WindowState& window_;
  char submissions_path_[512] = {}, course_path_[512] = {}, secret_[128] = {};
  std::string submissions_shown_;
  int drawn_at_ = -2;  ///< the last frame that drew it
};

}  // namespace dojo::gui
