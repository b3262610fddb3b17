// Plots of bars: one figure of each run, or pairs of them by resource, stall reason and lanes.
#include <fmt/format.h>

#include <algorithm>
#include <cfloat>
#include <cmath>

#include "gui/look.hpp"
#include "gui/model/plots/no_figures.hpp"
#include "gui/panels/plots/marks.hpp"
#include "gui/panels/plots/plots.hpp"
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
}  // namespace

void Plots::plot_bars(const std::string& key, ImVec2 size) {
  auto& t = theme();
  const Report* report = report_for(key);
  Bars data =
      key == "bandwidth" ? bandwidth_bars(s_.step(), report) : time_bars(s_.step(), report, earlier_run());
  std::vector<LegendItem> legend;
  std::vector<const Bar*> shown;
  for (auto& b : data.bars) {
    if (b.series == Series::student) b.label = side(b.series);
    if (std::none_of(legend.begin(), legend.end(), [&](auto& l) { return l.key == key_of(b.series); }))
      legend.push_back(entry(b.series));
    if (!hidden(b.series)) shown.push_back(&b);
  }
  auto& f = frames_[key];
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
    const bool bandwidth = key == "bandwidth";
    const std::string text =
        no_figures(*s_.view(), is_yours(), bandwidth ? "its bandwidth" : "its time",
                   bandwidth ? "This run has no bandwidth to show." : "This run has no time to show.");
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
}  // namespace

void Plots::plot_pairs(const std::string& key, ImVec2 size) {
  auto& t = theme();
  const Report* report = report_for(key);
  const Pairs data = key == "stalls"   ? stall_pairs(report)
                     : key == "bounds" ? bound_pairs(report)
                                       : lane_pairs(report);
  std::vector<LegendItem> legend;
  if (data.has_student) legend.push_back(entry(Series::student));
  if (data.has_reference) legend.push_back(entry(Series::reference));
  float label_w = 0;
  for (auto& r : data.rows) label_w = std::max(label_w, text_size(fonts().ui, r.label).x);
  label_w = std::min(label_w, size.x * 0.42f);
  auto& f = frames_[key];
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
  const float least =
      px(46) + title_extra(spec, size) + fonts().small->FontSize * float(2 + data.rows.size());
  if (!f.note && !data.rows.empty())
    size.y = std::clamp(size.y, least, head + (thick + px(2)) * float(data.rows.size()));
  PairRows rows{data, data.has_student && !hidden(Series::student),
                data.has_reference && !hidden(Series::reference)};
  rows.set_height(pair_row(size.y - head, data.rows.size(), thick));
  f.view.keep_y = true;
  f.view.set_home({0, rows.end(key == "divergence" ? 32 : 0, size.x - spec.left - px(4)), false},
                  {0, 1, false});
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

}  // namespace dojo::gui
