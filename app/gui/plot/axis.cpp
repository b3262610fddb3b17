#include "gui/plot/axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace dojo::gui {

double Axis::to01(double v) const {
  if (log) {
    if (v <= 0) return -1e6;
    double a = std::log10(lo), b = std::log10(hi);
    return b > a ? (std::log10(v) - a) / (b - a) : 0;
  }
  return hi > lo ? (v - lo) / (hi - lo) : 0;
}

double Axis::from01(double t) const {
  if (log) return std::pow(10.0, std::log10(lo) + t * (std::log10(hi) - std::log10(lo)));
  return lo + t * (hi - lo);
}

namespace {
std::vector<Tick> linear_ticks(const Axis& a, double pixels, double min_gap) {
  std::vector<Tick> out;
  double span = a.hi - a.lo;
  if (!(span > 0) || pixels < 1) return out;
  double raw = span * min_gap / pixels, base = std::pow(10.0, std::floor(std::log10(raw))), step = base;
  for (double m : {1.0, 2.0, 5.0, 10.0})
    if (base * m >= raw * 0.999999) {
      step = base * m;
      break;
    }
  int decimals = std::max(0, int(std::ceil(-std::log10(step) - 1e-9)));
  for (double k = std::ceil(a.lo / step - 1e-9); k * step <= a.hi + step * 1e-9; ++k) {
    double v = k * step;
    if (std::fabs(v) < step * 1e-6) v = 0;
    // One rule for a whole axis: prefixes from 10,000 on, else just the decimals that the step needs.
    double big = std::max(std::fabs(a.lo), std::fabs(a.hi));
    out.push_back({v, big >= 10000 ? si(v, 4) : fmt::format("{:.{}f}", v, std::min(decimals, 9)), true});
    if (out.size() > 200) break;
  }
  return out;
}

std::vector<Tick> log_ticks(const Axis& a, double pixels, double min_gap) {
  std::vector<Tick> out;
  if (!(a.lo > 0) || !(a.hi > a.lo)) return out;
  double l0 = std::log10(a.lo), l1 = std::log10(a.hi), decades = l1 - l0;
  double per_decade = pixels / decades;
  if (per_decade < min_gap) {
    int every = std::max(1, int(std::ceil(min_gap / per_decade)));
    for (int e = int(std::ceil(l0 - 1e-9)); e <= l1 + 1e-9; ++e)
      out.push_back({std::pow(10.0, e), e % every == 0 ? si(std::pow(10.0, e)) : "", e % every == 0});
    return out;
  }
  // 1, 2 and 5 get labels when there is room; the others are minor.
  bool two_five = per_decade * 0.22 >= min_gap;
  bool dense = decades < 0.9;  // less than a decade: label what linear ticks would
  if (dense) return linear_ticks({a.lo, a.hi, false}, pixels, min_gap);
  for (int e = int(std::floor(l0)); e <= int(std::ceil(l1)); ++e)
    for (int m = 1; m <= 9; ++m) {
      double v = m * std::pow(10.0, e);
      if (v < a.lo * (1 - 1e-9) || v > a.hi * (1 + 1e-9)) continue;
      bool label = m == 1 || (two_five && (m == 2 || m == 5));
      out.push_back({v, label ? si(v) : "", m == 1});
    }
  return out;
}
}  // namespace

std::vector<Tick> ticks(const Axis& a, double pixels, double min_gap) {
  return a.log ? log_ticks(a, pixels, min_gap) : linear_ticks(a, pixels, min_gap);
}

void View::set_home(const Axis& hx, const Axis& hy) {
  home_x = hx;
  home_y = hy;
  if (!moved) fit();
  x.log = hx.log;
  y.log = hy.log;
}

void View::fit() {
  x = home_x;
  y = home_y;
  moved = false;
}

namespace {
void zoom_axis(Axis& a, double c, double f, double min_span) {
  Axis old = a;
  double lo = old.from01(c - c * f), hi = old.from01(c + (1 - c) * f);
  if (!std::isfinite(lo) || !std::isfinite(hi) || hi - lo < min_span || hi - lo > 1e15) return;
  if (a.log && (lo < 1e-15 || hi / lo < 1.0001)) return;
  a.lo = lo;
  a.hi = hi;
}
void pan_axis(Axis& a, double d) {
  Axis old = a;
  a.lo = old.from01(-d);
  a.hi = old.from01(1 - d);
}
}  // namespace

void View::zoom(double cx, double cy, double f) {
  zoom_axis(x, cx, f, min_span);
  if (!keep_y) zoom_axis(y, cy, f, 1e-12);
  moved = true;
}

void View::pan(double dx, double dy) {
  pan_axis(x, dx);
  if (!keep_y) pan_axis(y, dy);
  moved = true;
}

void View::box(double x0, double y0, double x1, double y1) {
  if (x0 > x1) std::swap(x0, x1);
  if (y0 > y1) std::swap(y0, y1);
  Axis ox = x, oy = y;
  double a = ox.from01(x0), b = ox.from01(x1);
  if (b - a < min_span) return;
  x.lo = a;
  x.hi = b;
  if (!keep_y && oy.from01(y1) > oy.from01(y0)) {
    y.lo = oy.from01(y0);
    y.hi = oy.from01(y1);
  }
  moved = true;
}

namespace {
std::string digits_of(double v, int digits) {
  double a = std::fabs(v);
  int whole = a >= 1 ? int(std::floor(std::log10(a) + 1e-12)) + 1 : 1;
  return without_trailing_zeros(fmt::format("{:.{}f}", v, std::max(0, digits - whole)));
}
}  // namespace

std::vector<double> spread(const std::vector<double>& wanted, double gap) {
  std::vector<size_t> order(wanted.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return wanted[a] < wanted[b]; });
  // Groups that touch are laid out around the mean of where they belong, and may then touch the group before.
  struct Group {
    double sum = 0;
    int n = 0;
    double gap = 0;
    double first() const { return sum / n - gap * (n - 1) / 2; }
  };
  std::vector<Group> groups;
  for (size_t i : order) {
    groups.push_back({wanted[i], 1, gap});
    while (groups.size() > 1) {
      auto &a = groups[groups.size() - 2], &b = groups.back();
      if (a.first() + a.n * gap <= b.first() + 1e-9) break;
      a.sum += b.sum, a.n += b.n;
      groups.pop_back();
    }
  }
  std::vector<double> out(wanted.size());
  size_t at = 0;
  for (auto& g : groups)
    for (int k = 0; k < g.n; ++k) out[order[at++]] = g.first() + gap * k;
  return out;
}

std::string si(double v, int digits) {
  if (!std::isfinite(v)) return "–";
  double a = std::fabs(v);
  if (a == 0) return "0";
  static const struct {
    double scale;
    const char* prefix;
  } steps[] = {{1e15, " P"}, {1e12, " T"}, {1e9, " G"}, {1e6, " M"}, {1e3, " k"}};
  for (auto& s : steps)
    // 999 950 rounds to 1.00 M, not to 1000 k.
    if (a >= s.scale * (1 - 0.5 * std::pow(10.0, -digits))) return digits_of(v / s.scale, digits) + s.prefix;
  if (a < 1e-4) return fmt::format("{:.1e}", v);
  if (a < 1)
    return without_trailing_zeros(fmt::format("{:.{}f}", v, digits - 1 - int(std::floor(std::log10(a)))));
  return digits_of(v, digits);
}

std::string gbps_text(double gbps) {
  return (std::fabs(gbps) < 99.95 ? si(gbps) : grouped(std::round(gbps))) + " GB/s";
}

std::string time_text(double us) {
  if (!std::isfinite(us)) return "–";
  double a = std::fabs(us);
  if (a == 0) return "0 µs";
  if (a < 1) return digits_of(us * 1e3, 3) + " ns";
  if (a < 999.5) return digits_of(us, 3) + " µs";
  if (a < 999.5e3) return digits_of(us / 1e3, 3) + " ms";
  return digits_of(us / 1e6, 3) + " s";
}

std::string kib_text(double b) {
  return b < 1024 ? grouped(b) + (b == 1 ? " byte" : " bytes") : number(std::round(b / 102.4) / 10) + " KiB";
}

std::string bytes_text(double b) {
  std::string s = si(b);
  return s + (s.find(' ') == std::string::npos ? " B" : "B");
}

std::string power_of_two(long long v) {
  if (v < 1024 || (v & (v - 1))) return "";
  return fmt::format("2^{}", std::countr_zero(static_cast<unsigned long long>(v)));
}

}  // namespace dojo::gui
