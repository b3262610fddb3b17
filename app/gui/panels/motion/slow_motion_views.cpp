// What the warps do at one moment, lane by lane: lanes and registers.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "gui/panels/focus.hpp"
#include "gui/panels/motion/slow_motion.hpp"
#include "gui/panels/motion/slow_motion_parts.hpp"

namespace dojo::gui {

/// Lanes, registers, banks and sectors share these columns, so that a lane reads from top to bottom. The
/// label column fits the longest variable's name, up to a limit.
float SlowMotionPanel::lane_label() const {
  const float least = std::max(px(58), text_size(fonts().mono_small, "00000").x + px(4));
  return s_.ui.lecture ? least : std::max(least, std::min(names_width_ + px(14), px(112)));
}
float SlowMotionPanel::lane_width(float width) const {
  return (width - lane_label() - lane_tail(width)) / 32;
}

namespace {
/// Where one warp's row is: its lanes begin at `left` and are `lane` wide.
struct WarpRow {
  ImDrawList* d;
  float left, lane, y, cell;

  float edge(float l) const { return std::floor(left + lane * l); }
};

/// What a lane does, by colour; 0: it has ended.
ImU32 lane_colour(const SlowMotion::Warp& x, const StepTrace::Step& now, uint32_t bit) {
  auto& t = theme();
  if (x.waiting & bit) return fade(t.warn, 0.75f);
  if (!(x.live & bit)) return 0;
  if (x.current && now.mask & bit) return t.data[0];
  return !x.current && x.begun && x.mask & bit ? fade(t.data[0], 0.38f) : mix(t.raised, t.text, 0.10f);
}

void draw_lanes(const WarpRow& row, const SlowMotion::Warp& x, const StepTrace::Step& now) {
  const float round = std::min(px(3), row.cell / 4);
  for (int l = 0; l < 32; ++l) {
    const ImVec2 a = {row.edge(float(l)), row.y}, b = {row.edge(float(l + 1)) - px(1), row.y + row.cell};
    if (const ImU32 c = lane_colour(x, now, 1u << l))
      row.d->AddRectFilled(a, b, c, round);
    else
      row.d->AddRect(a, b, fade(theme().faint, 0.35f), round);
  }
}

/// A frame around each of the finding's threads that warp `k` has, whichever warp is current.
void frame_threads(const WarpRow& row, size_t k, const std::vector<Dim3>& threads, const Dim3& of,
                   std::vector<ImVec4>& framed) {
  for (const Dim3& at : threads) {
    const size_t thread = size_t(at.x) + size_t(of.x) * (at.y + size_t(of.y) * at.z);
    if (thread / 32 != k) continue;
    const float l = float(thread % 32);
    const ImVec2 a = {row.edge(l) - px(1), row.y - px(1)}, b = {row.edge(l + 1), row.y + row.cell + px(1)};
    row.d->AddRect(a, b, theme().bad, px(3), 0, px(2));
    framed.push_back({a.x, a.y, b.x, b.y});
  }
}

std::string warp_words(const SlowMotion::Warp& x, size_t k, int lane) {
  std::string words =
      fmt::format("Warp {}, threads {} to {}\n{}", k, k * 32, k * 32 + 31, SlowMotion::state_text(x));
  if (lane >= 0 && lane < 32)
    words += fmt::format("\nlane {}: {}", lane,
                         x.waiting >> lane & 1   ? "waits"
                         : !(x.live >> lane & 1) ? "ended"
                         : x.mask >> lane & 1    ? "active"
                                                 : "not taken along");
  return words;
}
}  // namespace

void SlowMotionPanel::draw_warps(ImVec2 size, bool titled) {
  auto& t = theme();
  auto& m = s_.motion;
  ImGui::BeginChild("motion warps", size, false, ImGuiWindowFlags_NoScrollbar);
  ImDrawList* d = ImGui::GetWindowDrawList();
  ImVec2 p = ImGui::GetCursorScreenPos();
  const auto* now = m.step();
  if (titled)
    heading(d, p, m.heading(), m.line() ? fmt::format("line {}", m.line()) : "", size.x,
            now->flags & StepTrace::diverged ? t.warn : 0);
  const float head = titled ? px(22) : 0, top = p.y + head;
  const auto& warps = m.warps();
  const float high = std::clamp((size.y - head) / float(std::max<size_t>(1, warps.size())), px(6), px(20));
  // Names on every row only if rows are high enough; else only the current warp's, and states as colours.
  const bool lettered = high >= fonts().mono_small->FontSize * 0.78f;
  // More warps than rows: shows those around the current warp.
  const size_t fit = std::max<size_t>(1, size_t((size.y - head + 1) / high));
  const size_t first =
      warps.size() <= fit ? 0 : std::min(warps.size() - fit, size_t(std::max(0, now->warp - int(fit) / 2)));
  const float label = lane_label(), tail = lane_tail(size.x), w = lane_width(size.x);
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  std::string hover;
  std::vector<ImVec4> framed;
  for (size_t k = first; k < std::min(warps.size(), first + fit); ++k) {
    auto& x = warps[k];
    const WarpRow row{d, p.x + label, w, top + high * float(k - first), std::max(px(4), high - px(2))};
    const auto middle = [&](ImFont* f) { return row.y + (row.cell - f->FontSize) / 2; };
    if (x.current)
      d->AddRectFilled({p.x, row.y - 1}, {p.x + size.x, row.y + row.cell + 1},
                       fade(t.accent, t.dark ? 0.18f : 0.12f), px(3));
    if (lettered)
      text_at(d, fonts().mono_small, {p.x + px(4), middle(fonts().mono_small)}, x.current ? t.text : t.faint,
              std::to_string(k));
    draw_lanes(row, x, *now);
    frame_threads(row, k, s_.recorder.finding.threads, m.trace()->threads, framed);
    if (lettered && (x.done || x.waiting || (x.begun && x.line)))
      text_at(d, fonts().small, {row.left + w * 32 + px(8), middle(fonts().small)},
              x.waiting ? t.warn : t.muted, SlowMotion::state_text(x), tail - px(10));
    if (!ImGui::IsWindowHovered() || mouse.y < row.y || mouse.y >= row.y + high || mouse.x < p.x ||
        mouse.x >= p.x + size.x)
      continue;
    hover = warp_words(x, k, int((mouse.x - row.left) / w));
    if (ImGui::IsMouseClicked(0)) m.set_warp(m.warp() == int(k) ? -1 : int(k));
  }
  tip_at_mouse(hover);
  ImGui::EndChild();
  for (auto& r : framed) window_.layout.push_back({"finding's lane", r});
}

std::string SlowMotionPanel::register_name(const StepTrace::Register& r) const {
  return s_.ui.ptx_names || r.variable.empty() ? r.name : r.variable;
}

namespace {
double number_of(StepTrace::Shown shown, uint64_t bits) {
  switch (shown) {
    case StepTrace::Shown::float32:
      return double(std::bit_cast<float>(uint32_t(bits)));
    case StepTrace::Shown::float64:
      return std::bit_cast<double>(bits);
    case StepTrace::Shown::wide:
      return double(int64_t(bits));
    case StepTrace::Shown::integer:
      return double(int32_t(uint32_t(bits)));
    default:
      return double(bits);
  }
}

bool is_integer(StepTrace::Shown shown) {
  return shown == StepTrace::Shown::integer || shown == StepTrace::Shown::wide;
}
}  // namespace

/// One register's cells, `at` the upper left corner of lane 0. A cell's tint is its value's position between
/// the smallest and the largest. Returns the text for what the mouse is on.
std::string SlowMotionPanel::draw_lanes_of(const SlowMotion::Register& r, ImVec2 at, float w, float row) {
  auto& t = theme();
  ImDrawList* d = ImGui::GetWindowDrawList();
  ImFont* f = fonts().mono_small;
  auto& info = s_.motion.trace()->registers[r.id];
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const auto left_of = [&](int lane) { return std::floor(at.x + w * float(lane)); };
  const auto over = [&](float x, float x1) {
    return ImGui::IsWindowHovered() && mouse.x >= x && mouse.x < x1 + 1 && mouse.y >= at.y &&
           mouse.y < at.y + row;
  };
  double lo = 1e300, hi = -1e300;
  std::vector<std::string> texts;
  for (int l = 0; l < 32; ++l) {
    const bool known = r.known >> l & 1;
    texts.push_back(known ? value_text(info.shown, r.value[size_t(l)]) : "");
    const double v = known ? number_of(info.shown, r.value[size_t(l)]) : 0;
    if (known) lo = std::min(lo, v), hi = std::max(hi, v);
  }
  const bool predicate = info.shown == StepTrace::Shown::predicate;
  if (r.known && lo == hi && std::popcount(r.known) > 1 && !predicate) {
    // All lanes agree: one cell, with room for the value.
    const int first = std::countr_zero(r.known), last = 31 - std::countl_zero(r.known);
    const float x = left_of(first), x1 = left_of(last + 1) - 1;
    d->AddRectFilled({x, at.y + px(2)}, {x1, at.y + row - px(2)}, fade(t.accent, 0.14f), px(3));
    text_at(d, f, {x + px(6), at.y + (row - f->FontSize) / 2}, t.text,
            texts[size_t(first)] + (last > first ? "  in all lanes" : ""), x1 - x - px(8));
    return over(x, x1 - 1)
               ? fmt::format("{}\n{} in all lanes that have it", register_name(info), texts[size_t(first)])
               : "";
  }
  std::string hover;
  const auto lit = [&](int lane) { return s_.motion.step()->mask >> lane & 1; };
  for (int l = 0; l < 32; ++l) {
    if (!(r.known >> l & 1)) continue;
    const float x = left_of(l), x1 = left_of(l + 1) - 1;
    const uint64_t v = r.value[size_t(l)];
    const float share = hi > lo ? float((number_of(info.shown, v) - lo) / (hi - lo)) : 0;
    const ImU32 ground =
        predicate ? (v ? fade(t.good, lit(l) ? 0.8f : 0.35f) : fade(t.faint, lit(l) ? 0.35f : 0.18f))
                  : fade(t.accent, (lit(l) ? 0.12f : 0.05f) + (lit(l) ? 0.38f : 0.15f) * share);
    d->AddRectFilled({x, at.y + px(2)}, {x1, at.y + row - px(2)}, ground, px(2));
    if (over(x, x1))
      hover = fmt::format("{}, lane {} (thread {})\n{}", register_name(info), l,
                          s_.motion.step()->warp * 32 + l, texts[size_t(l)]);
  }
  const bool narrow = w < text_size(f, "000").x + px(2), whole = is_integer(info.shown);
  if (predicate || (narrow && !whole)) return hover;
  // Long integers stand at every second, fourth or eighth lane, from its left edge on.
  const int every = whole ? lanes_per_value(texts, narrow ? w - px(3) : w - 1, f) : 1;
  for (int l = 0; l < 32; l += every) {
    if (!(r.known >> l & 1)) continue;
    const float x = left_of(l), cell = left_of(l + 1) - 1 - x;
    const std::string s = every > 1 ? texts[size_t(l)] : short_value(info.shown, r.value[size_t(l)], cell, f);
    const float inset = every > 1 ? px(2) : (cell - text_size(f, s).x) / 2;
    text_at(d, f, {x + inset, at.y + (row - f->FontSize) / 2}, lit(l) ? t.text : t.muted, s);
  }
  return hover;
}

void SlowMotionPanel::draw_registers(ImVec2 size) {
  auto& t = theme();
  auto& m = s_.motion;
  ImGui::BeginChild("motion registers", size, false);
  ImDrawList* d = ImGui::GetWindowDrawList();
  ImVec2 p = ImGui::GetCursorScreenPos();
  auto regs = m.registers(!s_.ui.ptx_names);
  const bool any_named = std::any_of(regs.begin(), regs.end(),
                                     [&](auto& r) { return !m.trace()->registers[r.id].variable.empty(); });
  heading(d, p,
          any_named && !s_.ui.ptx_names ? "Variables and registers, lane by lane"
                                        : "Registers of the line, lane by lane",
          for_print() ? "" : "click one to keep it", size.x);
  const float label = lane_label(), row = px(19), w = lane_width(size.x);
  ImFont* f = fonts().mono_small;
  float y = p.y + px(22);
  std::string hover;
  for (auto& r : regs) {
    auto& info = m.trace()->registers[r.id];
    const std::string name = register_name(info);
    ImU32 c = r.written ? t.accent : r.pinned ? t.text : t.muted;
    ImGui::PushID(int(r.id));
    ImGui::SetCursorScreenPos({p.x, y});
    if (ImGui::InvisibleButton("pin", {label, row})) {
      if (!m.pinned.erase(r.id)) m.pinned.insert(r.id);
    }
    focus_stop(2);
    tip((info.variable.empty() ? "" : info.variable + " in " + info.name + ", ") +
        std::string(r.written ? "written here"
                    : r.read  ? "read here"
                              : "kept in sight") +
        (r.pinned ? "; click lets it go" : "; click keeps it in sight"));
    ImGui::PopID();
    if (r.pinned) d->AddCircleFilled({p.x + px(4), y + row / 2}, px(2.5f), t.accent);
    text_at(d, f, {p.x + px(10), y + (row - f->FontSize) / 2}, c, name, label - px(12));
    if (std::string over = draw_lanes_of(r, {p.x + label, y}, w, row); !over.empty()) hover = over;
    y += row;
    if (y > p.y + size.y * 3) break;
  }
  ImGui::SetCursorScreenPos({p.x, y});
  ImGui::Dummy({1, 1});
  if (regs.empty()) text_at(d, fonts().small, {p.x, p.y + px(24)}, t.muted, "This line uses no registers.");
  tip_at_mouse(hover);
  ImGui::EndChild();
}

}  // namespace dojo::gui
