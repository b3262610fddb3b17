#pragma once
// The list of labs and steps at the left.
#include <string>
#include <vector>

#include "gui/panels/window_state.hpp"

namespace dojo::gui {

class Rail {
 public:
  Rail(Session& s, WindowState& window) : s_(s), window_(window) {}
  void draw();

 private:
  /// One heading and what stands below it: a lab's steps, all own programs, or all stored reports.
  void group(const std::vector<const Lab*>&);
  void heading(const Lab&, const std::string& title, bool folded);
  void step_row(const Lab&, const Step&);

  Session& s_;
  WindowState& window_;
  bool rail_scroll_ = true;
  std::string rail_step_;
  float rail_scale_ = 0;
};

}  // namespace dojo::gui
