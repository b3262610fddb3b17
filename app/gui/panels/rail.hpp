#pragma once
// The list of labs and steps at the left.
#include "gui/panels/window_state.hpp"

namespace dojo::gui {

class Rail {
 public:
  explicit Rail(WindowState& w) : s_(w.s), window_(w) {}
  void draw();

 private:
  void draw_lab(const Lab&);

  Session& s_;
  WindowState& window_;
  bool rail_scroll_ = true;
  std::string rail_step_;
};

}  // namespace dojo::gui
