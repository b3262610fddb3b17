// The icons, drawn from lines, so that they are sharp at every scale.
#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "gui/panels/widgets.hpp"

namespace dojo::gui {

void draw_icon(ImDrawList* d, Icon icon, ImVec2 c, float s, ImU32 col) {
  const float r = s / 2, w = std::max(1.2f, s * 0.11f);
  auto at = [&](float x, float y) { return ImVec2(c.x + x * r, c.y + y * r); };
  auto line = [&](float x0, float y0, float x1, float y1) { d->AddLine(at(x0, y0), at(x1, y1), col, w); };
  auto poly = [&](std::initializer_list<ImVec2> p, bool closed = false) {
    for (auto& q : p) d->PathLineTo(at(q.x, q.y));
    d->PathStroke(col, closed ? ImDrawFlags_Closed : 0, w);
  };
  switch (icon) {
    case Icon::check:
      poly({{-0.62f, 0.05f}, {-0.18f, 0.5f}, {0.66f, -0.48f}});
      break;
    case Icon::cross:
      line(-0.5f, -0.5f, 0.5f, 0.5f), line(-0.5f, 0.5f, 0.5f, -0.5f);
      break;
    case Icon::ring:
      d->AddCircle(c, r * 0.72f, col, 0, w);
      break;
    case Icon::half:
      d->AddCircle(c, r * 0.72f, col, 0, w);
      d->PathArcTo(c, r * 0.72f, float(M_PI) * 0.5f, float(M_PI) * 1.5f);
      d->PathFillConvex(col);
      break;
    case Icon::dot:
      d->AddCircleFilled(c, r * 0.5f, col);
      break;
    case Icon::play:
      d->AddTriangleFilled(at(-0.45f, -0.65f), at(0.7f, 0), at(-0.45f, 0.65f), col);
      break;
    case Icon::stop:
      d->AddRectFilled(at(-0.5f, -0.5f), at(0.5f, 0.5f), col, r * 0.15f);
      break;
    case Icon::menu:
      for (float y : {-0.5f, 0.0f, 0.5f}) line(-0.7f, y, 0.7f, y);
      break;
    case Icon::warning:
      poly({{0, -0.75f}, {0.8f, 0.65f}, {-0.8f, 0.65f}}, true);
      line(0, -0.22f, 0, 0.2f);
      d->AddCircleFilled(at(0, 0.42f), w * 0.6f, col);
      break;
    case Icon::info:
      d->AddCircle(c, r * 0.8f, col, 0, w);
      line(0, -0.05f, 0, 0.42f);
      d->AddCircleFilled(at(0, -0.38f), w * 0.65f, col);
      break;
    case Icon::bulb:
      d->AddCircle(at(0, -0.2f), r * 0.5f, col, 0, w);
      line(-0.22f, 0.5f, 0.22f, 0.5f), line(-0.16f, 0.78f, 0.16f, 0.78f);
      break;
    case Icon::fit:
      poly({{-0.7f, -0.25f}, {-0.7f, -0.7f}, {-0.25f, -0.7f}}),
          poly({{0.25f, -0.7f}, {0.7f, -0.7f}, {0.7f, -0.25f}});
      poly({{0.7f, 0.25f}, {0.7f, 0.7f}, {0.25f, 0.7f}}),
          poly({{-0.25f, 0.7f}, {-0.7f, 0.7f}, {-0.7f, 0.25f}});
      break;
    case Icon::table:
      d->AddRect(at(-0.7f, -0.6f), at(0.7f, 0.6f), col, r * 0.1f, 0, w);
      line(-0.7f, -0.15f, 0.7f, -0.15f), line(-0.15f, -0.6f, -0.15f, 0.6f);
      break;
    case Icon::picture:
      d->AddRect(at(-0.75f, -0.6f), at(0.75f, 0.6f), col, r * 0.15f, 0, w);
      poly({{-0.6f, 0.4f}, {-0.15f, -0.1f}, {0.15f, 0.2f}, {0.35f, 0.0f}, {0.62f, 0.35f}});
      break;
    case Icon::question:
      d->PathArcTo(at(0, -0.28f), r * 0.34f, float(M_PI), float(M_PI) * 2.5f);
      d->PathLineTo(at(0, 0.3f));
      d->PathStroke(col, 0, w);
      d->AddCircleFilled(at(0, 0.62f), w * 0.7f, col);
      break;
    case Icon::chevron_left:
      poly({{0.2f, -0.5f}, {-0.3f, 0}, {0.2f, 0.5f}});
      break;
    case Icon::chevron_right:
      poly({{-0.2f, -0.5f}, {0.3f, 0}, {-0.2f, 0.5f}});
      break;
    case Icon::chevron_down:
      poly({{-0.5f, -0.2f}, {0, 0.3f}, {0.5f, -0.2f}});
      break;
    case Icon::eye:
      d->PathArcTo(at(0, 0.55f), r * 0.95f, float(M_PI) * 1.2f, float(M_PI) * 1.8f);
      d->PathArcTo(at(0, -0.55f), r * 0.95f, float(M_PI) * 0.2f, float(M_PI) * 0.8f);
      d->PathStroke(col, ImDrawFlags_Closed, w);
      d->AddCircleFilled(c, r * 0.22f, col);
      break;
    case Icon::lock:
      d->AddRectFilled(at(-0.5f, -0.05f), at(0.5f, 0.65f), col, r * 0.15f);
      d->PathArcTo(at(0, -0.1f), r * 0.34f, float(M_PI), float(M_PI) * 2);
      d->PathStroke(col, 0, w);
      break;
    case Icon::pencil:
      poly({{-0.6f, 0.65f}, {-0.5f, 0.2f}, {0.35f, -0.65f}, {0.65f, -0.35f}, {-0.2f, 0.5f}}, true);
      break;
    case Icon::arrow_right:
      line(-0.65f, 0, 0.6f, 0), poly({{0.15f, -0.45f}, {0.6f, 0}, {0.15f, 0.45f}});
      break;
  }
}

}  // namespace dojo::gui
