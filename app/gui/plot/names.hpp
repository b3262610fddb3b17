#pragma once
// Places for the names of curves: beside a curve's end, where neither a curve nor another name is. A name
// without such a place is left out: a cut or covered one says less than none.
//
// Example: two curves that end at (100, 50) and (100, 54), names 16 high. The first name stands right of its
// end, at y 42 to 58. The second would lie over it there, and so stands at 58 to 74, below.
#include <optional>
#include <vector>

namespace dojo::gui {

struct Point2 {
  double x = 0, y = 0;
};
/// In pixels, y downwards.
struct Box {
  Point2 min, max;
};

/// Does the straight line between two points touch the box?
bool crosses(Point2 from, Point2 to, const Box&);

class NameRoom {
 public:
  explicit NameRoom(Box area) : area_(area) {}
  /// Names keep `away` pixels from the lines between these points.
  void add_curve(const std::vector<Point2>& points, double away);
  /// Nothing else stands here.
  void take(const Box& box) { taken_.push_back(box); }
  /// A place for a name of this size beside a curve's end, `gap` pixels from it; takes it.
  std::optional<Box> place(Point2 end, Point2 size, double gap);

 private:
  struct Line {
    Point2 from, to;
    double away = 0;
  };
  bool free(const Box&) const;
  Box area_;
  std::vector<Line> lines_;
  std::vector<Box> taken_;
};

}  // namespace dojo::gui
