#pragma once
// The list of labs and steps at the left.
#include <string>

#include "gui/model/session/session.hpp"

namespace dojo::gui {

class Rail {
 public:
  explicit Rail(Session& s) : s_(s) {}
  void draw();

 private:
  void draw_lab(const Lab&);

  Session& s_;
  bool rail_scroll_ = true;
  std::string rail_step_;
};

}  // namespace dojo::gui
