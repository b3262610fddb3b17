// What a recorded block really did, in the plots: banks and sectors of any of its lines, lanes over time.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "gui/panels/ui.hpp"
#include "gui/panels/widgets.hpp"
#include "gui/plot/axis.hpp"

namespace dojo::gui {

bool Ui::real_access(StepTrace::Space space, ImVec2 size) {
  auto& t = theme();
  const bool shared = space == StepTrace::Space::shared;
  auto* v = s_.view();
  if (v && v->has_report) {
    if (pill("Your lines", real_pattern_)) real_pattern_ = true;
    tip("What block 0 of your kernel really does, line by line");
    ImGui::SameLine(0, px(2));
    if (pill("A pattern", !real_pattern_)) real_pattern_ = false;
    tip("A stride, a width and a padding to play with");
  }
  if (!real_pattern_ || !v || !v->has_report) return false;
  const StepTrace* trace = s_.sample();
  if (!trace) {
    text_in(fonts().small, t.muted, s_.recording() ? "Recording block 0…" : !s_.motion_error.empty() ? s_.motion_error : v->text.modified() ? "Save and run to see your lines." : "Nothing is recorded yet.");
    return true;
  }
  auto lines = line_accesses(*trace, space, s_.step()->file);
  if (lines.empty()) {
    text_in(fonts().small, t.muted, shared ? "Block 0 of your kernel touches no shared memory." : "Block 0 of your kernel touches no global memory.");
    return true;
  }
  const int k = shared ? 0 : 1;
  const LineAccesses* now = nullptr;
  for (auto& l : lines)
    if (l.line == real_line_[k]) now = &l;
  if (!now) {
    // The line where most is lost.
    auto lost = [&](const LineAccesses& l) {
      auto& a = trace->accesses[l.all[l.worst].access];
      return shared ? double(a.wavefronts - a.passes) : double(a.sectors) / std::max(1, std::popcount(a.mask));
    };
    now = &*std::max_element(lines.begin(), lines.end(), [&](auto& a, auto& b) { return lost(a) < lost(b); });
    real_line_[k] = now->line;
    real_at_[k] = -1;
  }
  ImGui::SameLine(0, px(12));
  if (begin_combo("##line", fmt::format("line {}", now->line), px(104))) {
    for (auto& l : lines) {
      auto& worst = trace->accesses[l.all[l.worst].access];
      const std::string what = shared ? fmt::format("line {}:  {} passes at most", l.line, worst.wavefronts) : fmt::format("line {}:  {} sectors at most", l.line, worst.sectors);
      if (ImGui::Selectable(what.c_str(), l.line == now->line)) real_line_[k] = l.line, real_at_[k] = -1;
    }
    ImGui::EndCombo();
  }
  int at = real_at_[k] < 0 ? int(now->worst) : std::min(real_at_[k], int(now->all.size()) - 1);
  if (now->all.size() > 1) {
    ImGui::SameLine(0, px(8));
    const std::string which = fmt::format("{} of {}", at + 1, now->all.size());
    ImGui::SetNextItemWidth(std::clamp(ImGui::GetContentRegionAvail().x - text_size(fonts().small, which).x - px(14), px(60), px(150)));
    if (ImGui::SliderInt("##access", &at, 0, int(now->all.size()) - 1, "")) real_at_[k] = at;
    tip("Which of the line's accesses in block 0; it opens at the costliest");
    ImGui::SameLine(0, px(6));
    ImGui::AlignTextToFramePadding();
    text_in(fonts().small, t.muted, which);
  }
  auto& one = now->all[size_t(at)];
  auto& access = trace->accesses[one.access];
  gap(2);
  text_in(fonts().small, t.muted, fmt::format("warp {}, {} of 32 lanes", one.warp, std::popcount(access.mask)));
  ImGui::SameLine(0, px(12));
  ImGui::PushFont(fonts().small);
  if (link("Watch it in slow motion")) {
    s_.ui.motion = true;
    s_.motion.to_step(one.step);
  }
  ImGui::PopFont();
  const float table = std::min(size.y * 0.26f, px(110));
  ImVec2 from = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  const char* key = shared ? "bankmap" : "addresses";
  auto& info = plot_info(key);
  PlotSpec spec;
  spec.title = info.says;
  spec.note = info.note;
  spec.x_ticks = spec.y_ticks = spec.grid = spec.interactive = false;
  const float h = std::min(room.y - table, px(frames_[key].note ? 400 : 290));
  real_csv_ = &access;
  PlotArea a;
  const bool drawn = plot_begin(key, {room.x, h}, spec, a);
  real_csv_ = nullptr;
  if (drawn) {
    a.draw->PopClipRect();
    if (shared) motion_banks(access, a.min, {a.width(), a.height()});
    else motion_sectors(access, a.min, {a.width(), a.height()});
    a.draw->PushClipRect(a.min, a.max, true);
    end_plot(frames_[key], a);
  }
  ImGui::SetCursorScreenPos({from.x, from.y + h + px(4)});
  line_table(shared);
  return true;
}

void Ui::plot_lanes(ImVec2 size) {
  auto& t = theme();
  auto* v = s_.view();
  if (!v || !v->has_report || size.y < px(80)) return;
  const StepTrace* trace = s_.sample();
  ImDrawList* d = ImGui::GetWindowDrawList();
  if (!trace) {
    text_in(fonts().small, t.muted, s_.recording() ? "Recording block 0…" : !s_.motion_error.empty() ? s_.motion_error : "Save and run to see the lanes of a warp over time.");
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
  text_in(fonts().small, t.muted, fitted(fonts().small, "32 lanes over the instructions of block 0: lit where active, in another colour where only some of them are (click: slow motion)", ImGui::GetContentRegionAvail().x));
  auto steps = lane_steps(*trace, lanes_warp_);
  if (steps.empty()) return;
  ImVec2 p = ImGui::GetCursorScreenPos();
  const float foot = fonts().small->FontSize + px(4), height = std::min(ImGui::GetContentRegionAvail().y - px(4) - foot, px(320)), row = height / 32;
  if (row < 1) return;
  // Lanes along the left, the warp's instructions along the foot.
  const float left = text_size(fonts().small, "lane 31").x + px(8);
  for (int l : {0, 8, 16, 24, 31}) {
    const std::string n = (l == 0 ? "lane " : "") + std::to_string(l);
    text_at(d, fonts().small, {p.x + left - px(6) - text_size(fonts().small, n).x, std::min(p.y + row * (float(l) + 0.5f) - fonts().small->FontSize / 2, p.y + height - fonts().small->FontSize)}, t.faint, n);
  }
  const std::string end = fmt::format("{} instructions of the warp", grouped(double(steps.size())));
  text_at(d, fonts().small, {p.x + left, p.y + height + px(2)}, t.faint, "first");
  text_at(d, fonts().small, {p.x + size.x - text_size(fonts().small, end).x, p.y + height + px(2)}, t.faint, end);
  p.x += left;
  size.x -= left;
  ImGui::SetCursorScreenPos(p);
  const int columns = std::min(int(steps.size()), std::max(1, int(size.x / px(2))));
  const float w = size.x / float(columns);
  ImGui::InvisibleButton("lanes", {size.x, height});
  d->AddRectFilled(p, {p.x + size.x, p.y + height}, fade(t.raised, 0.8f));
  // Runs of equal columns are one rectangle a lane.
  auto mask_of = [&](int c) { return steps[size_t(c) * steps.size() / size_t(columns)].mask; };
  for (int c = 0; c < columns;) {
    const uint32_t mask = mask_of(c);
    int to = c + 1;
    while (to < columns && mask_of(to) == mask) ++to;
    for (int l = 0; l < 32;) {
      if (!(mask >> l & 1)) {
        ++l;
        continue;
      }
      int last = l;
      while (last + 1 < 32 && mask >> (last + 1) & 1) ++last;
      d->AddRectFilled({p.x + w * float(c), p.y + row * float(l)}, {p.x + w * float(to), p.y + row * float(last + 1) - (row > 3 ? 1 : 0)},
                       mask == ~0u ? t.of(Series::student) : mix(t.of(Series::student), t.warn, 0.55f));
      l = last + 1;
    }
    c = to;
  }
  if (ImGui::IsItemHovered()) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const int c = std::clamp(int((mouse.x - p.x) / w), 0, columns - 1), lane = std::clamp(int((mouse.y - p.y) / row), 0, 31);
    auto& s = steps[size_t(c) * steps.size() / size_t(columns)];
    d->AddLine({p.x + w * (float(c) + 0.5f), p.y}, {p.x + w * (float(c) + 0.5f), p.y + height}, t.text);
    tip(fmt::format("line {}\n{} of 32 lanes active; lane {} {}\n{}", s.line, std::popcount(s.mask), lane, s.mask >> lane & 1 ? "is" : "is not", trace->code[trace->steps[s.step].code].text));
    if (ImGui::IsMouseClicked(0)) {
      s_.ui.motion = true;
      s_.motion.to_step(s.step);
    }
  }
}

}  // namespace dojo::gui
