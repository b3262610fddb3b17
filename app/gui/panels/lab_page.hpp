#pragma once
// A lab's own page: its brief, its steps with their states, and its curve once steps are passed.
#include <imgui.h>

#include <string>
#include <vector>

#include "gui/model/plots/lab_curve.hpp"
#include "gui/model/session/session.hpp"
#include "gui/model/text/markdown.hpp"

namespace dojo::gui {

struct LabPage {
  void draw(Session&, const Lab&);
  ImVec4 curve_area{};                ///< where the curve was drawn last; empty: no step of the lab is passed
  ImVec4 legend_area{}, unit_area{};  ///< of its words above it

 private:
  void steps(Session&, const Lab&, float width);
  void curve(float width);
  std::string of_;  ///< lab and number of runs that brief_ and curve_ are of
  std::vector<MdBlock> brief_;
  LabCurve curve_;
};

}  // namespace dojo::gui
