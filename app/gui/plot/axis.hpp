#pragma once
// The mathematics of a plot, without a window: an axis (linear or logarithmic), its ticks, and the view
// that zooming, panning, box zoom and fit change.
#include <string>
#include <vector>

#include "core/text/numbers.hpp"

namespace dojo::gui {

/// One axis of a plot, in data units. On a logarithmic axis lo and hi are above zero.
struct Axis {
  double lo = 0, hi = 1;
  bool log = false;

  /// Position of a value between the ends, 0 at lo and 1 at hi (outside beyond). Values at or below zero
  /// are far to the left on a logarithmic axis.
  double to01(double v) const;
  double from01(double t) const;
  bool operator==(const Axis&) const = default;
};

struct Tick {
  double value = 0;
  std::string label;  ///< empty for a minor tick
  bool major = true;
};

/// Ticks at 1, 2 or 5 times a power of ten (linear), at powers of ten with minors between (logarithmic;
/// every second or so when there are many decades). At least `min_gap` pixels lie between labels.
std::vector<Tick> ticks(const Axis&, double pixels, double min_gap);

/// The view of a plot: what of the data is seen. `home` is what fit() returns to.
struct View {
  Axis x, y;
  Axis home_x, home_y;
  bool keep_y = false;      ///< only x zooms and pans (bars, timelines)
  bool moved = false;       ///< the person has zoomed or panned: new data doesn't refit
  double min_span = 1e-12;  ///< smallest width of x that zooming reaches

  /// Sets the home view; goes there unless the person has moved away.
  void set_home(const Axis& x, const Axis& y);
  void fit();
  /// Zooms by `factor` (< 1 is in) around a point given in 0..1 of the plot, y upwards.
  void zoom(double cx, double cy, double factor);
  /// Moves by a share of the plot's extent.
  void pan(double dx, double dy);
  /// Shows the box between two points in 0..1.
  void box(double x0, double y0, double x1, double y1);
};

/// Places of labels that would lie over one another: each as near to where it belongs as leaves `gap` between
/// them, in the order of where they belong.
std::vector<double> spread(const std::vector<double>& wanted, double gap);

/// A short form with an SI prefix: 4.19 M, 312 k, 1.24, 0.05. About three digits.
std::string si(double v, int digits = 3);
/// "2480 GB/s", "48.2 GB/s": one unit, so that figures compare at a glance.
std::string gbps_text(double gbps);
/// Microseconds in the unit that reads best: "812 ns", "41.3 µs", "1.24 ms", "2.1 s".
std::string time_text(double us);
/// A byte count: "16.8 MB" (powers of ten, as bandwidths are counted).
std::string bytes_text(double bytes);
/// Memory of a chip, in the units of its limits: "512 bytes", "47.5 KiB".
std::string kib_text(double bytes);
/// "2^22" for a power of two of at least 1024, else "".
std::string power_of_two(long long v);

}  // namespace dojo::gui
