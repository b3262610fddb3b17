// Places for the names of curves: a few candidates around the end, tested against every line and name.
#include "gui/plot/names.hpp"

#include <algorithm>

namespace dojo::gui {

namespace {
bool overlap(const Box& a, const Box& b) {
  return a.min.x < b.max.x && b.min.x < a.max.x && a.min.y < b.max.y && b.min.y < a.max.y;
}

Box wider(const Box& b, double by) { return {{b.min.x - by, b.min.y - by}, {b.max.x + by, b.max.y + by}}; }
}  // namespace

// Liang and Barsky: the part of the line that lies between each pair of parallel edges.
bool crosses(Point2 from, Point2 to, const Box& box) {
  double enter = 0, leave = 1;
  const auto between = [&](double start, double step, double lo, double hi) {
    if (step == 0) return start >= lo && start <= hi;
    const double a = (lo - start) / step, b = (hi - start) / step;
    enter = std::max(enter, std::min(a, b));
    leave = std::min(leave, std::max(a, b));
    return enter <= leave;
  };
  return between(from.x, to.x - from.x, box.min.x, box.max.x) &&
         between(from.y, to.y - from.y, box.min.y, box.max.y);
}

void NameRoom::add_curve(const std::vector<Point2>& points, double away) {
  for (size_t k = 1; k < points.size(); ++k) lines_.push_back({points[k - 1], points[k], away});
  if (points.size() == 1) lines_.push_back({points[0], points[0], away});
}

bool NameRoom::free(const Box& b) const {
  if (b.min.x < area_.min.x || b.max.x > area_.max.x || b.min.y < area_.min.y || b.max.y > area_.max.y)
    return false;
  return std::none_of(taken_.begin(), taken_.end(), [&](auto& t) { return overlap(b, t); }) &&
         std::none_of(lines_.begin(), lines_.end(),
                      [&](auto& l) { return crosses(l.from, l.to, wider(b, l.away)); });
}

std::optional<Box> NameRoom::place(Point2 end, Point2 size, double gap) {
  const double right = end.x + gap, level = end.y - size.y / 2;
  std::vector<Point2> tried;
  for (double by : {0.0, 0.5, -0.5, 1.0, -1.0}) tried.push_back({right, level + by * size.y});
  // Above or below the curve's last part, where the plot ends right of it.
  tried.push_back({end.x - size.x, end.y - gap - size.y});
  tried.push_back({end.x - size.x, end.y + gap});
  for (const Point2& at : tried) {
    const Box box{at, {at.x + size.x, at.y + size.y}};
    if (!free(box)) continue;
    take(box);
    return box;
  }
  return std::nullopt;
}

}  // namespace dojo::gui
