// The block timeline: student above, reference below, one time axis.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gui/look.hpp"
#include "gui/panels/focus.hpp"
#include "gui/panels/plots/plots.hpp"
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
ImU32 waiting_veil(bool for_ever) { return for_ever ? fade(theme().bad, 0.7f) : fade(theme().ground, 0.62f); }
const char* const waits_name = "Waits";
const char* const stuck_name = "Waits for ever";

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
    if (s.blocks == 1 && (tl.spans[s.first].block & 1)) c = mix(c, t.ground, 0.16f);
    a.draw->AddRectFilled({l, top}, {r, bottom}, c);
    if (s.blocks == 1 && r - l > 5 && bottom - top > 3)
      a.draw->AddLine({r - 0.5f, top}, {r - 0.5f, bottom}, edge);
    const std::string& label = look.label[s.launch];
    if (label.empty() || s.blocks != 1 || bottom - top < fonts().small->FontSize + 1) continue;
    if (!tl.waits.empty()) {  // beside the hatching of a wait, not below it
      const auto free = longest_without_wait(tl, s.sm, float(s.start), float(s.end));
      l = std::max(l, a.x(free[0])), r = std::min(r, a.x(free[1]));
    }
    if (const float w = text_size(fonts().small, label).x; r - l > w + px(8))
      text_at(a.draw, fonts().small, {(l + r - w) / 2, (top + bottom - fonts().small->FontSize) / 2},
              t.on_accent, label);
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
  add(tl.waits_for_ever, " waits for ever", " wait for ever");
  add(tl.runs, " still runs", " still run");
  add(tl.spans.size() - tl.runs - tl.waits_for_ever, " ended", " ended");
  add(tl.not_begun, " never began", " never began");
  return who + ", stopped: " + says;
}

/// The time span of the first view. For a stopped run it ends shortly after the last event.
double shown_us(const Timeline& tl) {
  return tl.stopped ? (tl.settled_us > 0 ? 1.3 * tl.settled_us : tl.end_us) : tl.end_us;
}
}  // namespace

void Plots::plot_timeline(ImVec2 size) {
  auto& t = theme();
  auto* v = s_.view();
  auto& f = frames_["timeline"];
  struct Half {
    const Timeline* tl;
    const RunReport* run;
    Series series;
  };
  std::vector<Half> halves;
  std::vector<LegendItem> legend;
  double end = 0;
  if (v->has_report) {
    if (auto* r = student_run(v->report); r && !v->student_blocks.spans.empty()) {
      legend.push_back({"You", t.of(Series::student), hidden(Series::student)});
      if (!hidden(Series::student)) halves.push_back({&v->student_blocks, r, Series::student});
    }
    if (auto* r = reference_run(v->report); r && !v->reference_blocks.spans.empty()) {
      legend.push_back({"Reference", t.of(Series::reference), hidden(Series::reference)});
      if (!hidden(Series::reference)) halves.push_back({&v->reference_blocks, r, Series::reference});
    }
  }
  std::vector<const RunReport*> runs;
  for (auto& h : halves) runs.push_back(h.run);
  const std::vector<std::string> kernels = kernels_of(runs);
  if (kernels.size() > 1)
    for (size_t k = 0; k < kernels.size(); ++k)
      legend.push_back({kernels[k], kernel_colour(k), hidden(kernels[k])});
  if (!halves.empty()) legend.push_back({"Idle SM", idle_colour(), hidden("Idle SM")});
  const auto any_wait = [&](bool for_ever) {
    return std::any_of(halves.begin(), halves.end(), [&](const Half& h) {
      return std::any_of(h.tl->waits.begin(), h.tl->waits.end(),
                         [&](auto& w) { return std::isinf(w[2]) == for_ever; });
    });
  };
  if (any_wait(false))
    // A wait has its kernel's colour, paler: with several kernels no single colour fits all.
    legend.push_back({waits_name, mix(kernels.size() > 1 ? t.muted : t.of(halves[0].series), t.ground, 0.62f),
                      hidden(waits_name)});
  if (any_wait(true)) legend.push_back({stuck_name, mix(t.panel, t.bad, 0.7f), hidden(stuck_name)});
  for (auto& h : halves) end = std::max(end, shown_us(*h.tl));
  f.view.keep_y = true;
  f.view.min_span = 1e-3;
  f.view.set_home({0, end > 0 ? end * 1.02 : 1, false}, {0, 1, false});
  PlotSpec spec;
  auto& info = plot_info("timeline");
  spec.title = info.says;
  if (auto* r = v->has_report ? student_run(v->report) : nullptr; r && v->student_blocks.stopped)
    spec.title = "Your run, as far as it went";
  else if (r && v->student_blocks.spans.empty() &&
           (r->status == Status::finding || r->status == Status::timeout))
    spec.title = "Your run stopped before its first block";
  spec.note = info.note;
  spec.x_label = halves.empty() ? "" : time_unit(v->report.device);
  spec.y_ticks = false;
  spec.x_ticks = !halves.empty();
  spec.left = px(44);
  spec.legend = &legend;
  if (const std::string of = v->id + std::to_string(v->report_serial); of != playback_of_)
    playback_of_ = of, playback_.off();
  // Room for the clock below, where there is some.
  const bool controls = !for_print() && !halves.empty() && size.y > px(210) && size.x > px(330);
  if (controls) size.y -= px(34);
  if (playback_.playing)
    playback_.tick(s_.now(), end), window_.next_frame = std::min(window_.next_frame, 1.0 / 60);
  PlotArea a;
  if (!plot_begin("timeline", size, spec, a)) return;
  std::vector<std::string> hover;
  if (halves.empty()) {
    a.draw->PopClipRect();
    text_at(a.draw, fonts().ui, {a.min.x - spec.left, a.min.y + px(8)}, t.muted,
            !v->has_report ? "Run the step to see its blocks."
            : !v->shown_from.empty() && !s_.stored()
                ? "Blocks are not kept from an earlier start. F5 shows them."
                : "This run has no blocks to show.",
            size.x);
    a.draw->PushClipRect(a.min, a.max, true);
  }
  float label = fonts().small->FontSize + px(4), between = px(6);
  float each = halves.empty() ? 0 : (a.height() - between * float(halves.size() - 1)) / float(halves.size());
  for (size_t i = 0; i < halves.size(); ++i) {
    auto& h = halves[i];
    float y0 = a.min.y + (each + between) * float(i) + label, y1 = y0 + each - label;
    if (y1 - y0 < 8) continue;
    // What the run did, in a line above its rows.
    std::string who = to_string(h.series);
    const std::string says = run_text(*h.tl, who, v->report.device);
    LaunchLook look;
    look.idle_shown = !hidden("Idle SM");
    look.waits_shown = !hidden(waits_name), look.stuck_shown = !hidden(stuck_name);
    for (auto& l : h.run->launches) {
      const size_t k = size_t(std::find(kernels.begin(), kernels.end(), l.kernel) - kernels.begin());
      const bool many = kernels.size() > 1;
      look.colour.push_back(many ? kernel_colour(k) : t.of(h.series));
      look.label.push_back(many ? l.kernel : "");
      look.hidden.push_back(many && hidden(l.kernel));
    }
    draw_rows(*h.tl, a, y0, y1, look);
    a.draw->PopClipRect();
    // The grid's lines end where the words stand.
    a.draw->AddRectFilled({a.min.x, y0 - label},
                          {std::min(a.max.x, a.min.x + text_size(fonts().small, says).x + px(4)), y0},
                          t.panel);
    text_at(a.draw, fonts().small, {a.min.x, y0 - label + px(1)}, t.muted, says, a.width());
    // SM numbers: first, last, and some between.
    float row = (y1 - y0) / float(std::max(1, h.tl->sms));
    int every = std::max(1, int(std::ceil(double(fonts().small->FontSize * 1.7f) / double(row))));
    for (int m : {100, 50, 20, 10, 5, 2, 1})
      if (every <= m) every = std::max(every, 1), every = m >= every && m / 2 < every ? m : every;
    for (int sm = 0; sm < h.tl->sms; sm += every) {
      std::string n = sm == 0 ? "SM 0" : std::to_string(sm);
      float y = y0 + row * (float(sm) + 0.5f) - fonts().small->FontSize / 2;
      if (row < fonts().small->FontSize) y = std::max(y0 - px(2), y);
      if (y + fonts().small->FontSize > y1 + px(3)) break;
      text_at(a.draw, fonts().small, {a.min.x - px(6) - text_size(fonts().small, n).x, y}, t.faint, n);
    }
    a.draw->PushClipRect(a.min, a.max, true);
    if (a.hovered && a.mouse.y >= y0 && a.mouse.y < y1) {
      double us = a.at_x(a.mouse.x);
      int sm = std::clamp(int((a.mouse.y - y0) / row), 0, h.tl->sms - 1);
      double lane01 = std::clamp(double((a.mouse.y - y0) / row - float(sm)), 0.0, 0.999);
      int64_t at = span_at(*h.tl, sm, us, lane01, row >= 9);
      if (at >= 0) {
        auto& s = h.tl->spans[size_t(at)];
        auto& l = h.run->launches[s.launch];
        hover = {fmt::format("{} block {}", l.kernel, dim_text(l.grid.at(s.block)))};
        if (s.state == BlockState::ended)
          hover.push_back(fmt::format("SM {}, {} to {} ({})", sm, time_on(v->report.device, s.start),
                                      time_on(v->report.device, s.end),
                                      time_on(v->report.device, s.end - s.start)));
        else
          hover.push_back(fmt::format("SM {}, from {}; it {} when the run was stopped", sm,
                                      time_on(v->report.device, s.start),
                                      s.state == BlockState::waits ? "waited" : "still ran"));
        int resident = 0;
        for (uint32_t k = h.tl->row[size_t(sm)]; k < h.tl->row[size_t(sm) + 1]; ++k)
          resident += h.tl->spans[k].start <= us && h.tl->spans[k].end >= us;
        if (resident > 1) hover.push_back(fmt::format("{} blocks on this SM now", resident));
      } else if (us >= 0 && (us <= h.tl->end_us || h.tl->stopped)) {
        hover = {fmt::format("SM {} is idle", sm), time_on(v->report.device, us)};
      }
    }
  }
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
  for (auto& h : halves) shown.push_back({h.tl, to_string(h.series)});
  timeline_clock(shown, end, a);
}

void Plots::timeline_clock(const std::vector<std::pair<const Timeline*, std::string>>& runs, double end,
                           const PlotArea& a) {
  auto& t = theme();
  auto& p = playback_;
  ImGui::SetCursorScreenPos({a.frame_min.x, a.frame_max.y + px(6)});
  ImGui::PushID("clock");
  if (plain_button(p.playing ? "Pause" : " Play ")) p.toggle(end);
  tip("Plays the launch: blocks appear as they start");
  ImGui::SameLine(0, px(4));
  auto step = [&](bool forwards) {
    double at = forwards ? end : 0;
    for (auto& [tl, who] : runs)
      at = forwards ? std::min(at, next_event(*tl, p.at_us, true))
                    : std::max(at, next_event(*tl, p.at_us, false));
    p.seek(at, end);
  };
  if (plain_button("<")) step(false);
  tip("To the start or end of a block before");
  ImGui::SameLine(0, px(4));
  if (plain_button(">")) step(true);
  tip("On to the next start or end of a block");
  ImGui::SameLine(0, px(8));
  // What the blocks do there, at the right; the rest is for the clock itself.
  std::string says;
  if (p.on) {
    for (auto& [tl, who] : runs) {
      const Moment m = moment_at(*tl, p.at_us);
      says += (says.empty() ? "" : "   ·   ") + fmt::format("{}: {} running on {} SMs, {} done, {} to come",
                                                            who, grouped(m.running), m.busy_sms,
                                                            grouped(m.done), grouped(m.waiting));
    }
  }
  const float all = ImGui::GetContentRegionAvail().x, close = p.on ? ImGui::GetFrameHeight() + px(4) : 0;
  float room = std::min(px(220), all - close);
  ImGui::SetNextItemWidth(room);
  float at = p.on ? float(p.at_us) : 0;
  if (as_stop(ImGui::SliderFloat("##at", &at, 0, float(end), "", ImGuiSliderFlags_AlwaysClamp)))
    p.seek(double(at), end);
  tip("The launch's clock: drag it");
  const ImVec2 lo = ImGui::GetItemRectMin(), hi = ImGui::GetItemRectMax();
  ImGui::SameLine(0, px(8));
  const ImVec2 q = ImGui::GetCursorScreenPos();
  const std::string clock = p.on ? time_on(s_.view()->report.device, p.at_us) : "";
  text_at(ImGui::GetWindowDrawList(), fonts().small,
          {q.x, lo.y + (hi.y - lo.y - fonts().small->FontSize) / 2}, t.text, clock);
  const float w = text_size(fonts().small, "000.00 µs ").x;
  text_at(ImGui::GetWindowDrawList(), fonts().small,
          {q.x + w, lo.y + (hi.y - lo.y - fonts().small->FontSize) / 2}, t.muted, says,
          std::max(1.0f, a.frame_max.x - q.x - w - close));
  if (p.on) {
    ImGui::SetCursorScreenPos({a.frame_max.x - ImGui::GetFrameHeight(), lo.y});
    if (icon_button("off", Icon::cross, "Show all of it again")) p.off();
  }
  ImGui::PopID();
}

}  // namespace dojo::gui
