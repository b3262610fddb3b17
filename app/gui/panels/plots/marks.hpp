#pragma once
// The marks of points in plots with two real axes.
#include "gui/panels/plots/plots.hpp"
#include "gui/panels/widgets.hpp"

namespace dojo::gui {

/// Series differ in shape as well as in colour, and none hides another: the student is a disc, the reference
/// a wider open diamond, a library a still wider open square.
inline void point(const PlotArea& a, float x, float y, Series s, bool large = false) {
  auto& t = theme();
  const float r = large ? px(5) : px(3.2f), line = large ? px(2) : px(1.6f), out = r * 2.3f, side = r * 2.2f;
  if (s == Series::reference)
    a.draw->AddQuad({x, y - out}, {x + out, y}, {x, y + out}, {x - out, y}, t.of(s), line);
  else if (s == Series::library)
    a.draw->AddRect({x - side, y - side}, {x + side, y + side}, t.of(s), 0, 0, line);
  else
    a.draw->AddCircleFilled({x, y}, r, t.of(s));
}

}  // namespace dojo::gui
