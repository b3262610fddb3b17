// The block timeline: student above, reference below, one time axis.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gui/look.hpp"
#include "gui/model/plots/no_figures.hpp"
#include "gui/panels/plots/alternate.hpp"
#include "gui/panels/plots/drawing.hpp"
#include "gui/panels/plots/timeline_clock.hpp"
#include "gui/panels/widgets.hpp"

namespace dojo::gui {

namespace {
/// Kernels of both runs by name, in order of their first launch.
std::vector<std::string> kernels_of(const std::vector<const RunReport*>& runs) {
  std::vector<std::string> out;
  for (auto* run : runs)
    for (auto& l : run->launches)
      if (std::find(out.begin(), out.end(), l.kernel) == out.end()) out.push_back(l.kernel);
  return out;
}

/// The colour and the label of each launch: the run's colour for one kernel, else one colour per kernel.
struct LaunchLook {
  std::vector<ImU32> colour;
  std::vector<std::string> label;  ///< empty: one kernel only
  std::vector<bool> hidden;
  bool idle_shown = true, waits_shown = true, stuck_shown = true;
};

ImU32 idle_colour() { return mix(theme().panel, theme().warn, 0.14f); }

/// The hatching over a block that waits, and the mark of a wait that never ends.
/// A wait that never ends hides what the block did; another one lets it shine through.
ImU32 waiting_veil(bool for_ever) {
  return for_ever ? mix(theme().panel, theme().bad, 0.7f) : fade(theme().ground, 0.62f);
}
const char* const idle_name = "Idle SM";
const char* const waits_name = "Waits";
const char* const stuck_name = "Waits forever";

ImU32 kernel_colour(size_t k) {
  auto& t = theme();
  return k < 4 ? t.data[k] : mix(t.data[k % 4], t.text, 0.4f);
}

/// Rows of one run between y0 and y1.
void draw_rows(const Timeline& tl, const PlotArea& a, float y0, float y1, const LaunchLook& look) {
  auto& t = theme();
  if (tl.sms <= 0) return;
  float row = (y1 - y0) / float(tl.sms);
  bool lanes = row >= 9;
  // Idle: the ground of the rows until the run's end. Blocks cover what is busy.
  const float x0 = std::max(a.x(0), a.min.x), x1 = tl.stopped ? a.max.x : std::min(a.x(tl.end_us), a.max.x);
  if (x1 > x0 + 1 && look.idle_shown) a.draw->AddRectFilled({x0, y0}, {x1, y1}, idle_colour());
  auto stretches = decimate(tl, a.view->x.lo, a.view->x.hi, a.width(), lanes);
  float inset = row >= 5 ? std::min(1.0f, row * 0.1f) : 0;
  ImU32 edge = fade(t.panel, 0.75f);
  for (auto& s : stretches) {
    if (look.hidden[s.launch]) continue;
    float sy = y0 + row * float(s.sm), h = row / float(s.lanes);
    float top = sy + h * float(s.lane) + inset, bottom = sy + h * float(s.lane + 1) - inset;
    if (!lanes) top = std::floor(top), bottom = std::max(top + 1, std::floor(bottom));
    float l = std::max(a.min.x, a.x(s.start)), r = std::min(a.max.x, a.x(s.end));
    if (r - l < 0.8f) r = l + 0.8f;
    ImU32 c = look.colour[s.launch];
    // Consecutive blocks alternate slightly in brightness where they are wide enough, so that their ends
    // show.
    if (s.blocks == 1 && (tl.spans[s.first].block & 1)) c = alternate(c);
    a.draw->AddRectFilled({l, top}, {r, bottom}, c);
    if (s.blocks == 1 && r - l > 5 && bottom - top > 3) last_pixel(a.draw, {l, top}, {r, bottom}, edge);
    const std::string& label = look.label[s.launch];
    if (label.empty() || s.blocks != 1 || bottom - top < fonts().small->FontSize + 1) continue;
    if (!tl.waits.empty()) {  // beside the hatching of a wait, not below it
      const auto free = longest_without_wait(tl, s.sm, float(s.start), float(s.end));
      l = std::max(l, a.x(free[0])), r = std::min(r, a.x(free[1]));
    }
    if (const float w = text_size(fonts().small, label).x; r - l > w + px(8))
      text_at(a.draw, fonts().small, {(l + r - w) / 2, (top + bottom - fonts().small->FontSize) / 2},
              text_on(c), label);
  }
  // Rows are too low for every slot: the first slot represents its SM. Its blocks alternate in brightness, so
  // that waves show as bands.
  if (!lanes) {
    double us_px = (a.view->x.hi - a.view->x.lo) / a.width();
    for (int sm = 0; sm < tl.sms; ++sm) {
      // Whole pixels: a seam or an overlap of two rows would show as stripes.
      float top = std::floor(y0 + row * float(sm)), bottom = std::floor(y0 + row * float(sm + 1));
      if (bottom <= top) continue;
      int nth = 0;
      for (uint32_t i = tl.row[size_t(sm)]; i < tl.row[size_t(sm) + 1] && tl.lane[i] == 0; ++i, ++nth) {
        auto& s = tl.spans[i];
        if (!(nth & 1) || s.end - s.start < 3 * us_px || s.end < a.view->x.lo || s.start > a.view->x.hi)
          continue;
        a.draw->AddRectFilled({std::max(a.min.x, a.x(s.start)), top}, {std::min(a.max.x, a.x(s.end)), bottom},
                              fade(t.ground, 0.30f));
      }
    }
  }
  for (auto& w : tl.waits) {
    const bool for_ever = std::isinf(w[2]);
    if (!(for_ever ? look.stuck_shown : look.waits_shown)) continue;
    float l = std::max(a.min.x, a.x(w[1])), r = std::min(a.max.x, a.x(w[2])), top = y0 + row * w[0];
    if (r <= l) continue;
    a.draw->AddRectFilled({l, top + inset}, {r, top + row - inset}, waiting_veil(for_ever));
    if (row > 8)
      for (float x = l; x < r - 3; x += px(6))
        a.draw->AddLine({x, top + row - inset}, {std::min(r, x + px(5)), top + inset}, fade(t.text, 0.25f));
  }
}

std::string blocks_text(uint64_t n) {
  return fmt::format("{} block{}", grouped(double(n)), n == 1 ? "" : "s");
}

/// One line about a run's blocks: how many ended, wait, or never began.
std::string run_text(const Timeline& tl, const std::string& who, const ReportDevice& device) {
  if (!tl.stopped)
    return fmt::format("{}: {} in {}, {} of SM time idle", who, blocks_text(tl.spans.size()),
                       time_on(device, tl.end_us), share_text(tl.idle_share));
  std::string says;
  const auto add = [&](uint64_t n, const char* one, const char* many) {
    if (n) says += (says.empty() ? blocks_text(n) : ", " + grouped(double(n))) + (n == 1 ? one : many);
  };
  add(tl.waits_for_ever, " waits forever", " wait forever");
  add(tl.runs, " still runs", " still run");
  add(tl.spans.size() - tl.runs - tl.waits_for_ever, " ended", " ended");
  add(tl.not_begun, " never began", " never began");
  return who + ", stopped: " + says;
}

/// The time span of the first view. For a stopped run it ends shortly after the last event.
double shown_us(const Timeline& tl) {
  return tl.stopped ? (tl.settled_us > 0 ? 1.3 * tl.settled_us : tl.end_us) : tl.end_us;
}

struct TimelineRun {
  const Timeline* tl;
  const RunReport* run;
  Series series;
  std::string who;
};

std::string kernel_key(const std::string& kernel) { return "kernel " + kernel; }

/// The colours of a run's launches, and what of them the legend hides.
LaunchLook look_of(const TimelineRun& h, const std::vector<std::string>& kernels, const Plots& plots) {
  LaunchLook look;
  look.idle_shown = !plots.hidden("idle");
  look.waits_shown = !plots.hidden("waits"), look.stuck_shown = !plots.hidden("stuck");
  const bool many = kernels.size() > 1;
  for (auto& l : h.run->launches) {
    const size_t k = size_t(std::find(kernels.begin(), kernels.end(), l.kernel) - kernels.begin());
    look.colour.push_back(many ? kernel_colour(k) : theme().of(h.series));
    look.label.push_back(many ? l.kernel : "");
    look.hidden.push_back(many && plots.hidden(kernel_key(l.kernel)));
  }
  return look;
}

/// What of kernels, idle SMs and waits the legend names, after You and Reference.
void name_parts(const std::vector<TimelineRun>& halves, const std::vector<std::string>& kernels,
                const Plots& plots, std::vector<LegendItem>& legend) {
  auto& t = theme();
  const bool many = kernels.size() > 1;
  if (many)
    for (size_t k = 0; k < kernels.size(); ++k)
      legend.push_back(plots.entry(kernel_key(kernels[k]), kernels[k], kernel_colour(k)));
  if (!halves.empty()) legend.push_back(plots.entry("idle", idle_name, idle_colour()));
  const auto any_wait = [&](bool for_ever) {
    return std::any_of(halves.begin(), halves.end(), [&](const TimelineRun& h) {
      return std::any_of(h.tl->waits.begin(), h.tl->waits.end(),
                         [&](auto& w) { return std::isinf(w[2]) == for_ever; });
    });
  };
  if (any_wait(false))
    // A wait has its kernel's colour, paler: with several kernels no single colour fits all.
    legend.push_back(
        plots.entry("waits", waits_name, mix(many ? t.muted : t.of(halves[0].series), t.ground, 0.62f)));
  if (any_wait(true)) legend.push_back(plots.entry("stuck", stuck_name, waiting_veil(true)));
}

/// In the place of the rows: why there are none.
void say_nothing(const PlotArea& a, float left, const StepView& v, bool stored, bool yours) {
  a.draw->PopClipRect();
  text_wrapped_at(a.draw, fonts().ui, {a.min.x - left, a.min.y + px(8)}, theme().muted,
                  no_figures(v, yours, "its blocks",
                             !v.shown_from.empty() && !stored
                                 ? "Blocks are not kept from an earlier start. F5 shows them."
                                 : "This run has no blocks to show."),
                  a.width() + left);
  a.draw->PushClipRect(a.min, a.max, true);
}

std::string timeline_title(const StepView& v, bool yours) {
  auto* r = v.has_report ? student_run(v.report) : nullptr;
  if (r && v.student_blocks.stopped)
    return yours ? "Your run, as far as it went" : "The run, as far as it went";
  if (r && v.student_blocks.spans.empty() && (r->status == Status::finding || r->status == Status::timeout))
    return yours ? "Your run stopped before its first block" : "The run stopped before its first block";
  return plot_info("timeline").says;
}

PlotSpec timeline_spec(const StepView& v, bool empty, bool yours) {
  PlotSpec spec;
  spec.title = timeline_title(v, yours);
  spec.note = plot_info("timeline").note;
  spec.x_label = empty ? "" : time_unit(v.report.device);
  spec.y_ticks = false;
  spec.x_ticks = !empty;
  spec.left = px(44);
  return spec;
}

/// The SMs' numbers left of the rows: the first, and some below it.
void sm_numbers(const PlotArea& a, const Timeline& tl, float y0, float y1, float row) {
  const float font = fonts().small->FontSize;
  const double closest = double(font * 1.7f) / double(row);  // SMs that letters are high
  int every = 100;
  for (int m : {50, 40, 25, 20, 10, 5, 2, 1})
    if (m >= closest) every = m;
  for (int sm = 0; sm < tl.sms; sm += every) {
    const std::string n = sm == 0 ? "SM 0" : std::to_string(sm);
    float y = y0 + row * (float(sm) + 0.5f) - font / 2;
    if (row < font) y = std::max(y0 - px(2), y);
    if (y + font > y1 + px(3)) break;
    text_at(a.draw, fonts().small, {a.min.x - px(6) - text_size(fonts().small, n).x, y}, theme().faint, n);
  }
}

/// What the mouse is over, in the rows from y0 down.
std::vector<std::string> under_mouse(const PlotArea& a, const TimelineRun& h, const ReportDevice& device,
                                     float y0, float row) {
  const Timeline& tl = *h.tl;
  const double us = a.at_x(a.mouse.x);
  const int sm = std::clamp(int((a.mouse.y - y0) / row), 0, tl.sms - 1);
  const double lane01 = std::clamp(double((a.mouse.y - y0) / row - float(sm)), 0.0, 0.999);
  const int64_t at = span_at(tl, sm, us, lane01, row >= 9);
  if (at < 0) {
    if (us < 0 || (us > tl.end_us && !tl.stopped)) return {};
    return {fmt::format("SM {} is idle", sm), time_on(device, us)};
  }
  auto& s = tl.spans[size_t(at)];
  auto& l = h.run->launches[s.launch];
  std::vector<std::string> says{fmt::format("{} block {}", l.kernel, dim_text(l.grid.at(s.block)))};
  if (s.state == BlockState::ended)
    says.push_back(fmt::format("SM {}, {} to {} ({})", sm, time_on(device, s.start), time_on(device, s.end),
                               time_on(device, s.end - s.start)));
  else
    says.push_back(fmt::format("SM {}, from {}; it {} when the run was stopped", sm, time_on(device, s.start),
                               s.state == BlockState::waits ? "waited" : "still ran"));
  int resident = 0;
  for (uint32_t k = tl.row[size_t(sm)]; k < tl.row[size_t(sm) + 1]; ++k)
    resident += tl.spans[k].start <= us && tl.spans[k].end >= us;
  if (resident > 1) says.push_back(fmt::format("{} blocks on this SM now", resident));
  return says;
}

/// One run: a line of words, and its rows below it. Returns what the mouse is over.
std::vector<std::string> draw_timeline_run(const PlotArea& a, const TimelineRun& h, const LaunchLook& look,
                                           const ReportDevice& device, float top, float height) {
  auto& t = theme();
  // A whole pixel: the words' ground ends where the rows begin.
  const float label = fonts().small->FontSize + px(4), y0 = std::floor(top + label), y1 = top + height;
  if (y1 - y0 < 8) return {};
  draw_rows(*h.tl, a, y0, y1, look);
  a.draw->PopClipRect();
  // The grid's lines end where the words stand.
  std::string says = run_text(*h.tl, h.who, device);
  // Without its last clause where the whole is too wide.
  if (const size_t last = says.rfind(", "); text_size(fonts().small, says).x > a.width() && last > 8)
    says.resize(std::min(last, says.size()));
  a.draw->AddRectFilled({a.min.x, y0 - label},
                        {std::min(a.max.x, a.min.x + text_size(fonts().small, says).x + px(4)), y0}, t.panel);
  text_at(a.draw, fonts().small, {a.min.x, y0 - label + px(1)}, t.muted, says, a.width());
  const float row = (y1 - y0) / float(std::max(1, h.tl->sms));
  sm_numbers(a, *h.tl, y0, y1, row);
  a.draw->PushClipRect(a.min, a.max, true);
  if (!a.hovered || a.mouse.y < y0 || a.mouse.y >= y1) return {};
  return under_mouse(a, h, device, y0, row);
}

class TimelinePlot : public PlotDrawing {
 public:
  using PlotDrawing::PlotDrawing;
  void draw(ImVec2) override;
  Table table() override { return timeline_table(report_for("timeline")); }

 private:
  Playback playback_;
  std::string playback_of_;  // the step and report that it is of
};

void TimelinePlot::draw(ImVec2 size) {
  auto& t = theme();
  auto* v = s_.view();
  auto& f = frame("timeline");
  std::vector<TimelineRun> halves;
  std::vector<LegendItem> legend;
  auto add = [&](const RunReport* run, const Timeline& tl, Series series) {
    if (!run || tl.spans.empty()) return;
    legend.push_back(entry(series));
    if (!hidden(series)) halves.push_back({&tl, run, series, side(series)});
  };
  if (v->has_report) {
    add(student_run(v->report), v->student_blocks, Series::student);
    add(reference_run(v->report), v->reference_blocks, Series::reference);
  }
  std::vector<const RunReport*> runs;
  double end = 0;
  for (auto& h : halves) runs.push_back(h.run), end = std::max(end, shown_us(*h.tl));
  const std::vector<std::string> kernels = kernels_of(runs);
  // One run whose bars have their kernels' colours: its own colour is nowhere.
  if (legend.size() == 1 && !halves.empty() && kernels.size() > 1) legend.clear();
  name_parts(halves, kernels, plots_, legend);
  f.view.keep_y = true;
  f.view.min_span = 1e-3;
  f.view.set_home({0, end > 0 ? end * 1.02 : 1, false}, {0, 1, false});
  PlotSpec spec = timeline_spec(*v, halves.empty(), is_yours());
  spec.legend = &legend;
  if (const std::string of = v->id + std::to_string(v->report_serial); of != playback_of_)
    playback_of_ = of, playback_.off();
  // Room for the clock below, where there is some.
  const bool controls = !for_print() && !halves.empty() && size.y > px(210) && size.x > px(330);
  if (controls) size.y -= std::max(px(34), ImGui::GetFrameHeight() + px(8));  // slides have larger letters
  if (playback_.playing)
    playback_.tick(s_.now(), end), window_.next_frame = std::min(window_.next_frame, 1.0 / 60);
  PlotArea a;
  if (!plot_begin("timeline", size, spec, a)) return;
  if (halves.empty()) say_nothing(a, spec.left, *v, s_.stored(), is_yours());
  std::vector<std::string> hover;
  const float between = px(6), each = halves.empty() ? 0
                                                     : (a.height() - between * float(halves.size() - 1)) /
                                                           float(halves.size());
  for (size_t i = 0; i < halves.size(); ++i)
    if (auto over = draw_timeline_run(a, halves[i], look_of(halves[i], kernels, plots_), v->report.device,
                                      a.min.y + (each + between) * float(i), each);
        !over.empty())
      hover = over;
  if (a.hovered && !halves.empty() && !f.boxing) {
    a.draw->AddLine({a.mouse.x, a.min.y}, {a.mouse.x, a.max.y}, fade(t.text, 0.35f));
    if (hover.empty()) hover = {time_on(v->report.device, a.at_x(a.mouse.x))};
  }
  if (playback_.on && controls) {
    // Time after the clock is dimmed.
    const float x = std::clamp(a.x(playback_.at_us), a.min.x, a.max.x);
    a.draw->AddRectFilled({x, a.min.y}, a.max, fade(t.panel, 0.82f));
    a.draw->AddLine({x, a.min.y}, {x, a.max.y}, t.text, px(2));
  }
  plot_end(a, hover);
  if (!controls) return;
  std::vector<std::pair<const Timeline*, std::string>> shown;
  for (auto& h : halves) shown.push_back({h.tl, h.who});
  draw_clock(playback_, shown, end, v->report.device, a, window_);
}
}  // namespace

std::unique_ptr<PlotDrawing> timeline_plot(Plots& plots) { return std::make_unique<TimelinePlot>(plots); }

}  // namespace dojo::gui
