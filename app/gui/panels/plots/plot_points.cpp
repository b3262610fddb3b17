// Plots with two real axes: roofline and history.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gui/model/plots/no_figures.hpp"
#include "gui/panels/plots/drawing.hpp"
#include "gui/panels/plots/marks.hpp"
#include "gui/panels/widgets.hpp"
#include "run/own_program.hpp"

namespace dojo::gui {

namespace {
void nothing(const PlotArea& a, const std::string& text, float left) {
  a.draw->PopClipRect();
  text_wrapped_at(a.draw, fonts().ui, {a.min.x - left, a.min.y + px(8)}, theme().muted, text,
                  a.width() + left);
  a.draw->PushClipRect(a.min, a.max, true);
}

double roof(const Roofline& data, double intensity) {
  return std::min(data.peak_gflops, intensity * data.peak_gbps);
}
double ridge(const Roofline& data) { return data.peak_gflops / std::max(1e-9, data.peak_gbps); }

/// The memory bandwidth's slope, then the flat part of peak arithmetic, with their figures.
void draw_roof(const Roofline& data, const PlotArea& a) {
  auto& t = theme();
  const double ridge_x = std::clamp(ridge(data), a.view->x.lo, a.view->x.hi);
  for (double x : {a.view->x.lo, ridge_x, a.view->x.hi}) a.draw->PathLineTo({a.x(x), a.y(roof(data, x))});
  a.draw->PathStroke(t.text, 0, px(2));
  const std::string memory = grouped(std::round(data.peak_gbps)) + " GB/s",
                    arithmetic = si(data.peak_gflops * 1e9) + "FLOP/s";
  // Above the slope, where no point can be.
  const double beside = std::pow(a.view->x.lo, 0.45) * std::pow(ridge_x, 0.55);
  const ImVec2 words = text_size(fonts().small, memory), peak = text_size(fonts().small, arithmetic);
  text_at(a.draw, fonts().small,
          {std::max(a.min.x + px(4), a.x(beside) - words.x - px(10)), a.y(roof(data, beside)) - words.y},
          t.muted, memory);
  const float flat = a.y(data.peak_gflops);
  const float over = flat - peak.y - px(4);  // clear of the line, whatever the size of the type
  text_at(a.draw, fonts().small, {a.max.x - peak.x - px(6), over < a.min.y ? flat + px(4) : over}, t.muted,
          arithmetic);
}

/// Returns what the mouse over a point is told.
std::vector<std::string> draw_points(const Roofline& data, const PlotArea& a,
                                     const std::vector<const RoofPoint*>& shown) {
  auto& t = theme();
  std::vector<std::string> hover;
  // Labels of points that are close together are stacked.
  std::vector<double> at_y;
  for (auto* p : shown) at_y.push_back(double(a.y(p->gflops)));
  const auto label_y = spread(at_y, double(fonts().small->FontSize));
  for (size_t i = 0; i < shown.size(); ++i) {
    auto& p = *shown[i];
    const float x = a.x(p.intensity), y = a.y(p.gflops);
    const double most = roof(data, p.intensity);
    a.draw->AddLine({x, y}, {x, a.y(most)}, fade(t.of(p.series), 0.4f), px(1.5f));
    point(a, x, y, p.series, true);
    const float lx = x + px(16), lw = text_size(fonts().small, p.label).x;
    text_at(a.draw, fonts().small,
            {lx + lw > a.max.x ? x - px(16) - lw : lx, float(label_y[i]) - fonts().small->FontSize / 2},
            t.text, p.label);
    if (!a.hovered || std::hypot(a.mouse.x - x, a.mouse.y - y) >= px(14)) continue;
    hover.push_back(p.label);
    hover.push_back(fmt::format("{} operations per byte", number(p.intensity)));
    hover.push_back(fmt::format("{}FLOP/s, {:.1f} % of its roof", si(p.gflops * 1e9), 100 * p.gflops / most));
    hover.push_back(p.intensity < ridge(data) ? "left of the ridge: memory is its roof"
                                              : "right of the ridge: arithmetic is its roof");
  }
  return hover;
}

class RooflinePlot : public PlotDrawing {
 public:
  using PlotDrawing::PlotDrawing;
  void draw(ImVec2) override;
  Table table() override { return roofline_table(report_for("roofline")); }
};

class HistoryPlot : public PlotDrawing {
 public:
  using PlotDrawing::PlotDrawing;
  void draw(ImVec2) override;
  Table table() override { return history_table(s_.view()->history); }
};

void RooflinePlot::draw(ImVec2 size) {
  auto* v = s_.view();
  Roofline data = roofline(report_for("roofline"));
  auto& f = frame("roofline");
  std::vector<LegendItem> legend;
  const double peak = data.peak_gflops > 0 ? data.peak_gflops : 500;
  double lo = 0.05, hi = 200, low = peak / 5e4;
  for (auto& p : data.points) {
    if (p.series == Series::student) p.label = side(p.series);
    if (std::none_of(legend.begin(), legend.end(), [&](auto& l) { return l.key == key_of(p.series); }))
      legend.push_back(entry(p.series));
    lo = std::min(lo, p.intensity / 3);
    hi = std::max(hi, p.intensity * 3);
    low = std::min(low, p.gflops / 3);
  }
  // Room for the figure of the flat roof above it: below are the points and their lines.
  const double above =
      std::clamp(double((fonts().small->FontSize + px(13)) / std::max(px(60), size.y - px(100))), 0.05, 0.3);
  const double top = peak * std::max(2.0, std::pow(peak / low, above / (1 - above)));
  f.view.keep_y = false;
  f.view.set_home({lo, hi, true}, {low, top, true});
  PlotSpec spec;
  auto& info = plot_info("roofline");
  spec.title = info.says;
  spec.note = info.note;
  spec.x_label = data.empty() ? "" : "operations per byte";
  spec.y_label = data.empty() ? "" : "operations per second";
  spec.y_text = [](double gflops) { return si(gflops * 1e9); };
  spec.x_ticks = spec.y_ticks = !data.empty();
  spec.legend = &legend;
  PlotArea a;
  if (!plot_begin("roofline", size, spec, a)) return;
  std::vector<std::string> hover;
  if (data.empty()) {
    nothing(a, no_roofline(*v, is_yours(), run::is_program(*s_.step()) ? "program" : "step"), 0);
  } else {
    draw_roof(data, a);
    std::vector<const RoofPoint*> shown;
    for (auto& p : data.points)
      if (!hidden(p.series)) shown.push_back(&p);
    hover = draw_points(data, a, shown);
    const double most = roof(data, a.at_x(a.mouse.x));
    if (a.hovered && hover.empty() && most > 0)
      hover = {fmt::format("{} operations per byte", number(a.at_x(a.mouse.x))),
               fmt::format("at most {}FLOP/s", si(most * 1e9))};
  }
  plot_end(a, hover);
}

void HistoryPlot::draw(ImVec2 size) {
  auto& t = theme();
  auto* v = s_.view();
  auto& f = frame("history");
  std::vector<const PastRun*> runs;
  double most = 0, reference = 0;
  for (auto& h : v->history)
    if (auto* r = student_run(h.report);
        r && r->time_us.value > 0 && correct(*r) &&
        h.report.device.name == (v->has_report ? v->report.device.name : s_.device()) &&
        h.report.size == (v->has_report ? v->report.size : s_.size())) {
      runs.push_back(&h);
      most = std::max(most, r->time_us.value);
      if (auto* ref = reference_run(h.report)) reference = ref->time_us.value;
    }
  most = std::max(most, reference);
  f.view.keep_y = true;
  f.view.set_home({0.5, std::max(1.5, double(runs.size()) + 0.5), false},
                  {0, most > 0 ? most * 1.12 : 1, false});
  PlotSpec spec;
  auto& info = plot_info("history");
  spec.title = info.says;
  spec.note = info.note;
  std::vector<LegendItem> legend;
  const bool mine = !hidden(Series::student), theirs = !hidden(Series::reference);
  if (!runs.empty()) legend.push_back(entry(Series::student));
  if (reference > 0) legend.push_back(entry(Series::reference));
  spec.legend = &legend;
  spec.x_ticks = spec.whole_x = !runs.empty();
  spec.y_ticks = !runs.empty();
  spec.y_label = runs.empty() ? "" : time_unit(runs.front()->report.device);
  spec.x_label = runs.empty() ? "" : "run";
  PlotArea a;
  if (!plot_begin("history", size, spec, a)) return;
  std::vector<std::string> hover;
  if (runs.empty()) nothing(a, "No right result on this device and size yet.", 0);
  if (reference > 0 && theirs) {
    float y = a.y(reference);
    for (float x = a.min.x; x < a.max.x; x += px(7))
      a.draw->AddLine({x, y}, {x + px(4), y}, t.of(Series::reference), px(1.5f));
  }
  if (!mine) runs.clear();
  for (size_t i = 0; i < runs.size(); ++i)
    a.draw->PathLineTo({a.x(double(i) + 1), a.y(student_run(runs[i]->report)->time_us.value)});
  if (!runs.empty()) a.draw->PathStroke(fade(t.of(Series::student), 0.6f), 0, px(2));
  for (size_t i = 0; i < runs.size(); ++i) {
    auto* r = student_run(runs[i]->report);
    float x = a.x(double(i) + 1), y = a.y(r->time_us.value);
    point(a, x, y, Series::student, r->status == Status::pass);
    // Selects the run nearest along the axis, so that its point need not be hit.
    if (a.hovered && std::fabs(a.at_x(a.mouse.x) - (double(i) + 1)) <= 0.5)
      hover = {time_on(runs[i]->report.device, r->time_us.value), runs[i]->when, headline(*r).title};
  }
  plot_end(a, hover);
}
}  // namespace

std::unique_ptr<PlotDrawing> roofline_plot(Plots& plots) { return std::make_unique<RooflinePlot>(plots); }
std::unique_ptr<PlotDrawing> history_plot(Plots& plots) { return std::make_unique<HistoryPlot>(plots); }

}  // namespace dojo::gui
