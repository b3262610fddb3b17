// The plots' panel: which plot, and the simple ones (bars).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>

#include "core/counters.hpp"
#include "gui/panels/plots/plots.hpp"
#include "gui/panels/widgets.hpp"

namespace dojo::gui {

const RunReport* Plots::earlier_run() {
  if (s_.ui.lecture)
    if (auto* r = s_.slide_against()) return r;
  // The student's last correct run of the previous step of this lab, on the same device and size.
  auto* v = s_.view();
  auto* previous = s_.step() ? s_.catalog().previous(*s_.step()) : nullptr;
  auto* pv = previous ? s_.view_of(previous->id()) : nullptr;
  if (!v || !v->has_report || !pv) return nullptr;
  auto fits = [&](const Report& r) {
    return r.device.name == v->report.device.name && r.size == v->report.size;
  };
  if (pv->has_report && fits(pv->report)) return student_run(pv->report);
  for (auto it = pv->history.rbegin(); it != pv->history.rend(); ++it)
    if (fits(it->report)) return student_run(it->report);
  return nullptr;
}

void Plots::tabs(const std::string& chosen) {
  auto& t = theme();
  const PlotInfo &now = plot_info(chosen), &own = plot_info(s_.step() ? s_.step()->picture : "time");
  const bool units = s_.view() && s_.view()->has_report && in_units(s_.view()->report.device);
  auto hidden_here = [&](const PlotInfo& p) {
    return units && (p.key == std::string("bandwidth") || p.key == std::string("roofline"));
  };
  auto mark_own = [&] {
    const ImVec2 lo = ImGui::GetItemRectMin(), hi = ImGui::GetItemRectMax();
    ImGui::GetWindowDrawList()->AddCircleFilled({hi.x - px(4), lo.y + px(4)}, px(3), t.warn);
  };
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {px(2), px(2)});
  // A family opens its plot of this step, else its first one.
  for (PlotFamily family : plot_families) {
    if (family != plot_families[0]) ImGui::SameLine();
    if (pill(fmt::format("{}##family", to_string(family)).c_str(), family == now.family) &&
        family != now.family) {
      const PlotInfo* first = own.family == family ? &own : nullptr;
      for (auto& info : plot_infos())
        if (!first && info.family == family && !hidden_here(info)) first = &info;
      if (first) s_.choose_plot(first->key);
    }
    if (own.family == family) {
      mark_own();
      tip(std::string("This step is about: ") + own.title);
    }
  }
  gap(2);
  bool first = true;
  for (auto& info : plot_infos()) {
    if (info.family != now.family || hidden_here(info)) continue;
    if (!first) wrap_next(text_size(fonts().small, info.title).x + px(16));
    first = false;
    if (tab_link(info.title, chosen == info.key)) s_.choose_plot(info.key);
    tip(&info == &own ? std::string(info.says) + "\nThis step's own plot." : info.says);
    if (&info == &own) mark_own();
  }
  ImGui::PopStyleVar();
}

void Plots::draw(bool large) {
  std::string chosen = s_.plot();
  tabs(chosen);
  chosen = s_.plot();
  gap(4);
  ImVec2 room = ImGui::GetContentRegionAvail();
  // With enough room, the times are above the chosen plot.
  if (large && room.y > px(640) && chosen != "time") {
    plot("time", {room.x, px(190)});
    gap(10);
    room = ImGui::GetContentRegionAvail();
  }
  plot(chosen, room);
}

bool Plots::hidden(const std::string& series) const {
  auto it = s_.settings.hidden_series.find(series);
  return it != s_.settings.hidden_series.end() && it->second;
}

bool Plots::hidden(Series s) const { return hidden(std::string(to_string(s))); }

void Plots::open_maps_at(int line) {
  for (int k : {0, 1}) real_line_[k] = line, real_at_[k] = -1;
}

bool Plots::plot_begin(const std::string& key, ImVec2 size, const PlotSpec& spec, PlotArea& a,
                       const std::function<Table()>& own_figures) {
  auto& f = frames_[key];
  if (s_.ui.fit_plots) f.view.fit();
  if (!begin_plot(f, key.c_str(), size, spec, a)) return false;
  if (spec.legend)
    for (auto& l : *spec.legend)
      if (l.clicked) {
        s_.settings.hidden_series[l.label] = !l.hidden;
        s_.settings_changed();
      }
  if (a.want_csv) {
    const std::string csv = to_csv(own_figures ? own_figures() : figures(key));
    ImGui::SetClipboardText(csv.c_str());
    s_.toast(fmt::format("{} lines of CSV are on the clipboard.", std::count(csv.begin(), csv.end(), '\n')),
             Tone::good);
  }
  if (a.want_png) {
    window_.png.due = true;
    window_.png.min = a.frame_min;
    window_.png.max = a.frame_max;
    std::string id = s_.step()->id();
    std::replace(id.begin(), id.end(), '/', '-');
    std::string when = now_text();
    for (char& c : when)
      if (c == ' ' || c == ':') c = '-';
    window_.png.file = id + "-" + key + "-" + when + ".png";
  }
  return true;
}

void Plots::plot_end(PlotArea& a, const std::vector<std::string>& hover) {
  end_plot(frames_[a.id], a);
  hover_box(a, hover);
  a.offer.hover = hover;
  offers[a.id] = std::move(a.offer);
}

const Report* Plots::report_for(const std::string& key) {
  auto* v = s_.view();
  if (!v->has_report) return nullptr;
  const bool speed = key == "time" || key == "bandwidth" || key == "roofline" || key == "bounds";
  if (!speed || !v->todo_line) return &v->report;
  if (const std::string of = v->id + "@" + std::to_string(v->report_serial); of != untouched_of_) {
    untouched_of_ = of;
    untouched_ = v->report;
    std::erase_if(untouched_.runs, [](const RunReport& r) { return r.who == "student"; });
  }
  return &untouched_;
}

Table Plots::figures(const std::string& key) {
  auto* v = s_.view();
  if (real_csv_ && s_.sample()) return access_table(*s_.sample(), *real_csv_);
  if (key == "lanes" && s_.sample()) return lane_table(*s_.sample(), lanes_warp_);
  if (key == "bankpattern") return pattern_table(banks_);
  if (key == "addresspattern") return pattern_table(addresses_);
  if (key == "whatif") return what_if_.table();
  if (key == "sweep") return sweep_table(s_.sweep());
  if (key == "history") return history_table(v->history);
  return plot_table(key, s_.step(), report_for(key), earlier_run(), s_.device_info());
}

void Plots::plot_divergence(ImVec2 size) {
  // Both where both have room; else one of the two.
  bool average = true, over_time = true;
  if (size.y < px(360)) {
    over_time = s_.ui.lanes_over_time, average = !over_time;
    if (pill("On average", average)) s_.ui.lanes_over_time = false;
    ImGui::SameLine(0, px(2));
    if (pill("Over time", over_time)) s_.ui.lanes_over_time = true;
  }
  const float room = ImGui::GetContentRegionAvail().y;
  if (average) plot_pairs("divergence", {size.x, over_time ? std::min(room * 0.46f, px(210)) : room});
  if (over_time) plot_lanes({size.x, ImGui::GetContentRegionAvail().y});
}

void Plots::plot(const std::string& key, ImVec2 size) {
  using Draw = void (*)(Plots&, ImVec2);
  static const std::map<std::string, Draw> draws = {
      {"time", [](Plots& p, ImVec2 z) { p.plot_bars("time", z); }},
      {"bandwidth", [](Plots& p, ImVec2 z) { p.plot_bars("bandwidth", z); }},
      {"timeline", [](Plots& p, ImVec2 z) { p.plot_timeline(z); }},
      {"streams", [](Plots& p, ImVec2 z) { p.plot_streams(z); }},
      {"waves", [](Plots& p, ImVec2 z) { p.plot_waves(z); }},
      {"occupancy", [](Plots& p, ImVec2 z) { p.plot_occupancy(z); }},
      {"roofline", [](Plots& p, ImVec2 z) { p.plot_roofline(z); }},
      {"stalls", [](Plots& p, ImVec2 z) { p.plot_pairs("stalls", z); }},
      {"bounds", [](Plots& p, ImVec2 z) { p.plot_pairs("bounds", z); }},
      {"divergence", [](Plots& p, ImVec2 z) { p.plot_divergence(z); }},
      {"bankmap", [](Plots& p, ImVec2 z) { p.plot_banks(z, false); }},
      {"bankpattern", [](Plots& p, ImVec2 z) { p.plot_banks(z, true); }},
      {"addresses", [](Plots& p, ImVec2 z) { p.plot_addresses(z, false); }},
      {"addresspattern", [](Plots& p, ImVec2 z) { p.plot_addresses(z, true); }},
      {"lanes", [](Plots& p, ImVec2 z) { p.plot_lanes(z); }},
      {"sweep", [](Plots& p, ImVec2 z) { p.plot_sweep(z); }},
      {"whatif", [](Plots& p, ImVec2 z) { p.plot_what_if(z); }},
      {"history", [](Plots& p, ImVec2 z) { p.plot_history(z); }},
  };
  if (auto it = draws.find(key); it != draws.end()) return it->second(*this, size);
  text_in(fonts().ui, theme().bad, "There is no plot '" + key + "'.");
}

void Plots::plot_bars(const std::string& key, ImVec2 size) {
  auto& t = theme();
  const Report* report = report_for(key);
  Bars data =
      key == "bandwidth" ? bandwidth_bars(s_.step(), report) : time_bars(s_.step(), report, earlier_run());
  std::vector<LegendItem> legend;
  std::vector<const Bar*> shown;
  for (auto& b : data.bars) {
    std::string name = to_string(b.series);
    if (std::none_of(legend.begin(), legend.end(), [&](auto& l) { return l.label == name; }))
      legend.push_back({name, t.of(b.series), hidden(b.series)});
    if (!hidden(b.series)) shown.push_back(&b);
  }
  auto& f = frames_[key];
  f.view.keep_y = true;
  f.view.set_home({0, axis_end(shown, data.limit), false}, {0, 1, false});
  PlotSpec spec;
  auto& info = plot_info(key);
  spec.title = info.says;
  spec.note = info.note;
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
  if (!f.note && !shown.empty()) size.y = std::min(size.y, px(96) + (thick + px(2)) * float(shown.size()));
  PlotArea a;
  if (!plot_begin(key, size, spec, a)) return;
  ImDrawList* d = a.draw;
  d->PopClipRect();  // labels stand left of the area
  std::vector<std::string> hover;
  if (data.empty()) {
    std::string text =
        report ? "This run has no time to show."
               : "Run the step to see its " + std::string(key == "bandwidth" ? "bandwidth." : "time.");
    text_at(d, fonts().ui, {a.min.x - spec.left, a.min.y + px(8)}, t.muted, text, a.width() + spec.left);
  }
  float row = shown.empty() ? 0 : std::min(thick, a.height() / float(shown.size())), bar = row * 0.58f;
  for (size_t i = 0; i < shown.size(); ++i) {
    auto& b = *shown[i];
    float cy = a.min.y + row * (float(i) + 0.5f);
    if (cy + bar / 2 > a.max.y + 1) break;
    text_at(d, fonts().ui,
            {a.min.x - px(10) - std::min(label_w, text_size(fonts().ui, b.label).x),
             cy - fonts().ui->FontSize / 2},
            t.text, b.label, label_w + 1);
    float x0 = std::max(a.min.x, a.x(0)), x1 = std::clamp(a.x(b.value), x0 + px(2), a.max.x);
    bool other = b.series == Series::published;  // hatched: measured on another GPU or size
    ImU32 c = t.of(b.series);
    d->AddRectFilled({x0, cy - bar / 2}, {x1, cy + bar / 2}, other ? fade(c, 0.30f) : c, px(3));
    if (other) d->AddRect({x0, cy - bar / 2}, {x1, cy + bar / 2}, c, px(3));
    if (other && a.x(b.value) > a.max.x + 1)  // a cut bar: two strokes across it
      for (float part : {0.0f, 1.0f}) {
        const float x = x1 - px(22) + part * px(6), lean = px(4);
        if (part == 0)
          d->AddQuadFilled({x - lean, cy + bar / 2 + px(2)}, {x + lean, cy - bar / 2 - px(2)},
                           {x + lean + px(6), cy - bar / 2 - px(2)}, {x - lean + px(6), cy + bar / 2 + px(2)},
                           t.panel);
        d->AddLine({x - lean, cy + bar / 2 + px(2)}, {x + lean, cy - bar / 2 - px(2)}, c, px(1.5f));
      }
    if (b.hi > b.lo) {
      float l = a.x(b.lo), h = a.x(b.hi);
      d->AddLine({l, cy}, {h, cy}, t.text, px(1.5f));
      for (float x : {l, h}) d->AddLine({x, cy - px(5)}, {x, cy + px(5)}, t.text, px(1.5f));
    }
    float tw = text_size(fonts().strong, b.text).x;
    // Not across the line of the peak either.
    const float peak = data.limit > 0 ? a.x(data.limit) : a.max.x + px(8);
    bool inside = x1 + px(8) + tw > a.max.x || (peak > x1 && peak < x1 + px(12) + tw);
    if (inside && x1 - x0 < tw + px(16))
      inside = false;  // no room for either: the window's edge cuts the text
    const bool cut = other && a.x(b.value) > a.max.x + 1;
    text_at(d, fonts().strong,
            {inside ? (b.hi > b.lo ? std::min(x1, a.x(b.lo)) : x1) - tw - px(cut ? 36 : 8)
                    : std::max(x1, b.hi > b.lo ? a.x(b.hi) : x1) + px(8),
             cy - fonts().strong->FontSize / 2},
            inside ? (other ? t.text : t.on_accent) : t.text, b.text);
    if (a.hovered && std::fabs(a.mouse.y - cy) < row / 2) {
      hover = {b.label + ": " + number(b.value) + " " + data.unit};
      if (b.hi > b.lo) hover.push_back("between " + number(b.lo) + " and " + number(b.hi));
      hover.push_back(b.detail);
      if (report && shown[0]->value > 0 && i > 0 && shown[0]->series == Series::student)
        hover.push_back(fmt::format("{:.2f} × yours", b.value / shown[0]->value));
    }
  }
  if (data.limit > 0 && a.x(data.limit) <= a.max.x + 1) {
    float x = a.x(data.limit), y1 = a.min.y + row * float(shown.size());
    for (float y = a.min.y; y < y1; y += px(7))
      d->AddLine({x, y}, {x, std::min(y1, y + px(4))}, t.text, px(1.5f));
    float w = text_size(fonts().small, data.limit_text).x;
    text_at(d, fonts().small,
            {std::max(a.min.x, x - w - px(2)), std::min(y1 + px(3), a.max.y - fonts().small->FontSize)},
            t.muted, data.limit_text);
  }
  d->PushClipRect(a.min, a.max, true);
  plot_end(a, hover);
  if (!data.elsewhere.empty() && size.y + fonts().small->FontSize + px(6) <= room)
    text_at(ImGui::GetWindowDrawList(), fonts().small, {corner.x, corner.y + size.y + px(4)}, t.muted,
            data.elsewhere, size.x);
}

void Plots::plot_pairs(const std::string& key, ImVec2 size) {
  auto& t = theme();
  const Report* report = report_for(key);
  Pairs data = key == "stalls"   ? stall_pairs(report)
               : key == "bounds" ? bound_pairs(report)
                                 : lane_pairs(report);
  std::vector<LegendItem> legend;
  if (data.has_student) legend.push_back({"You", t.of(Series::student), hidden(Series::student)});
  if (data.has_reference) legend.push_back({"Reference", t.of(Series::reference), hidden(Series::reference)});
  double most = key == "divergence" ? 32 : 0;
  float label_w = 0;
  for (auto& r : data.rows) {
    most = std::max({most, r.student, r.reference});
    label_w = std::max(label_w, text_size(fonts().ui, r.label).x);
  }
  label_w = std::min(label_w, size.x * 0.42f);
  auto& f = frames_[key];
  f.view.keep_y = true;
  f.view.set_home({0, most > 0 ? most * (key == "divergence" ? 1.0 : 1.12) : 1, false}, {0, 1, false});
  PlotSpec spec;
  auto& info = plot_info(key);
  spec.title = info.says;
  spec.note = info.note;
  spec.y_ticks = false;
  spec.x_ticks = !data.empty();
  spec.x_label = data.empty() ? "" : data.unit;
  spec.left = label_w + px(12);
  spec.legend = &legend;
  const float thick = std::clamp(size.y * 0.12f, px(44), px(84));
  if (!f.note && !data.rows.empty())
    size.y = std::min(size.y, px(96) + (thick + px(2)) * float(data.rows.size()));
  PlotArea a;
  if (!plot_begin(key, size, spec, a)) return;
  ImDrawList* d = a.draw;
  d->PopClipRect();
  std::vector<std::string> hover;
  if (data.empty())
    text_at(d, fonts().ui, {a.min.x - spec.left, a.min.y + px(8)}, t.muted,
            report ? "This run has no such figures." : "Run the step to see them.", size.x);
  float row = data.rows.empty() ? 0 : std::min(thick, a.height() / float(data.rows.size()));
  if (row > 0 && row < px(18)) row = px(18);
  for (size_t i = 0; i < data.rows.size(); ++i) {
    auto& r = data.rows[i];
    float y = a.min.y + row * float(i), bar = row * 0.32f;
    if (y + row > a.max.y + 1) break;
    text_at(d, fonts().ui,
            {a.min.x - px(10) - std::min(label_w, text_size(fonts().ui, r.label).x),
             y + (row - fonts().ui->FontSize) / 2},
            t.text, r.label, label_w + 1);
    auto draw = [&](double value, float cy, Series s) {
      if (hidden(s)) return;
      float x0 = std::max(a.min.x, a.x(0)), x1 = std::clamp(a.x(value), x0, a.max.x);
      d->AddRectFilled({x0, cy - bar / 2}, {std::max(x1, x0 + px(1)), cy + bar / 2}, t.of(s), px(2));
      std::string text = number(std::round(value * 100) / 100);
      float tw = text_size(fonts().small, text).x;
      if (row < px(22)) return;
      // Behind the bar, or in its end where that is at the edge.
      const bool beside = x1 + tw + px(8) < a.max.x;
      if (!beside && (bar < fonts().small->FontSize || x1 - x0 < tw + px(12))) return;
      text_at(d, fonts().small, {beside ? x1 + px(5) : x1 - tw - px(6), cy - fonts().small->FontSize / 2},
              beside ? t.muted : t.on_accent, text);
    };
    if (data.has_student)
      draw(r.student, y + row / 2 - (data.has_reference ? bar * 0.56f : 0), Series::student);
    if (data.has_reference)
      draw(r.reference, y + row / 2 + (data.has_student ? bar * 0.56f : 0), Series::reference);
    if (a.hovered && a.mouse.y >= y && a.mouse.y < y + row) {
      hover = {r.label};
      if (!r.help.empty()) hover.push_back(r.help);
      if (data.has_student) hover.push_back("You: " + number(r.student) + " " + data.unit);
      if (data.has_reference) hover.push_back("Reference: " + number(r.reference) + " " + data.unit);
    }
  }
  d->PushClipRect(a.min, a.max, true);
  plot_end(a, hover);
}

}  // namespace dojo::gui
