// The plots' panel: which plot stands where.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/counters.hpp"
#include "gui/panels/plots/drawing.hpp"
#include "gui/panels/widgets.hpp"

namespace dojo::gui {

Plots::Plots(WindowState& w, SlowMotionPanel& motion) : s_(w.s), window_(w), motion_(motion) {
#define DOJO_PLOT(key, title, measure, family, says, note) drawings_[#key] = key##_plot(*this);
#define DOJO_INNER_PLOT(key, title, says, note) drawings_[#key] = key##_plot(*this);
#include "gui/model/plots/plots.def"
}
Plots::~Plots() = default;

const RunReport* Plots::earlier_run() {
  if (s_.ui.lecture)
    if (auto* r = s_.lectern.against()) return r;
  // The student's last correct run of the previous step of this lab, on the same device and size. It stands
  // beside no other's file.
  if (!is_yours()) return nullptr;
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
  auto hidden_here = [&](const PlotInfo& p) { return units && p.measure == Measure::rate; };
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
      tip_below(std::string("This step is about: ") + own.title);
    }
  }
  gap(2);
  bool first = true;
  for (auto& info : plot_infos()) {
    if (info.family != now.family || hidden_here(info)) continue;
    if (!first) wrap_next(text_size(fonts().small, info.title).x + px(16));
    first = false;
    if (tab_link(info.title, chosen == info.key)) s_.choose_plot(info.key);
    tip_below(&info == &own ? std::string(info.says) + "\nThis step's own plot." : info.says);
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
  if (large && room.y > px(640) && chosen != "time" && s_.view() && s_.view()->has_report) {
    plot("time", {room.x, px(190)});
    gap(10);
    room = ImGui::GetContentRegionAvail();
  }
  plot(chosen, room);
}

bool Plots::hidden(const std::string& key) const {
  auto it = s_.settings.hidden_series.find(key);
  return it != s_.settings.hidden_series.end() && it->second;
}

LegendItem Plots::entry(const std::string& key, const std::string& label, ImU32 colour) const {
  return {key, label, colour, hidden(key)};
}

LegendItem Plots::entry(Series s) const { return entry(key_of(s), side(s), theme().of(s)); }

std::string Plots::side(Series s) const { return s == Series::student ? s_.student_name() : to_string(s); }

bool Plots::is_yours() const { return !s_.lectern.shows_reference() && s_.shows_own_run(); }

void Plots::open_maps_at(int line) {
  for (auto& [key, drawing] : drawings_) drawing->open_at(line);
}

bool Plots::plot_begin(const std::string& key, ImVec2 size, const PlotSpec& spec, PlotArea& a,
                       const std::function<Table()>& figures) {
  auto& f = frames_[key];
  if (s_.ui.fit_plots) f.view.fit();
  if (!begin_plot(f, key.c_str(), size, spec, a)) return false;
  if (spec.legend)
    for (auto& l : *spec.legend)
      if (l.clicked) {
        s_.settings.hidden_series[l.key] = !l.hidden;
        s_.settings_changed();
      }
  if (a.want_csv) {
    Table copied = figures();
    for (auto& row : copied.rows)
      for (auto& cell : row)
        if (cell == to_string(Series::student)) cell = side(Series::student);
    const std::string csv = to_csv(copied);
    ImGui::SetClipboardText(csv.c_str());
    s_.toast(fmt::format("{} lines of CSV are on the clipboard.", std::count(csv.begin(), csv.end(), '\n')),
             Tone::good);
  }
  if (a.want_png) {
    window_.png.due = true;
    window_.png.min = a.frame_min;
    window_.png.max = a.frame_max;
    window_.png.file = as_file_name(s_.step()->id() + "-" + key + "-" + now_text()) + ".png";
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
  const bool speed = plot_info(key).measure != Measure::other;
  if (!speed || (!v->todo_line && !v->student_blocks.stopped)) return &v->report;
  if (const std::string of = v->id + "@" + std::to_string(v->report_serial); of != untouched_of_) {
    untouched_of_ = of;
    untouched_ = v->report;
    std::erase_if(untouched_.runs, [](const RunReport& r) { return r.who == "student"; });
  }
  return &untouched_;
}

std::string PlotDrawing::no_sample() const {
  const auto* v = s_.view();
  return s_.recorder.recording()                         ? "Recording block 0…"
         : v && !v->stand_in && !v->file_problem.empty() ? v->file_problem
                                                         : s_.recorder.error;
}

void Plots::plot(const std::string& key, ImVec2 size) {
  if (auto it = drawings_.find(key); it != drawings_.end()) return it->second->draw(size);
  text_in(fonts().ui, theme().bad, "The plot '" + key + "' is drawn by another panel.");
}

}  // namespace dojo::gui
