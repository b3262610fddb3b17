// Pairs of figures, yours and the reference's: by resource, by stall reason, and of lanes.
#include <fmt/format.h>

#include <algorithm>
#include <cfloat>
#include <cmath>

#include "gui/look.hpp"
#include "gui/model/plots/no_figures.hpp"
#include "gui/panels/plots/drawing.hpp"
#include "gui/panels/plots/marks.hpp"
#include "gui/panels/widgets.hpp"
#include "gui/plot/axis.hpp"

namespace dojo::gui {

namespace {
std::string pair_value(double value) { return number(std::round(value * 100) / 100); }

/// The rows of a plot of pairs: how tall they are, and where their values stand.
struct PairRows {
  const Pairs& data;
  bool mine, theirs;       ///< the series that are shown
  float row = 0, bar = 0;  ///< pixels
  bool one_line = false;   ///< both values of a row in one line: two lines would overlap

  void set_height(float row_height) {
    row = row_height, bar = row * (mine && theirs ? 0.32f : 0.5f);
    one_line = mine && theirs && row < 2 * fonts().small->FontSize + px(4);
  }
  /// Both values of a row: one where they read alike.
  std::string both(const Pair& r) const {
    const std::string a = pair_value(r.student), b = pair_value(r.reference);
    return a == b ? a : a + " / " + b;
  }
  /// The least end of the axis, `width` pixels long, that leaves every value room behind its bar.
  double end(double least, float width) const {
    double most = least;
    for (auto& r : data.rows)
      for (double value : {mine ? r.student : 0, theirs ? r.reference : 0}) {
        const std::string words = one_line ? both(r) : pair_value(value);
        const double share =
            double(text_size(fonts().small, words).x + px(10)) / double(std::max(1.0f, width));
        // In a plot too narrow for that the bars keep half of it.
        most = std::max(most, value / std::max(0.5, 1 - share));
      }
    return most > 0 ? most : 1;
  }
  void draw(PlotArea& a, const Pair& r, float cy) const {
    const float apart = mine && theirs ? bar * 0.56f : 0;
    if (mine) body(a, r.student, cy - apart, Series::student);
    if (theirs) body(a, r.reference, cy + apart, Series::reference);
    if (one_line) return value(a, both(r), std::max(r.student, r.reference), cy, nullptr);
    const Series s[] = {Series::student, Series::reference};
    if (mine) value(a, pair_value(r.student), r.student, cy - apart, &s[0]);
    if (theirs) value(a, pair_value(r.reference), r.reference, cy + apart, &s[1]);
  }

 private:
  void body(const PlotArea& a, double v, float cy, Series s) const {
    const float x0 = std::max(a.min.x, a.x(0)), x1 = std::clamp(a.x(v), x0, a.max.x);
    a.draw->AddRectFilled({x0, cy - bar / 2}, {std::max(x1, x0 + px(1)), cy + bar / 2}, theme().of(s), px(2));
  }
  /// A value behind its bar, or in its end where the view is zoomed in: on the bar's colour, or on a ground
  /// of its own where the value is of two bars or taller than one.
  void value(PlotArea& a, const std::string& text, double v, float cy, const Series* s) const {
    ImFont* f = fonts().small;
    const float x0 = std::max(a.min.x, a.x(0)), x1 = std::clamp(a.x(v), x0, a.max.x),
                tw = text_size(f, text).x;
    const bool beside = x1 + tw + px(5) <= a.max.x;
    const ImVec2 at{beside ? x1 + px(5) : std::max(a.min.x, a.max.x - tw - px(6)), cy - f->FontSize / 2};
    const bool ground = beside || !s || bar < f->FontSize;  // no line of the grid crosses it
    if (ground)
      a.draw->AddRectFilled({at.x - px(3), at.y + px(1)}, {at.x + tw + px(3), at.y + f->FontSize - px(1)},
                            theme().panel);
    text_at(a.draw, f, at, beside || ground ? theme().muted : text_on(theme().of(*s)), text);
    a.offer.values.push_back({text, {at.x, at.y, at.x + tw, at.y + f->FontSize}});
  }
};

std::vector<std::string> pair_words(const Pairs& data, const auto& r, const std::string& student) {
  std::vector<std::string> says{r.label};
  if (!r.help.empty()) says.push_back(r.help);
  if (data.has_student) says.push_back(student + ": " + number(r.student) + " " + data.unit);
  if (data.has_reference) says.push_back("Reference: " + number(r.reference) + " " + data.unit);
  return says;
}

/// Height of a row where `height` pixels hold all of them; less than a line of small type is not read.
float pair_row(float height, size_t rows, float thick) {
  if (!rows) return 0;
  return std::max(std::min(thick, height / float(rows)), fonts().small->FontSize);
}

/// `Figures` makes the pairs of a report.
class PairsPlot : public PlotDrawing {
 public:
  using Figures = Pairs (*)(const Report*);
  /// `least_end`: the axis ends there or further right.
  PairsPlot(Plots& plots, const char* name, Figures make, double least_end = 0)
      : PlotDrawing(plots), key(name), figures(make), least(least_end) {}
  void draw(ImVec2) override;
  Table table() override { return pairs_table(figures(report_for(key))); }

 private:
  const std::string key;
  const Figures figures;
  const double least;
};

class DivergencePlot : public PairsPlot {
 public:
  explicit DivergencePlot(Plots& plots) : PairsPlot(plots, "divergence", lane_pairs, 32) {}
  void draw(ImVec2) override;
};

void PairsPlot::draw(ImVec2 size) {
  auto& t = theme();
  const Pairs data = figures(report_for(key));
  std::vector<LegendItem> legend;
  if (data.has_student) legend.push_back(entry(Series::student));
  if (data.has_reference) legend.push_back(entry(Series::reference));
  float label_w = 0;
  for (auto& r : data.rows) label_w = std::max(label_w, text_size(fonts().ui, r.label).x);
  label_w = std::min(label_w, size.x * 0.42f);
  auto& f = frame(key);
  PlotSpec spec;
  spec.title = plot_info(key).says;
  spec.note = plot_info(key).note;
  spec.y_ticks = false;
  spec.x_ticks = !data.empty();
  spec.x_label = data.empty() ? "" : data.unit;
  spec.left = label_w + px(12);
  spec.legend = &legend;
  const float thick = std::clamp(size.y * 0.12f, px(44), px(84)), head = px(96) + title_extra(spec, size);
  // Title, legend, the axis's numbers, and rows of no less than a line of small type: what is lower scrolls.
  const float least_height =
      px(46) + title_extra(spec, size) + fonts().small->FontSize * float(2 + data.rows.size());
  if (!f.note && !data.rows.empty())
    size.y = std::clamp(size.y, least_height, head + (thick + px(2)) * float(data.rows.size()));
  PairRows rows{data, data.has_student && !hidden(Series::student),
                data.has_reference && !hidden(Series::reference)};
  rows.set_height(pair_row(size.y - head, data.rows.size(), thick));
  f.view.keep_y = true;
  f.view.set_home({0, rows.end(least, size.x - spec.left - px(4)), false}, {0, 1, false});
  PlotArea a;
  if (!plot_begin(key, size, spec, a)) return;
  a.draw->PopClipRect();
  std::vector<std::string> hover;
  if (data.empty())
    text_wrapped_at(a.draw, fonts().ui, {a.min.x - spec.left, a.min.y + px(8)}, t.muted,
                    no_figures(*s_.view(), is_yours(), "them", "This run has no such figures."), size.x);
  rows.set_height(pair_row(a.height(), data.rows.size(), thick));
  ImFont* type = rows.row < fonts().ui->FontSize + px(2) ? fonts().small : fonts().ui;
  for (size_t i = 0; i < data.rows.size(); ++i) {
    auto& r = data.rows[i];
    const float y = a.min.y + rows.row * float(i);
    if (y + rows.row > a.max.y + 1) break;
    text_at(a.draw, type,
            {a.min.x - px(10) - std::min(label_w, text_size(type, r.label).x),
             y + (rows.row - type->FontSize) / 2},
            t.text, r.label, label_w + 1);
    rows.draw(a, r, y + rows.row / 2);
    if (a.hovered && a.mouse.y >= y && a.mouse.y < y + rows.row)
      hover = pair_words(data, r, side(Series::student));
  }
  a.draw->PushClipRect(a.min, a.max, true);
  plot_end(a, hover);
}

void DivergencePlot::draw(ImVec2 size) {
  // Both where both have room; else one of the two.
  bool average = true, over_time = true;
  if (size.y < px(360)) {
    over_time = s_.ui.lanes_over_time, average = !over_time;
    if (pill("On average", average)) s_.ui.lanes_over_time = false;
    ImGui::SameLine(0, px(2));
    if (pill("Over time", over_time)) s_.ui.lanes_over_time = true;
  }
  const float room = ImGui::GetContentRegionAvail().y;
  if (average) PairsPlot::draw({size.x, over_time ? std::min(room * 0.46f, px(210)) : room});
  if (over_time) plots_.plot("lanes", {size.x, ImGui::GetContentRegionAvail().y});
}

}  // namespace

std::unique_ptr<PlotDrawing> stalls_plot(Plots& plots) {
  return std::make_unique<PairsPlot>(plots, "stalls", stall_pairs);
}
std::unique_ptr<PlotDrawing> bounds_plot(Plots& plots) {
  return std::make_unique<PairsPlot>(plots, "bounds", bound_pairs);
}
std::unique_ptr<PlotDrawing> divergence_plot(Plots& plots) { return std::make_unique<DivergencePlot>(plots); }

}  // namespace dojo::gui
