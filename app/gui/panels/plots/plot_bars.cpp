// Plots of bars: one figure of each run.
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
/// A bar's name left of it, ending at `right`. A long one is set small, in as many lines as the row holds.
void bar_label(ImDrawList* d, const std::string& label, ImVec2 right, float width, float row) {
  auto& t = theme();
  ImFont *usual = fonts().ui, *small = fonts().small;
  const float w = text_size(usual, label).x;
  if (w <= width) return text_at(d, usual, {right.x - w, right.y - usual->FontSize / 2}, t.text, label);
  const auto fits = [&](const std::string& s) {
    return small->CalcTextSizeA(small->FontSize, FLT_MAX, width, s.data(), s.data() + s.size()).y <= row;
  };
  // What says where it is from stays, at the cost of what it is.
  const size_t from = label.rfind(" (");
  std::string shown = label, what = label.substr(0, from);
  const std::string origin = from == std::string::npos ? "" : label.substr(from);
  while (!fits(shown) && what.size() > 1) {
    what.erase(what.find_last_of(' ') == std::string::npos ? what.size() - 1 : what.find_last_of(' '));
    shown = what + "…" + origin;
  }
  // Line by line, as all names end at one place.
  const auto lines = wrapped_lines(small, shown, width);
  float y = right.y - small->FontSize * float(lines.size()) / 2;
  for (const std::string& line : lines) {
    text_at(d, small, {right.x - text_size(small, line).x, y}, t.text, line);
    y += small->FontSize;
  }
}
/// Draws the bars of one plot, one row each.
struct BarRows {
  PlotArea& a;
  const Bars& data;
  float row, bar;                ///< pixels: a row's height, and its bar's
  std::vector<float> gaps = {};  ///< in the line of the peak, where a value had to stand across it

  void draw(const Bar&, float cy);
  void peak(size_t rows) const;

 private:
  void body(const Bar&, float x0, float x1, float cy) const;
  void value(const Bar&, float x0, float x1, float cy);
  bool cut(const Bar& b) const { return b.series == Series::published && a.x(b.value) > a.max.x + 1; }
};

void BarRows::draw(const Bar& b, float cy) {
  const float x0 = std::max(a.min.x, a.x(0)), x1 = std::clamp(a.x(b.value), x0 + px(2), a.max.x);
  body(b, x0, x1, cy);
  if (b.hi > b.lo) {
    const float l = a.x(b.lo), h = a.x(b.hi);
    a.draw->AddLine({l, cy}, {h, cy}, theme().text, px(1.5f));
    for (float x : {l, h}) a.draw->AddLine({x, cy - px(5)}, {x, cy + px(5)}, theme().text, px(1.5f));
  }
  value(b, x0, x1, cy);
}

void BarRows::body(const Bar& b, float x0, float x1, float cy) const {
  const bool other = b.series == Series::published;  // hatched: measured on another GPU or size
  const ImU32 c = theme().of(b.series);
  const float y0 = cy - bar / 2, y1 = cy + bar / 2;
  a.draw->AddRectFilled({x0, y0}, {x1, y1}, other ? fade(c, 0.30f) : c, px(3));
  if (other) a.draw->AddRect({x0, y0}, {x1, y1}, c, px(3));
  if (!cut(b)) return;
  for (float part : {0.0f, 1.0f}) {  // two strokes across it
    const float x = x1 - px(22) + part * px(6), lean = px(4), below = y1 + px(2), above = y0 - px(2);
    if (part == 0)
      a.draw->AddQuadFilled({x - lean, below}, {x + lean, above}, {x + lean + px(6), above},
                            {x - lean + px(6), below}, theme().panel);
    a.draw->AddLine({x - lean, below}, {x + lean, above}, c, px(1.5f));
  }
}

/// The bar's figure: behind it, or in its end where that is at the edge or at the line of the peak.
void BarRows::value(const Bar& b, float x0, float x1, float cy) {
  auto& t = theme();
  ImFont* f = fonts().strong;
  const float tw = text_size(f, b.text).x;
  const float peak = data.limit > 0 ? a.x(data.limit) : a.max.x + px(8);
  const float end = std::max(x1, b.hi > b.lo ? a.x(b.hi) : x1);
  const bool across = peak > x1 && peak < x1 + px(12) + tw;
  bool inside = end + px(8) + tw > a.max.x || across;
  if (inside && x1 - x0 < tw + px(16)) inside = false;  // no room for either: the window's edge cuts the text
  if (!inside && across) gaps.push_back(cy);
  const float x =
      inside ? (b.hi > b.lo ? std::min(x1, a.x(b.lo)) : x1) - tw - px(cut(b) ? 36 : 8) : end + px(8);
  if (!inside)  // no line of the grid crosses it
    a.draw->AddRectFilled({x - px(3), cy - f->FontSize / 2}, {x + tw + px(3), cy + f->FontSize / 2}, t.panel);
  a.offer.values.push_back({b.text, {x, cy - f->FontSize / 2, x + tw, cy + f->FontSize / 2}});
  text_at(a.draw, f, {x, cy - f->FontSize / 2},
          inside && b.series != Series::published ? text_on(t.of(b.series)) : t.text, b.text);
}

/// The dashed line of the memory's peak, down all rows, and its words.
void BarRows::peak(size_t rows) const {
  auto& t = theme();
  if (!(data.limit > 0) || a.x(data.limit) > a.max.x + 1) return;
  const float x = a.x(data.limit), y1 = a.min.y + row * float(rows);
  const float letters = fonts().strong->FontSize / 2 + px(3);
  for (float y = a.min.y; y < y1; y += px(7))
    if (std::none_of(gaps.begin(), gaps.end(),
                     [&](float at) { return y + px(4) > at - letters && y < at + letters; }))
      a.draw->AddLine({x, y}, {x, std::min(y1, y + px(4))}, t.text, px(1.5f));
  const float w = text_size(fonts().small, data.limit_text).x;
  const ImVec2 at{std::max(a.min.x, x - w - px(2)), std::min(y1 + px(3), a.max.y - fonts().small->FontSize)};
  text_on_ground(a.draw, at, data.limit_text);
  a.offer.values.push_back({data.limit_text, {at.x, at.y, at.x + w, at.y + fonts().small->FontSize}});
}

/// What the mouse over a bar says; `mine`: the student's bar where that is another one.
std::vector<std::string> bar_words(const Bar& b, const std::string& unit, const Bar* mine, bool yours) {
  std::vector<std::string> says{b.label + ": " + number(b.value) + " " + unit};
  if (b.hi > b.lo) says.push_back("between " + number(b.lo) + " and " + number(b.hi));
  says.push_back(b.detail);
  if (mine && mine->value > 0)
    says.push_back(fmt::format("{:.2f} × {}", b.value / mine->value, yours ? "yours" : mine->label + "'s"));
  return says;
}

/// Bars of one figure.
class BarsPlot : public PlotDrawing {
 public:
  BarsPlot(Plots& plots, const char* name) : PlotDrawing(plots), key(name) {}
  void draw(ImVec2) override;
  Table table() override { return bars_table(bars()); }

 protected:
  virtual Bars bars() = 0;

  const std::string key;  ///< the name of its figure, too
};

class TimePlot : public BarsPlot {
 public:
  explicit TimePlot(Plots& plots) : BarsPlot(plots, "time") {}
  Bars bars() override { return time_bars(s_.step(), report_for(key), earlier_run()); }
};

class BandwidthPlot : public BarsPlot {
 public:
  explicit BandwidthPlot(Plots& plots) : BarsPlot(plots, "bandwidth") {}
  Bars bars() override { return bandwidth_bars(s_.step(), report_for(key)); }
};

void BarsPlot::draw(ImVec2 size) {
  auto& t = theme();
  Bars data = bars();
  std::vector<LegendItem> legend;
  std::vector<const Bar*> shown;
  for (auto& b : data.bars) {
    if (b.series == Series::student) b.label = side(b.series);
    if (std::none_of(legend.begin(), legend.end(), [&](auto& l) { return l.key == key_of(b.series); }))
      legend.push_back(entry(b.series));
    if (!hidden(b.series)) shown.push_back(&b);
  }
  auto& f = frame(key);
  f.view.keep_y = true;
  f.view.set_home({0, axis_end(shown, data.limit), false}, {0, 1, false});
  PlotSpec spec;
  spec.title = plot_info(key).says;
  spec.note = plot_info(key).note;
  spec.x_label = data.empty() ? "" : data.unit;
  spec.y_ticks = false;
  spec.x_ticks = !data.empty();
  spec.legend = &legend;
  float label_w = 0;
  for (auto* b : shown) label_w = std::max(label_w, text_size(fonts().ui, b->label).x);
  label_w = std::min(label_w, size.x * 0.3f);
  spec.left = label_w + px(12);
  // As tall as the bars need, so that the axis is directly below them.
  // A large place has thicker ones; on a slide they fill it.
  const float share =
      s_.ui.lecture && !shown.empty() ? (size.y - px(96)) / float(shown.size()) - px(2) : size.y * 0.17f;
  const float thick = std::clamp(share, px(50), px(104)), room = size.y;
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  if (!f.note && !shown.empty())
    size.y = std::min(size.y, px(96) + title_extra(spec, size) + (thick + px(2)) * float(shown.size()));
  PlotArea a;
  if (!plot_begin(key, size, spec, a)) return;
  a.draw->PopClipRect();  // labels stand left of the area
  std::vector<std::string> hover;
  if (data.empty()) {
    const std::string text =
        no_figures(*s_.view(), is_yours(), "its " + key, "This run has no " + key + " to show.");
    text_wrapped_at(a.draw, fonts().ui, {a.min.x - spec.left, a.min.y + px(8)}, t.muted, text,
                    a.width() + spec.left);
  }
  const float row = shown.empty() ? 0 : std::min(thick, a.height() / float(shown.size()));
  BarRows rows{a, data, row, row * 0.58f};
  for (size_t i = 0; i < shown.size(); ++i) {
    const float cy = a.min.y + row * (float(i) + 0.5f);
    if (cy + rows.bar / 2 > a.max.y + 1) break;
    bar_label(a.draw, shown[i]->label, {a.min.x - px(10), cy}, label_w, row);
    rows.draw(*shown[i], cy);
    if (a.hovered && std::fabs(a.mouse.y - cy) < row / 2)
      hover = bar_words(*shown[i], data.unit,
                        i > 0 && shown[0]->series == Series::student ? shown[0] : nullptr, is_yours());
  }
  rows.peak(shown.size());
  a.draw->PushClipRect(a.min, a.max, true);
  plot_end(a, hover);
  if (!data.elsewhere.empty() && size.y + fonts().small->FontSize + px(6) <= room) {
    const ImVec2 at = {corner.x, corner.y + size.y + px(4)};
    text_at(ImGui::GetWindowDrawList(), fonts().small, at, t.muted, data.elsewhere, size.x);
    ImGui::SetCursorScreenPos(at);
    ImGui::Dummy({1, fonts().small->FontSize + px(2)});  // what follows stands below it
  }
}
}  // namespace

std::unique_ptr<PlotDrawing> time_plot(Plots& plots) { return std::make_unique<TimePlot>(plots); }
std::unique_ptr<PlotDrawing> bandwidth_plot(Plots& plots) { return std::make_unique<BandwidthPlot>(plots); }

}  // namespace dojo::gui
