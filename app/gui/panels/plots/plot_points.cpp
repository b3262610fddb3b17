// Plots with two real axes: roofline, sweep, history.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "gui/model/text/step_title.hpp"
#include "gui/panels/plots/plots.hpp"
#include "gui/panels/widgets.hpp"

namespace dojo::gui {

namespace {
/// Series differ in shape as well as in colour, and none hides another: the student is a disc, the reference
/// a wider open diamond, a library a still wider open square.
void point(const PlotArea& a, float x, float y, Series s, bool large = false) {
  auto& t = theme();
  const float r = large ? px(5) : px(3.2f), line = large ? px(2) : px(1.6f), out = r * 2.3f, side = r * 2.2f;
  if (s == Series::reference)
    a.draw->AddQuad({x, y - out}, {x + out, y}, {x, y + out}, {x - out, y}, t.of(s), line);
  else if (s == Series::library)
    a.draw->AddRect({x - side, y - side}, {x + side, y + side}, t.of(s), 0, 0, line);
  else
    a.draw->AddCircleFilled({x, y}, r, t.of(s));
}
void nothing(const PlotArea& a, const std::string& text, float left) {
  a.draw->PopClipRect();
  text_wrapped_at(a.draw, fonts().ui, {a.min.x - left, a.min.y + px(8)}, theme().muted, text,
                  a.width() + left);
  a.draw->PushClipRect(a.min, a.max, true);
}
}  // namespace

void Plots::plot_roofline(ImVec2 size) {
  auto& t = theme();
  auto* v = s_.view();
  Roofline data = roofline(report_for("roofline"));
  auto& f = frames_["roofline"];
  std::vector<LegendItem> legend;
  double lo = 0.05, hi = 200, top = data.peak_gflops > 0 ? data.peak_gflops * 2 : 1000, low = top / 1e5;
  for (auto& p : data.points) {
    std::string name = to_string(p.series);
    if (std::none_of(legend.begin(), legend.end(), [&](auto& l) { return l.label == name; }))
      legend.push_back({name, t.of(p.series), hidden(p.series)});
    lo = std::min(lo, p.intensity / 3);
    hi = std::max(hi, p.intensity * 3);
    low = std::min(low, p.gflops / 3);
  }
  f.view.keep_y = false;
  f.view.set_home({lo, hi, true}, {low, top, true});
  PlotSpec spec;
  auto& info = plot_info("roofline");
  spec.title = info.says;
  spec.note = info.note;
  spec.x_label = data.empty() ? "" : "operations per byte";
  spec.y_label = data.empty() ? "" : "10⁹ operations per second";
  spec.x_ticks = spec.y_ticks = !data.empty();
  spec.legend = &legend;
  PlotArea a;
  if (!plot_begin("roofline", size, spec, a)) return;
  std::vector<std::string> hover;
  if (data.empty()) {
    nothing(a, v->has_report ? "This run counts no operations." : "Run it (F5) to see where it stands.", 0);
  } else {
    double ridge = data.peak_gflops / std::max(1e-9, data.peak_gbps);
    // The roofline: the memory bandwidth's slope, then the flat part of peak arithmetic.
    auto roof = [&](double x) { return std::min(data.peak_gflops, x * data.peak_gbps); };
    double xs[] = {a.view->x.lo, std::clamp(ridge, a.view->x.lo, a.view->x.hi), a.view->x.hi};
    for (int i = 0; i < 3; ++i) a.draw->PathLineTo({a.x(xs[i]), a.y(roof(xs[i]))});
    a.draw->PathStroke(t.text, 0, px(2));
    std::string memory = grouped(std::round(data.peak_gbps)) + " GB/s",
                arithmetic = si(data.peak_gflops * 1e9) + "FLOP/s";
    // Above the slope, where no point can be.
    const double beside =
        std::pow(a.view->x.lo, 0.45) * std::pow(std::clamp(ridge, a.view->x.lo, a.view->x.hi), 0.55);
    const ImVec2 words = text_size(fonts().small, memory);
    text_at(a.draw, fonts().small,
            {std::max(a.min.x + px(4), a.x(beside) - words.x - px(10)), a.y(roof(beside)) - words.y}, t.muted,
            memory);
    text_at(a.draw, fonts().small,
            {a.max.x - text_size(fonts().small, arithmetic).x - px(6),
             a.y(data.peak_gflops) - (a.y(data.peak_gflops) - px(18) < a.min.y ? -px(4) : px(18))},
            t.muted, arithmetic);
    std::vector<const RoofPoint*> shown;
    for (auto& p : data.points)
      if (!hidden(p.series)) shown.push_back(&p);
    // Labels of points that are close together are stacked.
    std::vector<double> at_y;
    for (auto* p : shown) at_y.push_back(double(a.y(p->gflops)));
    const auto label_y = spread(at_y, double(fonts().small->FontSize));
    for (size_t i = 0; i < shown.size(); ++i) {
      auto& p = *shown[i];
      const float x = a.x(p.intensity), y = a.y(p.gflops);
      a.draw->AddLine({x, y}, {x, a.y(roof(p.intensity))}, fade(t.of(p.series), 0.4f), px(1.5f));
      point(a, x, y, p.series, true);
      const float lx = x + px(16), lw = text_size(fonts().small, p.label).x;
      text_at(a.draw, fonts().small,
              {lx + lw > a.max.x ? x - px(16) - lw : lx, float(label_y[i]) - fonts().small->FontSize / 2},
              t.text, p.label);
      if (!a.hovered || std::hypot(a.mouse.x - x, a.mouse.y - y) >= px(14)) continue;
      hover.push_back(p.label);
      hover.push_back(fmt::format("{} operations per byte", number(p.intensity)));
      hover.push_back(fmt::format("{} GFLOP/s, {:.1f} % of its roof", number(p.gflops),
                                  100 * p.gflops / roof(p.intensity)));
      hover.push_back(p.intensity < ridge ? "left of the ridge: memory is its roof"
                                          : "right of the ridge: arithmetic is its roof");
    }
    if (a.hovered && hover.empty() && roof(a.at_x(a.mouse.x)) > 0)
      hover = {fmt::format("{} operations per byte", number(a.at_x(a.mouse.x))),
               fmt::format("at most {}FLOP/s", si(roof(a.at_x(a.mouse.x)) * 1e9))};
  }
  plot_end(a, hover);
}

namespace {
/// The dashed line of the memory's peak.
void peak_line(const PlotArea& a, double peak) {
  const float y = a.y(peak);
  for (float x = a.min.x; x < a.max.x; x += px(7))
    a.draw->AddLine({x, y}, {x + px(4), y}, theme().text, px(1.2f));
  // Below the line where the plot ends right above it.
  const float above = y - fonts().small->FontSize - px(3);
  text_at(a.draw, fonts().small, {a.min.x + px(6), above < a.min.y ? y + px(3) : above}, theme().muted,
          fmt::format("peak {} GB/s", grouped(std::round(peak))));
}

/// The other tiers are the background: thin, named at their right ends. Returns what the mouse is on.
std::vector<std::string> draw_tiers(const PlotArea& a, const Sweep& sweep, const Catalog& catalog) {
  auto& t = theme();
  auto tiers = sweep.tiers;
  std::erase_if(tiers, [](auto& t) { return t.second.empty(); });
  std::sort(tiers.begin(), tiers.end(),
            [](auto& p, auto& q) { return p.second.back().second > q.second.back().second; });
  std::vector<std::string> hover;
  float last_label = -1e9f;
  for (auto& [id, curve] : tiers) {
    const Step& step = catalog.find(id);
    const Lab& lab = catalog.lab_of(step);
    const std::string title = step_title(lab, step), nr = step_number(lab, step);
    for (auto& [x, y] : curve) {
      a.draw->PathLineTo({a.x(x), a.y(y)});
      if (a.hovered && std::hypot(a.mouse.x - a.x(x), a.mouse.y - a.y(y)) < px(8))
        hover = {title, fmt::format("{} {} at {}", number(y), sweep.y_label, number(x))};
    }
    a.draw->PathStroke(fade(t.muted, 0.7f), 0, px(1.2f));
    // The title where it leaves the curves most of the room; else the number, and the title under the mouse.
    const bool whole = nr.empty() || text_size(fonts().small, title).x <= a.width() * 0.3f;
    const std::string& label = whole ? title : nr;
    const float h = fonts().small->FontSize, y = std::max(a.y(curve.back().second) - h / 2, last_label + h);
    const float x =
        std::min(a.x(curve.back().first) + px(11), a.max.x - text_size(fonts().small, label).x - px(4));
    text_at(a.draw, fonts().small, {x, y}, t.muted, label);
    last_label = y;
  }
  return hover;
}

/// One of the two curves. Returns what the mouse is on.
std::vector<std::string> draw_curve(const PlotArea& a, const Sweep& sweep, Series s) {
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
          fmt::format("You: {} {}, {}", number(p.student), sweep.y_label, time_text(p.student_us)),
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

/// The view of all points; `peak`: 0 where the axis has none.
void set_sweep_view(View& view, const Sweep& sweep, bool mine, double peak) {
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
    view.set_home({lo - (hi - lo) * 0.04, hi + (hi - lo) * 0.04, false}, up);
  else
    view.set_home({lo / 1.3, std::max(hi, lo * 2) * 1.3, true}, up);
}
}  // namespace

void Plots::plot_sweep(ImVec2 size) {
  auto& t = theme();
  auto& sweep = s_.sweep();
  const bool mine =
      s_.step() && sweep.step == s_.step()->id() && !sweep.points.empty() && !s_.sweep_answers();
  // The memory's peak belongs on an axis of GB/s only.
  double peak = 0;
  if (auto* d = s_.device_info(); d && sweep.y_label == "GB/s") peak = d->peak_gbps;
  set_sweep_view(frames_["sweep"].view, sweep, mine, peak);
  std::vector<LegendItem> legend = {{"You", t.of(Series::student), hidden(Series::student)},
                                    {"Reference", t.of(Series::reference), hidden(Series::reference)}};
  const std::string others = "Other tiers";
  if (mine && !sweep.tiers.empty()) legend.push_back({others, t.muted, hidden(others)});
  PlotSpec spec;
  spec.title = mine ? sweep.y_label + " over " + sweep.x_label : plot_info("sweep").says;
  spec.title[0] = char(std::toupper(static_cast<unsigned char>(spec.title[0])));
  spec.note = plot_info("sweep").note;
  spec.x_ticks = spec.y_ticks = mine;
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
    if (peak > 0) peak_line(a, peak);
    if (!hidden(others)) hover = draw_tiers(a, sweep, s_.catalog());
    for (Series s : {Series::reference, Series::student})
      if (!hidden(s))
        if (auto over = draw_curve(a, sweep, s); !over.empty()) hover = over;
  }
  plot_end(a, hover);
  if (!mine) offer_sweep(at);
}

/// In the place of the curves: what a sweep is, and the button that starts it.
void Plots::offer_sweep(ImVec2 at) {
  auto& sweep = s_.sweep();
  const ImVec2 keep = ImGui::GetCursorScreenPos();
  ImGui::SetCursorScreenPos({at.x, at.y + px(40)});
  const bool mine = s_.step() && sweep.step == s_.step()->id();
  if (s_.sweep_answers()) {
    text_wrapped_in(
        fonts().ui, theme().muted,
        "The curve shows what the prediction asks for. Predict first, or run without predicting.");
    ImGui::SetCursorScreenPos({at.x, ImGui::GetCursorScreenPos().y + px(8)});
    if (primary_button("Predict", Icon::play)) s_.ui.predict = true;
    ImGui::SetCursorScreenPos(keep);
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
  ImGui::SetCursorScreenPos(keep);
}

void Plots::plot_history(ImVec2 size) {
  auto& t = theme();
  auto* v = s_.view();
  auto& f = frames_["history"];
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
  if (!runs.empty()) legend.push_back({"You", t.of(Series::student), !mine});
  if (reference > 0) legend.push_back({"Reference", t.of(Series::reference), !theirs});
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

}  // namespace dojo::gui
