// Plots of one recorded block: the banks and sectors that its lines accessed, and its active lanes over time.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "gui/look.hpp"
#include "gui/panels/focus.hpp"
#include "gui/panels/motion/slow_motion.hpp"
#include "gui/panels/plots/plots.hpp"
#include "gui/panels/widgets.hpp"
#include "gui/plot/axis.hpp"

namespace dojo::gui {

bool Plots::real_access(StepTrace::Space space, ImVec2 size) {
  auto& t = theme();
  const bool shared = space == StepTrace::Space::shared;
  auto* v = s_.view();
  if (v && v->has_report && !for_print()) {
    if (pill(s_.reference_slide() ? "The lines" : "Your lines", !s_.ui.pattern)) s_.ui.pattern = false;
    tip("What block 0 of the kernel really does, line by line");
    ImGui::SameLine(0, px(2));
    if (pill("A pattern", s_.ui.pattern)) s_.ui.pattern = true;
    tip("A stride, a width and a padding to play with");
  }
  if (s_.ui.pattern || !v || !v->has_report) return false;
  const StepTrace* trace = s_.sample();
  if (!trace) {
    text_in(fonts().small, t.muted,
            s_.recording()             ? "Recording block 0…"
            : !s_.motion_error.empty() ? s_.motion_error
            : v->text.modified()       ? "Save and run to see your lines."
                                       : "Nothing is recorded yet.");
    return true;
  }
  auto lines = line_accesses(*trace, space, s_.step()->file);
  if (lines.empty()) {
    text_in(fonts().small, t.muted,
            shared ? "Block 0 of this kernel touches no shared memory."
                   : "Block 0 of this kernel touches no global memory.");
    return true;
  }
  const int k = shared ? 0 : 1;
  const LineAccesses* now = nullptr;
  for (auto& l : lines)
    if (l.line == real_line_[k]) now = &l;
  if (!now) {
    // The line with the most waste (excess wavefronts, unused bytes of sectors), else with the most traffic.
    auto lost = [&](const LineAccesses& l) {
      auto& a = trace->accesses[l.all[l.worst].access];
      if (shared) return 1e6 * double(a.wavefronts - a.passes) + double(a.wavefronts);
      const SectorView view = sector_view(*trace, a);
      return (wasteful(view, a) ? 1e6 * (1 - view.used_share) : 0) + double(a.sectors);
    };
    now = &*std::max_element(lines.begin(), lines.end(), [&](auto& a, auto& b) { return lost(a) < lost(b); });
    real_line_[k] = now->line;
    real_at_[k] = -1;
  }
  wrap_next(px(112));
  if (begin_combo("##line", fmt::format("line {}", now->line), px(104))) {
    for (auto& l : lines) {
      auto& worst = trace->accesses[l.all[l.worst].access];
      const std::string what = shared
                                   ? fmt::format("line {}:  {} wavefronts at most", l.line, worst.wavefronts)
                                   : fmt::format("line {}:  {} sectors at most", l.line, worst.sectors);
      if (ImGui::Selectable(what.c_str(), l.line == now->line)) real_line_[k] = l.line, real_at_[k] = -1;
    }
    ImGui::EndCombo();
  }
  int at = real_at_[k] < 0 ? int(now->worst) : std::min(real_at_[k], int(now->all.size()) - 1);
  if (now->all.size() > 1) {
    const std::string which = fmt::format("{} of {}", at + 1, now->all.size());
    wrap_next(px(76) + text_size(fonts().small, which).x);
    ImGui::SetNextItemWidth(std::clamp(
        ImGui::GetContentRegionAvail().x - text_size(fonts().small, which).x - px(14), px(60), px(150)));
    if (!for_print()) {
      if (as_stop(ImGui::SliderInt("##access", &at, 0, int(now->all.size()) - 1, ""))) real_at_[k] = at;
      tip("Which of the line's accesses in block 0; it opens at the costliest");
      ImGui::SameLine(0, px(6));
    }
    ImGui::AlignTextToFramePadding();
    text_in(fonts().small, t.muted, which);
  }
  auto& one = now->all[size_t(at)];
  auto& access = trace->accesses[one.access];
  gap(2);
  text_in(fonts().small, t.muted,
          fmt::format("warp {}, {} of 32 lanes, {} of {} bytes", one.warp, std::popcount(access.mask),
                      access.atomic  ? "atomic"
                      : access.store ? "store"
                                     : "load",
                      access.bytes));
  if (!for_print()) {
    ImGui::PushFont(fonts().small);
    // In a narrow panel the short words, and below the text where they would leave it.
    const float left = ImGui::GetItemRectMax().x + px(12);
    const float right = ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x;
    const auto fits = [&](const char* words) { return left + ImGui::CalcTextSize(words).x <= right; };
    const char* watch = fits("Watch it in slow motion") ? "Watch it in slow motion" : "Slow motion";
    if (fits(watch)) ImGui::SameLine(0, px(12));
    if (link(watch)) {
      s_.ui.motion = true;
      s_.motion.to_step(one.step);
    }
    ImGui::PopFont();
  }
  ImVec2 from = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  // The map first; the table of lines where it leaves room for one.
  float table = std::min(size.y * 0.26f, px(110));
  if (room.y - table < px(135)) table = 0;
  const char* key = shared ? "bankmap" : "addresses";
  PlotSpec spec;
  const SlowMotionPanel::AccessWords words = motion_.access_words(access);
  spec.title = words.brief;
  if (words.bad) spec.title_colour = shared ? t.bad : t.warn;
  spec.note = plot_info(key).note;
  spec.x_ticks = spec.y_ticks = spec.grid = false;
  spec.units = shared ? "bank" : "sectors of 32 bytes";  // said in the map itself
  auto& f = frames_[key];
  f.view.keep_y = true;
  f.view.min_span = 0.02;
  f.view.set_home({0, 1, false}, {0, 1, false});
  const char* names[] = {shared ? "First wavefront" : "Lanes", shared ? "Excess wavefronts" : "Sectors"};
  const bool one_shown = !hidden(names[0]), two_shown = !hidden(names[1]);
  std::vector<LegendItem> legend{{names[0], t.data[0], !one_shown},
                                 {names[1], shared ? t.bad : t.data[1], !two_shown}};
  spec.legend = &legend;
  const float h = std::min(room.y - table, px(f.note ? 430 : 320));
  real_csv_ = &access;
  PlotArea a;
  const bool drawn = plot_begin(key, {room.x, h}, spec, a);
  real_csv_ = nullptr;
  if (drawn) {
    // The map is drawn as wide as the view has zoomed in; the area shows its part.
    const ImVec2 at0 = {a.x(0), a.min.y + px(3)}, extent = {a.x(1) - a.x(0), a.height() - px(3)};
    std::string says = shared ? motion_.draw_banks(access, at0, extent, one_shown, two_shown)
                              : motion_.draw_sectors(access, at0, extent, one_shown, two_shown);
    std::vector<std::string> hover;
    if (a.hovered)
      for (size_t at = 0; at < says.size();) {
        const size_t line_end = std::min(says.find('\n', at), says.size());
        hover.push_back(says.substr(at, line_end - at));
        at = line_end + 1;
      }
    plot_end(a, hover);
  }
  ImGui::SetCursorScreenPos({from.x, from.y + h + px(4)});
  if (table > 0) line_table(shared);
  return true;
}

void Plots::plot_lanes(ImVec2 size) {
  auto& t = theme();
  auto* v = s_.view();
  if (!v || !v->has_report || size.y < px(80)) return;
  const StepTrace* trace = s_.sample();
  if (!trace) {
    text_in(fonts().small, t.muted,
            s_.recording()             ? "Recording block 0…"
            : !s_.motion_error.empty() ? s_.motion_error
                                       : "Save and run to see the lanes of a warp over time.");
    return;
  }
  lanes_warp_ = std::clamp(lanes_warp_, 0, int(trace->warps) - 1);
  if (begin_combo("##laneswarp", fmt::format("warp {}", lanes_warp_), px(104))) {
    for (int w = 0; w < int(trace->warps); ++w)
      if (ImGui::Selectable(fmt::format("warp {}", w).c_str(), w == lanes_warp_)) lanes_warp_ = w;
    ImGui::EndCombo();
  }
  ImGui::SameLine(0, px(10));
  ImGui::AlignTextToFramePadding();
  auto steps = lane_steps(*trace, lanes_warp_);
  if (steps.empty()) return;
  if (lanes_at_ >= int(steps.size())) lanes_at_ = -1;
  if (lanes_at_ < 0) {
    text_in(
        fonts().small, t.muted,
        fitted(fonts().small, for_print() ? "of block 0" : "of block 0; click an instruction to choose it",
               ImGui::GetContentRegionAvail().x));
  } else {
    ImGui::PushFont(fonts().small);
    if (link(fitted(fonts().small,
                    fmt::format("Watch instruction {} of line {} in slow motion", lanes_at_ + 1,
                                steps[size_t(lanes_at_)].line),
                    ImGui::GetContentRegionAvail().x))) {
      s_.ui.motion = true;
      s_.motion.to_step(steps[size_t(lanes_at_)].step);
    }
    ImGui::PopFont();
  }
  auto& f = frames_["lanes"];
  f.view.keep_y = true;
  f.view.min_span = 0.5;
  f.view.set_home({0, double(steps.size()), false}, {0, 1, false});
  auto& info = plot_info("lanes");
  const ImU32 all = t.data[0], some = mix(t.data[0], t.warn, 0.55f);
  const bool all_shown = !hidden("All 32 lanes"), some_shown = !hidden("Some of them");
  std::vector<LegendItem> legend{{"All 32 lanes", all, !all_shown}, {"Some of them", some, !some_shown}};
  PlotSpec spec;
  spec.title = info.says;
  spec.note = info.note;
  spec.x_label = "instructions of the warp";
  spec.y_ticks = spec.grid = false;
  spec.left = text_size(fonts().small, "lane 31").x + px(8);
  spec.legend = &legend;
  PlotArea a;
  if (!plot_begin("lanes", {size.x, std::min(ImGui::GetContentRegionAvail().y, px(400))}, spec, a)) return;
  ImDrawList* d = a.draw;
  const float row = a.height() / 32;
  d->PopClipRect();
  for (int l : {0, 8, 16, 24, 31}) {
    const std::string n = (l == 0 ? "lane " : "") + std::to_string(l);
    const float y = std::min(a.min.y + row * (float(l) + 0.5f) - fonts().small->FontSize / 2,
                             a.max.y - fonts().small->FontSize);
    if (l == 31 && row * 7 < fonts().small->FontSize) continue;
    text_at(d, fonts().small, {a.min.x - px(6) - text_size(fonts().small, n).x, y}, t.faint, n);
  }
  d->PushClipRect(a.min, a.max, true);
  d->AddRectFilled(a.min, a.max, fade(t.raised, 0.8f));
  // Columns are at least two pixels wide. Consecutive equal columns are one rectangle per lane.
  const double lo = std::max(0.0, a.view->x.lo), hi = std::min(double(steps.size()), a.view->x.hi);
  const int columns =
      hi > lo ? std::min(int(std::ceil(hi) - std::floor(lo)), std::max(1, int(a.width() / px(2)))) : 0;
  const double first = std::floor(lo), each = columns ? (std::ceil(hi) - first) / columns : 1;
  auto step_of = [&](int c) -> const LaneStep& {
    return steps[std::min(steps.size() - 1, size_t(first + c * each))];
  };
  for (int c = 0; c < columns;) {
    const uint32_t mask = step_of(c).mask;
    int to = c + 1;
    while (to < columns && step_of(to).mask == mask) ++to;
    const float x0 = a.x(first + c * each), x1 = a.x(first + to * each);
    c = to;
    if (mask == ~0u ? !all_shown : !some_shown) continue;
    for (int l = 0; l < 32;) {
      if (!(mask >> l & 1)) {
        ++l;
        continue;
      }
      int last = l;
      while (last + 1 < 32 && mask >> (last + 1) & 1) ++last;
      d->AddRectFilled({x0, a.min.y + row * float(l)},
                       {x1, a.min.y + row * float(last + 1) - (row > 3 ? 1 : 0)}, mask == ~0u ? all : some);
      l = last + 1;
    }
  }
  std::vector<std::string> hover;
  const double at = a.at_x(a.mouse.x);
  if (a.hovered && at >= 0 && at < double(steps.size())) {
    const int lane = std::clamp(int((a.mouse.y - a.min.y) / row), 0, 31);
    auto& s = steps[size_t(at)];
    d->AddLine({a.mouse.x, a.min.y}, {a.mouse.x, a.max.y}, fade(t.text, 0.6f));
    hover = {fmt::format("Instruction {}, line {}", size_t(at) + 1, s.line),
             fmt::format("{} of 32 lanes active; lane {} {}", std::popcount(s.mask), lane,
                         s.mask >> lane & 1 ? "is" : "is not"),
             trace->code[trace->steps[s.step].code].text};
    if (ImGui::IsMouseClicked(0) && !ImGui::GetIO().KeyShift) lanes_at_ = int(at);
  }
  if (lanes_at_ >= 0)
    d->AddRect({a.x(lanes_at_), a.min.y}, {std::max(a.x(lanes_at_ + 1), a.x(lanes_at_) + 2), a.max.y},
               t.text);
  plot_end(a, hover);
}

}  // namespace dojo::gui
