// The sweep: the figure of merit over the size, yours, the reference's and those of the lab's other tiers.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "gui/model/text/step_title.hpp"
#include "gui/panels/plots/drawing.hpp"
#include "gui/panels/plots/marks.hpp"
#include "gui/panels/widgets.hpp"
#include "gui/plot/names.hpp"

namespace dojo::gui {

namespace {
/// The dashed line of the memory's peak. Returns where its label is.
ImVec4 peak_line(PlotArea& a, double peak) {
  const float y = a.y(peak);
  for (float x = a.min.x; x < a.max.x; x += px(7))
    a.draw->AddLine({x, y}, {x + px(4), y}, theme().text, px(1.2f));
  // Below the line where the plot ends right above it.
  const float above = y - fonts().small->FontSize - px(3);
  const std::string label = fmt::format("peak {} GB/s", grouped(std::round(peak)));
  const ImVec2 size = text_size(fonts().small, label);
  const ImVec2 at{a.min.x + px(6), above < a.min.y ? y + px(3) : above};
  text_on_ground(a.draw, at, label);
  a.offer.values.push_back({label, {at.x, at.y, at.x + size.x, at.y + size.y}});
  return a.offer.values.back().second;
}

/// What the other tiers are called in a plot of this width: by their titles where the longest leaves the
/// curves most of the room, else by their numbers.
std::vector<std::string> tier_names(const Sweep& sweep, const Catalog& catalog, float width) {
  std::vector<std::string> titles, numbers;
  float longest = 0;
  for (auto& [id, curve] : sweep.tiers) {
    const Step& step = catalog.find(id);
    titles.push_back(step_title(catalog.lab_of(step), step));
    numbers.push_back(step_number(catalog.lab_of(step), step));
    if (numbers.back().empty()) numbers.back() = titles.back();
    longest = std::max(longest, text_size(fonts().small, titles.back()).x);
  }
  return longest <= width * 0.3f ? titles : numbers;
}

/// The share of a plot's width that the names need right of the longest curve.
double name_room(const std::vector<std::string>& names, float width) {
  float longest = 0;
  for (auto& n : names) longest = std::max(longest, text_size(fonts().small, n).x);
  return names.empty() ? 0 : std::min(0.3, double(longest + px(22)) / double(std::max(1.0f, width)));
}

/// Where names of tiers may stand: neither on a curve that is shown nor on the peak's label.
NameRoom room_of_names(const PlotArea& a, const Sweep& sweep, std::pair<bool, bool> shown, double peak,
                       const ImVec4& label) {
  NameRoom room({{a.min.x, a.min.y}, {a.max.x, a.max.y}});
  const auto on = [&](double x, double y) { return Point2{a.x(x), a.y(y)}; };
  for (auto& [id, curve] : sweep.tiers) {
    std::vector<Point2> line;
    for (auto& [x, y] : curve) line.push_back(on(x, y));
    room.add_curve(line, px(1));
  }
  std::vector<Point2> mine, theirs;
  for (auto& p : sweep.points) {
    if (p.student > 0 && shown.first) mine.push_back(on(p.x, p.student));
    if (p.reference > 0 && shown.second) theirs.push_back(on(p.x, p.reference));
  }
  room.add_curve(mine, px(4));
  room.add_curve(theirs, px(8));
  if (peak > 0) {
    room.take({{label.x, label.y}, {label.z, label.w}});
    room.add_curve({on(a.view->x.lo, peak), on(a.view->x.hi, peak)}, px(1));
  }
  return room;
}

/// The other tiers are the background: thin, named beside their ends where a name has room. Returns what the
/// mouse is on.
std::vector<std::string> draw_tiers(PlotArea& a, const Sweep& sweep, const Catalog& catalog,
                                    const std::vector<std::string>& names, NameRoom room) {
  auto& t = theme();
  std::vector<size_t> order;
  for (size_t k = 0; k < sweep.tiers.size(); ++k)
    if (!sweep.tiers[k].second.empty()) order.push_back(k);
  const auto last = [&](size_t k) { return sweep.tiers[k].second.back(); };
  std::sort(order.begin(), order.end(), [&](size_t p, size_t q) { return last(p).second > last(q).second; });
  std::vector<std::string> hover;
  for (size_t k : order) {
    auto& [id, curve] = sweep.tiers[k];
    for (auto& [x, y] : curve) {
      a.draw->PathLineTo({a.x(x), a.y(y)});
      if (a.hovered && std::hypot(a.mouse.x - a.x(x), a.mouse.y - a.y(y)) < px(8)) {
        const Step& step = catalog.find(id);
        hover = {step_title(catalog.lab_of(step), step),
                 fmt::format("{} {} at {}", number(y), sweep.y_label, number(x))};
      }
    }
    a.draw->PathStroke(fade(t.muted, 0.7f), 0, px(1.2f));
    const ImVec2 size = text_size(fonts().small, names[k]);
    const auto box = room.place({a.x(last(k).first), a.y(last(k).second)}, {size.x, size.y}, px(7));
    if (!box) continue;
    const ImVec4 at{float(box->min.x), float(box->min.y), float(box->max.x), float(box->max.y)};
    text_at(a.draw, fonts().small, {at.x, at.y}, t.muted, names[k]);
    a.offer.values.push_back({names[k], at});
  }
  return hover;
}

/// One of the two curves. Returns what the mouse is on.
std::vector<std::string> draw_curve(const PlotArea& a, const Sweep& sweep, Series s,
                                    const std::string& mine) {
  auto& t = theme();
  const auto value = [&](const SweepPoint& p) { return s == Series::student ? p.student : p.reference; };
  // The reference's line is the wider one below: where both run together, both are seen. Lines of their own
  // from point to point: a path's mitre would stand above a narrow peak, as if its value were greater.
  const bool wide = s == Series::reference;
  const SweepPoint* before = nullptr;
  for (auto& p : sweep.points) {
    if (value(p) <= 0) continue;
    if (before)
      a.draw->AddLine({a.x(before->x), a.y(value(*before))}, {a.x(p.x), a.y(value(p))},
                      wide ? fade(t.of(s), 0.75f) : t.of(s), wide ? px(4.5f) : px(2));
    before = &p;
  }
  std::vector<std::string> hover;
  // A mark on the plot's edge is whole.
  const float mark = px(8);
  a.draw->PushClipRect({a.min.x - mark, a.min.y - mark}, {a.max.x + mark, a.max.y + mark});
  for (auto& p : sweep.points) {
    if (value(p) <= 0) continue;
    const float x = a.x(p.x), y = a.y(value(p));
    if (x >= a.min.x && x <= a.max.x && y >= a.min.y && y <= a.max.y) point(a, x, y, s);
    if (a.hovered && std::hypot(a.mouse.x - x, a.mouse.y - y) < px(10))
      hover = {
          size_text(p.size),
          fmt::format("{}: {} {}, {}", mine, number(p.student), sweep.y_label, time_text(p.student_us)),
          fmt::format("Reference: {} {}, {}", number(p.reference), sweep.y_label, time_text(p.reference_us))};
  }
  a.draw->PopClipRect();
  return hover;
}

/// Do its sizes grow by a constant? Then the axis is linear; sizes that double stand on a logarithmic one.
bool evenly_spaced(const Sweep& sweep) {
  if (sweep.points.size() < 3) return false;
  const double by = sweep.points[1].x - sweep.points[0].x;
  for (size_t k = 2; k < sweep.points.size(); ++k)
    if (std::fabs(sweep.points[k].x - sweep.points[k - 1].x - by) > 1e-6 * std::fabs(by)) return false;
  return by > 0;
}

/// The view of all points; `peak`: 0 where the axis has none; `names`: the share of its width right of them.
void set_sweep_view(View& view, const Sweep& sweep, bool mine, double peak, double names) {
  double lo = mine ? 1e18 : 1, hi = mine ? 1 : 10, most = 1;
  if (mine) {
    for (auto& p : sweep.points)
      lo = std::min(lo, p.x), hi = std::max(hi, p.x), most = std::max({most, p.student, p.reference});
    for (auto& [name, curve] : sweep.tiers)
      for (auto& [x, y] : curve) lo = std::min(lo, x), hi = std::max(hi, x), most = std::max(most, y);
  }
  view.keep_y = false;
  const Axis up{0, std::max(most, peak) * 1.1, false};
  if (mine && evenly_spaced(sweep))
    view.set_home({lo - (hi - lo) * 0.04, hi + (hi - lo) * std::max(0.04, names / (1 - names)), false}, up);
  else
    view.set_home(
        {lo / 1.3, std::max(hi, lo * 2) * std::max(1.3, std::pow(hi / lo, names / (1 - names))), true}, up);
}

class SweepPlot : public PlotDrawing {
 public:
  using PlotDrawing::PlotDrawing;
  void draw(ImVec2) override;
  Table table() override { return s_.sweep_answers() ? Table{} : sweep_table(s_.sweep()); }

 private:
  void offer(ImVec2 at);
};

void SweepPlot::draw(ImVec2 size) {
  auto& t = theme();
  auto& sweep = s_.sweep();
  const bool mine =
      s_.step() && sweep.step == s_.step()->id() && !sweep.points.empty() && !s_.sweep_answers();
  // The memory's peak belongs on an axis of GB/s only.
  double peak = 0;
  if (auto* d = s_.device_info(); d && sweep.y_label == "GB/s") peak = d->peak_gbps;
  const std::string others = "other_tiers";
  const bool tiers = mine && !sweep.tiers.empty() && !hidden(others);
  const auto names = tiers ? tier_names(sweep, s_.catalog(), size.x) : std::vector<std::string>();
  set_sweep_view(frame("sweep").view, sweep, mine, peak, name_room(names, size.x));
  std::vector<LegendItem> legend = {entry(Series::student), entry(Series::reference)};
  if (mine && !sweep.tiers.empty()) legend.push_back(entry(others, "Other tiers", t.muted));
  PlotSpec spec;
  spec.title = mine ? sweep.y_label + " over " + sweep.x_label : plot_info("sweep").says;
  spec.title[0] = char(std::toupper(static_cast<unsigned char>(spec.title[0])));
  spec.note = plot_info("sweep").note;
  spec.x_ticks = spec.y_ticks = mine;
  spec.interactive = mine, spec.empty = !mine;
  spec.x_label = mine ? sweep.x_label : "";
  spec.y_label = mine ? sweep.y_label : "";
  if (mine) spec.legend = &legend;
  if (mine && !sweep.stopped.empty()) {
    const float top = ImGui::GetCursorPosY();
    text_wrapped_in(fonts().small, t.warn, sweep.stopped);
    size.y -= ImGui::GetCursorPosY() - top;
  }
  PlotArea a;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (!plot_begin("sweep", size, spec, a)) return;
  std::vector<std::string> hover;
  if (mine) {
    const ImVec4 label = peak > 0 ? peak_line(a, peak) : ImVec4();
    const std::pair shown{!hidden(Series::student), !hidden(Series::reference)};
    if (tiers) hover = draw_tiers(a, sweep, s_.catalog(), names, room_of_names(a, sweep, shown, peak, label));
    for (Series s : {Series::reference, Series::student})
      if (!hidden(s))
        if (auto over = draw_curve(a, sweep, s, side(Series::student)); !over.empty()) hover = over;
  }
  plot_end(a, hover);
  if (!mine) offer(at);
}

/// In the place of the curves: what a sweep is, and the button that starts it.
void SweepPlot::offer(ImVec2 at) {
  auto& sweep = s_.sweep();
  ImGui::SetCursorScreenPos({at.x, at.y + px(40)});
  const bool mine = s_.step() && sweep.step == s_.step()->id();
  if (s_.sweep_answers()) {
    text_wrapped_in(
        fonts().ui, theme().muted,
        "The curve shows what the prediction asks for. Predict first, or run without predicting.");
    ImGui::SetCursorScreenPos({at.x, ImGui::GetCursorScreenPos().y + px(8)});
    if (primary_button("Predict", Icon::play)) s_.ui.open(Overlay::predict);
    return;
  }
  if (mine && !sweep.stopped.empty()) {
    text_wrapped_in(fonts().ui, theme().warn, sweep.stopped);
  } else {
    text_wrapped_in(fonts().ui, theme().muted,
                    sweep.running ? "The first size runs."
                    : s_.step() && !s_.step()->curve.empty()
                        ? "Run the kernel over the sizes of this lab's curve."
                        : "Run the kernel over eleven sizes, each half of the next.");
  }
  ImGui::SetCursorScreenPos({at.x, ImGui::GetCursorScreenPos().y + px(8)});
  if (!sweep.running && primary_button("Start the sweep", Icon::play, !s_.running()))
    s_.commands.run("run.sweep");
}
}  // namespace

std::unique_ptr<PlotDrawing> sweep_plot(Plots& plots) { return std::make_unique<SweepPlot>(plots); }

}  // namespace dojo::gui
