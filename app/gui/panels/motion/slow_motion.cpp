// Slow motion: head, source, the ribbon of all steps, and the transport. The views of what the warps do are
// in slow_motion_views.cpp.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "gui/panels/focus.hpp"
#include "gui/panels/motion/slow_motion.hpp"
#include "gui/panels/widgets.hpp"
#include "gui/plot/axis.hpp"

namespace dojo::gui {

void SlowMotionPanel::draw(ImVec2 size, bool lecture) {
  auto& t = theme();
  auto& m = s_.motion;
  ImVec2 from = ImGui::GetCursorScreenPos();
  const bool other = m.trace() && s_.recorder.step != s_.step()->id();
  if (!lecture) draw_head();
  if (!m.trace() || other) {
    gap(18);
    if (s_.recorder.recording())
      text_in(fonts().ui, t.muted, "Recording the block…");
    else if (!s_.recorder.error.empty())
      text_wrapped_in(fonts().ui, t.bad, s_.recorder.error);
    else
      text_wrapped_in(fonts().ui, t.muted,
                      "One block of your kernel, line by line: which lanes work, what they hold, which banks "
                      "and sectors they touch, who waits for whom.");
    gap(8);
    if (!s_.running() && primary_button("Record block 0", Icon::play, true)) {
      s_.recorder.ask = {};
      s_.recorder.ask.kernel = s_.recorder.kernel_to_watch(false);
      s_.recorder.record();
    }
    return;
  }
  if (access_at_ != m.at()) access_at_ = m.at(), access_ = -1;
  if (lecture) return draw_slide(size);
  names_width_ = 0;
  for (auto& r : m.trace()->registers)
    names_width_ = std::max(names_width_, text_size(fonts().mono_small, register_name(r)).x);
  const float foot = px(92), head = ImGui::GetCursorScreenPos().y - from.y, g = px(14);
  const float height = size.y - foot - head - px(6);
  const float left = std::floor(size.x * 0.42f), right = size.x - left - g;
  ImVec2 p = ImGui::GetCursorScreenPos();
  const float ptx_h = m.grain() == SlowMotion::Grain::instruction ? std::min(height * 0.34f, px(180)) : 0;
  draw_source({left, height - ptx_h});
  if (ptx_h > 0) {
    ImGui::SetCursorScreenPos({p.x, p.y + height - ptx_h});
    draw_ptx({left, ptx_h});
  }
  // The right side: warps as tall as needed, then registers; memory gets the rest.
  ImGui::SetCursorScreenPos({p.x + left + g, p.y});
  ImGui::BeginGroup();
  const float rows = float(m.warps().size());
  const float row_h = std::clamp(height * 0.36f / std::max(1.0f, rows), px(7), px(20));
  const float warps_h = std::min(height * 0.40f, row_h * rows + px(24)),
              regs_h = std::min(height * 0.26f, px(24) + px(20) * 9);
  draw_warps({right, warps_h});
  ImGui::SetCursorScreenPos({p.x + left + g, p.y + warps_h + px(8)});
  draw_registers({right, regs_h});
  ImGui::SetCursorScreenPos({p.x + left + g, p.y + warps_h + regs_h + px(16)});
  draw_memory({right, height - warps_h - regs_h - px(16)});
  ImGui::EndGroup();
  ImGui::SetCursorScreenPos({p.x, p.y + height + px(6)});
  draw_transport(size.x);
}

void SlowMotionPanel::draw_head() {
  auto& t = theme();
  auto& m = s_.motion;
  auto* tr = m.trace();
  // The cross first: the rows below keep clear of its column, however narrow the window is.
  const ImVec2 start = ImGui::GetCursorPos();
  const float close = ImGui::GetFrameHeight(), end = ImGui::GetWindowContentRegionMax().x - close;
  ImGui::SetCursorPosX(std::max(start.x, end));
  if (icon_button("closemotion", Icon::cross, "Back to the lab (F8)")) s_.ui.motion = false;
  ImGui::SetCursorPos(start);
  const auto room_for = [&](float width) {
    if (ImGui::GetCursorPosX() + width > end - px(6)) ImGui::NewLine();
  };
  const auto pill_width = [](const char* label) { return text_size(fonts().small, label).x + px(16); };
  ImGui::AlignTextToFramePadding();
  std::string title = "Slow motion";
  if (tr && s_.recorder.step == s_.step()->id()) title = tr->kernel;
  text_in(fonts().strong, t.text, fitted(fonts().strong, title, px(240)));
  ImGui::SameLine(0, px(14));
  ImGui::AlignTextToFramePadding();
  text_in(fonts().small, t.muted, "block");
  ImGui::SameLine(0, px(5));
  ImGui::SetNextItemWidth(px(76));
  if (block_of_ != m.serial()) {
    block_of_ = m.serial();
    if (tr) std::snprintf(block_, sizeof block_, "%llu", static_cast<unsigned long long>(tr->block));
  }
  bool record =
      as_stop(ImGui::InputText("##block", block_, sizeof block_,
                               ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_CharsDecimal));
  tip(tr ? fmt::format("Which block: 0 to {} (enter records it)", tr->grid.count() - 1)
         : "Which block, counted x fastest");
  ImGui::SameLine(0, px(8));
  ImGui::AlignTextToFramePadding();
  if (tr) {
    const std::string words = fmt::format("of {}, launch {}, {} threads", grouped(double(tr->grid.count())),
                                          tr->launch + 1, tr->threads.count());
    room_for(text_size(fonts().small, words).x);
    ImGui::AlignTextToFramePadding();
    text_in(fonts().small, t.muted, words);
    ImGui::SameLine(0, px(12));
  }
  const bool both = s_.solved_or_instructor();
  room_for(pill_width("Yours") + (both ? px(3) + pill_width("Reference") : 0));
  float row = ImGui::GetCursorPosY();
  ImGui::SetCursorPosY(row + px(1));
  auto who = [&](const char* label, bool reference, bool enabled) {
    if (enabled && pill(label, s_.recorder.reference == reference) && s_.recorder.reference != reference &&
        !s_.running()) {
      s_.recorder.reference = reference;
      s_.recorder.ask.kernel = s_.recorder.kernel_to_watch(reference);
      s_.recorder.ask.by_index = s_.recorder.ask.small = false;
      s_.recorder.record();
    }
  };
  who("Yours", false, true);
  ImGui::SameLine(0, px(3));
  who("Reference", true, both);
  if (both) ImGui::SameLine(0, px(12));
  const char* again = s_.running() ? "Cancel" : s_.recorder.stale() ? "Record again (edited)" : "Record";
  ImGui::SetCursorPosY(row);
  room_for(pill_width("As written") + px(12) + text_size(fonts().ui, again).x +
           ImGui::GetStyle().FramePadding.x * 2);
  row = ImGui::GetCursorPosY();
  ImGui::SetCursorPosY(row + px(1));
  if (pill("As written", s_.recorder.ask.as_written) && !s_.running()) {
    s_.recorder.ask.as_written = !s_.recorder.ask.as_written;
    record = true;
  }
  tip("Compiled without optimisation: reads and writes in the order of the source");
  ImGui::SameLine(0, px(12));
  ImGui::SetCursorPosY(row);
  if (plain_button(again)) {
    if (s_.running())
      s_.cancel();
    else
      record = true;
  }
  tip("Runs the block once more (Ctrl+R)");
  if (record) {
    s_.recorder.ask.block = std::strtoull(block_, nullptr, 10);
    s_.recorder.ask.by_index = false;
    s_.recorder.record();
  }
  if (tr && !s_.recorder.error.empty()) {
    text_in(fonts().small, t.bad, fitted(fonts().small, s_.recorder.error, ImGui::GetContentRegionAvail().x));
  }
  if (tr && s_.recorder.error.empty() && !s_.recorder.finding.words.empty() &&
      s_.recorder.step == s_.step()->id())
    text_in(fonts().small, t.bad,
            fitted(fonts().small, s_.recorder.finding.words, ImGui::GetContentRegionAvail().x));
}

void SlowMotionPanel::draw_source(ImVec2 size) {
  auto& m = s_.motion;
  auto* v = s_.view();
  CodeSpec spec;
  const bool mine = same_file(m.file(), s_.step()->file);
  spec.wrap = s_.ui.lecture || s_.settings.wrap;
  if (s_.ui.lecture) spec.line_distance = slide_line_distance, spec.whole_rows = true;
  spec.at_line = mine ? m.line() : 0;
  spec.breakpoints = &m.breakpoints;
  spec.gutter_clicked = [&m](int line) {
    if (!m.breakpoints.erase(line)) m.breakpoints.insert(line);
  };
  std::map<int, std::vector<LineMark>> marks;
  for (auto* n : m.notes())
    if (n->line > 0) marks[n->line].push_back({Severity::error, n->text});
  spec.marks = &marks;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
  TextBuffer* text = v->stand_in ? &window_.text_of(*v->stand_in) : &v->text;
  if (s_.recorder.reference && !v->reference_text.empty()) text = &window_.reference_text(*v);
  code_.draw("motion source", *text, spec, size);
  ImGui::PopStyleVar();
}

void SlowMotionPanel::draw_ptx(ImVec2 size) {
  auto& t = theme();
  auto& m = s_.motion;
  ImGui::BeginChild("motion ptx", size, false);
  ImDrawList* d = ImGui::GetWindowDrawList();
  text_in(fonts().small, t.muted, "PTX of this warp, as it ran");
  // Some instructions of the same warp, before and after this one.
  std::vector<size_t> near;
  const int warp = m.step()->warp;
  for (size_t k = m.at() + 1; k-- > 0 && near.size() < 4;)
    if (m.ordered(k).warp == warp) near.push_back(k);
  std::reverse(near.begin(), near.end());
  for (size_t k = m.at() + 1; k < m.count() && near.size() < 12; ++k)
    if (m.ordered(k).warp == warp) near.push_back(k);
  ImFont* f = fonts().mono_small;
  const float row = std::floor(f->FontSize * 1.4f);
  for (size_t k : near) {
    auto& s = m.ordered(k);
    auto& c = m.trace()->code[s.code];
    ImVec2 p = ImGui::GetCursorScreenPos();
    if (p.y + row > ImGui::GetWindowPos().y + size.y) break;
    if (k == m.at()) d->AddRectFilled(p, {p.x + size.x, p.y + row}, fade(t.accent, 0.28f), px(3));
    text_at(d, f, {p.x + px(6), p.y + (row - f->FontSize) / 2}, t.faint,
            c.line ? std::to_string(c.line) : "");
    text_at(d, f, {p.x + px(42), p.y + (row - f->FontSize) / 2}, k == m.at() ? t.text : t.muted, c.text,
            size.x - px(50));
    ImGui::Dummy({size.x, row - ImGui::GetStyle().ItemSpacing.y});
  }
  ImGui::EndChild();
}

void SlowMotionPanel::draw_ribbon(ImVec2 from, ImVec2 size) {
  auto& t = theme();
  auto& m = s_.motion;
  ImDrawList* d = ImGui::GetWindowDrawList();
  const int columns = std::max(1, int(size.x / px(2)));
  const std::pair of(m.serial(), m.order());
  if (ribbon_of_ != of || int(ribbon_.size()) != columns) {
    ribbon_ = m.ribbon(columns);
    ribbon_of_ = of;
  }
  ImGui::SetCursorScreenPos(from);
  ImGui::InvisibleButton("ribbon", size);
  focus_stop();
  const bool hovered = ImGui::IsItemHovered();
  d->AddRectFilled(from, {from.x + size.x, from.y + size.y}, t.raised, px(4));
  struct Lane {
    uint8_t bit;
    ImU32 colour;
    const char* says;
  };
  const Lane lanes[] = {{8, t.faint, "barrier"},
                        {4, t.series[3], "lanes part"},
                        {2, t.warn, "sectors half used or less"},
                        {1, t.bad, "bank conflict"},
                        {16, t.bad, "finding"}};
  const float w = size.x / float(columns), pad = px(3);
  for (auto& l : lanes)
    for (int c = 0; c < columns; ++c) {
      if (!(ribbon_[size_t(c)] & l.bit)) continue;
      int to = c;
      while (to + 1 < columns && ribbon_[size_t(to + 1)] & l.bit) ++to;
      const float x0 = from.x + w * float(c), x1 = from.x + w * float(to + 1);
      const float part = (size.y - 2 * pad) / 4, k = l.bit == 8 ? 3 : l.bit == 4 ? 2 : l.bit == 2 ? 1 : 0;
      if (l.bit == 16)
        d->AddRectFilled({x0 - px(1), from.y}, {x1 + px(1), from.y + size.y}, l.colour);
      else
        d->AddRectFilled({x0, from.y + pad + part * k},
                         {std::max(x1, x0 + px(1)), from.y + pad + part * (k + 1) - 1}, l.colour);
      c = to;
    }
  const float x = from.x + size.x * (float(m.at()) + 0.5f) / float(std::max<size_t>(1, m.count()));
  d->AddRectFilled({x - px(1.5f), from.y - px(2)}, {x + px(1.5f), from.y + size.y + px(2)}, t.text, px(1));
  if (hovered || ImGui::IsItemActive()) {
    const float share = std::clamp((ImGui::GetIO().MousePos.x - from.x) / size.x, 0.0f, 0.9999f);
    const size_t k = size_t(share * float(m.count()));
    if (ImGui::IsItemActive()) m.playing = false, m.seek(k);
    std::string text = fmt::format("step {} of {}, warp {}", k + 1, m.count(), m.ordered(k).warp);
    const uint8_t bits = ribbon_[std::min(ribbon_.size() - 1, size_t(share * float(columns)))];
    for (auto& l : lanes)
      if (bits & l.bit) text += std::string("\n") + l.says;
    tip(text);
  }
}

void SlowMotionPanel::draw_transport(float width) {
  const ImVec2 p = ImGui::GetCursorScreenPos();
  draw_ribbon(p, {width, px(26)});
  ImGui::SetCursorScreenPos({p.x, p.y + px(34)});
  draw_controls();
  draw_choices();
  // Line two: what stops it, and where it stands.
  ImGui::SetCursorScreenPos({p.x, p.y + px(66)});
  draw_stops();
  draw_position(p.x + width);
}

/// Back, play, on, and how fast.
void SlowMotionPanel::draw_controls() {
  auto& m = s_.motion;
  auto control = [&](const char* label, const char* help, const char* command) {
    if (plain_button(label)) s_.commands.run(command);
    tip(help);
    ImGui::SameLine(0, px(4));
  };
  control("|<", "To the start (Home)", "motion.first");
  control("<", "Back (left)", "motion.back");
  if (plain_button(m.playing ? "Pause" : " Play ")) s_.commands.run("motion.play");
  tip("Space");
  ImGui::SameLine(0, px(4));
  control(">", "Forward (right)", "motion.forward");
  control(">>", "On to the next breakpoint (Shift+right)", "motion.next_stop");
  control(">|", "To the end (End)", "motion.last");
  ImGui::SameLine(0, px(10));
  ImGui::SetNextItemWidth(px(90));
  float speed = float(std::log2(m.per_second));
  if (as_stop(ImGui::SliderFloat("##speed", &speed, -1, 8, ""))) m.per_second = std::exp2(double(speed));
  tip("Speed: steps per second");
  ImGui::SameLine(0, px(6));
  ImGui::AlignTextToFramePadding();
  text_in(fonts().small, theme().muted, fmt::format("{:.3g} / s", m.per_second));
  ImGui::SameLine(0, px(12));
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + px(1));
}

/// What a step is, how registers are called, whose steps are stopped at.
void SlowMotionPanel::draw_choices() {
  auto& m = s_.motion;
  using G = SlowMotion::Grain;
  if (pill("Lines", m.grain() == G::line)) m.set_grain(G::line);
  tip("A step is one line of one warp (I)");
  ImGui::SameLine(0, px(2));
  if (pill("Instructions", m.grain() == G::instruction)) m.set_grain(G::instruction);
  tip("A step is one PTX instruction of one warp (I)");
  ImGui::SameLine(0, px(12));
  if (pill("PTX names", s_.ui.ptx_names)) s_.ui.ptx_names = !s_.ui.ptx_names;
  tip("Registers as PTX calls them, not by the variables that they hold (N)");
  ImGui::SameLine(0, px(12));
  using O = SlowMotion::Order;
  if (pill("Interleaved", m.order() == O::turns)) m.set_order(m.order() == O::turns ? O::machine : O::turns);
  tip(m.order() == O::turns ? "Warps take turns, a line each; between barriers any order could have been"
                            : "Each warp runs as far as it can, as the machine ran them");
  ImGui::SameLine(0, px(12));
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() - px(1));
  const std::string warp = m.warp() < 0 ? "all warps" : fmt::format("warp {}", m.warp());
  if (begin_combo("##warp", warp, px(104))) {
    if (ImGui::Selectable("all warps", m.warp() < 0)) m.set_warp(-1);
    for (int w = 0; w < int(m.warps().size()); ++w)
      if (ImGui::Selectable(fmt::format("warp {}", w).c_str(), m.warp() == w)) m.set_warp(w);
    ImGui::EndCombo();
  }
  tip("Whose steps are stopped at");
}

void SlowMotionPanel::draw_stops() {
  auto& m = s_.motion;
  ImGui::AlignTextToFramePadding();
  text_in(fonts().small, theme().muted, "Stop at");
  const std::pair<SlowMotion::Stop, const char*> stops[] = {{SlowMotion::Stop::finding, "finding"},
                                                            {SlowMotion::Stop::conflict, "bank conflict"},
                                                            {SlowMotion::Stop::divergence, "divergence"},
                                                            {SlowMotion::Stop::waste, "wasted sectors"},
                                                            {SlowMotion::Stop::barrier, "barrier"}};
  for (auto& [stop, name] : stops) {
    ImGui::SameLine(0, px(6));
    const bool on = m.stops.count(stop) > 0;
    if (pill(name, on)) {
      if (on)
        m.stops.erase(stop);
      else
        m.stops.insert(stop);
    }
  }
  if (!m.breakpoints.empty()) {
    ImGui::SameLine(0, px(10));
    if (pill(fmt::format("{} line{}", m.breakpoints.size(), m.breakpoints.size() == 1 ? "" : "s").c_str(),
             true))
      m.breakpoints.clear();
    tip("Marked lines; click to clear them. Click beside a line number to mark it.");
  }
}

/// Where it stands, up to `right` and behind what the line has already; nothing where it doesn't fit.
void SlowMotionPanel::draw_position(float right) {
  auto& m = s_.motion;
  std::string where = fmt::format("step {} of {}", grouped(double(m.at() + 1)), grouped(double(m.count())));
  auto* tr = m.trace();
  if (tr->executed > tr->steps.size()) where += fmt::format(" (kept of {})", grouped(double(tr->executed)));
  if (!m.stopped_at.empty()) where = "Stopped at " + m.stopped_at + "   ·   " + where;
  const float ww = text_size(fonts().small, where).x, x = right - ww;
  if (x > ImGui::GetItemRectMax().x + px(10))
    text_at(ImGui::GetWindowDrawList(), fonts().small, {x, ImGui::GetItemRectMin().y + px(3)}, theme().muted,
            where);
}

}  // namespace dojo::gui
