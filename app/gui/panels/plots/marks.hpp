#pragma once
// The marks of points in plots with two real axes.
#include "gui/panels/plots/plots.hpp"
#include "gui/panels/widgets.hpp"

namespace dojo::gui {

/// Small words on the plot's own ground: no line of the grid crosses them.
inline void text_on_ground(ImDrawList* d, ImVec2 at, const std::string& words) {
  const ImVec2 z = text_size(fonts().small, words);
  d->AddRectFilled({at.x - px(2), at.y - px(1)}, {at.x + z.x + px(2), at.y + z.y + px(1)}, theme().panel);
  text_at(d, fonts().small, at, theme().muted, words);
}

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
