#include "gui/panels/widgets.hpp"
#include "gui/look.hpp"
#include "gui/panels/focus.hpp"

#include <algorithm>
#include <cfloat>
#include <cmath>

#ifndef IMGUI_DEFINE_MATH_OPERATORS
#define IMGUI_DEFINE_MATH_OPERATORS
#endif
#include <imgui_internal.h>

namespace dojo::gui {

namespace {
/// Where a line of that width ends. ImGui also breaks behind a full stop or comma inside a word ("150.|)",
/// "0.|5"): the line then ends before that word, unless it is wider than the line.
const char* line_end(ImFont* f, const char* at, const char* end, float width) {
  const auto blank = [](char c) { return c == ' ' || c == '\n'; };
  const char* to = f->CalcWordWrapPositionA(1, at, end, width);
  if (to >= end || blank(*to) || (to > at && blank(to[-1]))) return to;
  const char* word = to;
  while (word > at && !blank(word[-1])) --word;
  return std::any_of(at, word, [&](char c) { return !blank(c); }) ? word : to;
}

/// The text with a line break wherever a line of that width ends.
std::string broken_into_lines(ImFont* f, const std::string& s, float width) {
  std::string out;
  for (const char *at = s.data(), *end = at + s.size(); at < end;) {
    const char* to = std::max(line_end(f, at, end, width), at + 1);
    while (to < end && (*to & 0xc0) == 0x80) ++to;  // never inside a sign
    out.append(at, to);
    const bool broken = to < end && *to != '\n' && out.back() != '\n';
    for (at = to; broken && at < end && *at == ' ';) ++at;
    if (!broken || at >= end || *at == '\n') continue;
    while (out.back() == ' ') out.pop_back();
    out += '\n';
  }
  return out;
}
}  // namespace

void text_in(ImFont* f, ImU32 col, const std::string& s) {
  want_characters(s);
  ImGui::PushFont(f);
  ImGui::PushStyleColor(ImGuiCol_Text, col);
  const float wrap = ImGui::GetCurrentWindow()->DC.TextWrapPos;
  const float width = wrap < 0 ? 0 : ImGui::CalcWrapWidthForPos(ImGui::GetCursorScreenPos(), wrap);
  const std::string lines = width > 1 ? broken_into_lines(f, s, width) : "";
  const std::string& shown = width > 1 ? lines : s;
  ImGui::TextUnformatted(shown.data(), shown.data() + shown.size());
  ImGui::PopStyleColor();
  ImGui::PopFont();
}

void text_wrapped_in(ImFont* f, ImU32 col, const std::string& s) {
  ImGui::PushTextWrapPos(0);
  text_in(f, col, s);
  ImGui::PopTextWrapPos();
}

ImVec2 text_size(ImFont* f, const std::string& s) {
  return f->CalcTextSizeA(f->FontSize, FLT_MAX, 0, s.data(), s.data() + s.size());
}

std::string fitted(ImFont* f, const std::string& s, float width) {
  if (width <= 0 || text_size(f, s).x <= width) return s;
  std::string dots = "…";
  float room = width - text_size(f, dots).x;
  size_t n = 0;
  while (n < s.size()) {
    size_t k = n + 1;
    while (k < s.size() && (static_cast<unsigned char>(s[k]) & 0xC0) == 0x80) ++k;
    if (text_size(f, s.substr(0, k)).x > room) break;
    n = k;
  }
  while (n > 0 && s[n - 1] == ' ') --n;
  return s.substr(0, n) + dots;
}

std::vector<std::string> wrapped_lines(ImFont* f, const std::string& text, float width) {
  std::vector<std::string> out;
  for (const char *at = text.data(), *end = at + text.size(); at < end;) {
    const char* to = line_end(f, at, end, width);
    if (to == at) ++to;
    // ImGui breaks inside a word that is wider than the row.
    while (to < end && *to != ' ' && *to != '\n' && to[-1] != ' ') ++to;
    out.emplace_back(at, to);
    while (!out.back().empty() && out.back().back() == ' ') out.back().pop_back();
    for (at = to; at < end && (*at == ' ' || *at == '\n'); ++at)
      if (*at == '\n') {
        ++at;
        break;
      }
  }
  return out;
}

void text_at(ImDrawList* d, ImFont* f, ImVec2 p, ImU32 col, const std::string& s, float width) {
  std::string t = fitted(f, s, width);
  want_characters(t);
  d->AddText(f, f->FontSize, {std::floor(p.x), std::floor(p.y)}, col, t.data(), t.data() + t.size());
}

void text_wrapped_at(ImDrawList* d, ImFont* f, ImVec2 p, ImU32 col, const std::string& s, float width) {
  for (const std::string& line : wrapped_lines(f, s, width)) {
    text_at(d, f, p, col, line, width);
    p.y += std::floor(f->FontSize * 1.25f);
  }
}

bool plain_button(const char* label, ImVec2 size) {
  const bool pressed = ImGui::Button(label, size);
  focus_stop_of_imgui();
  return pressed;
}

bool icon_button(const char* id, Icon icon, const std::string& tooltip, bool on, float side) {
  auto& t = theme();
  if (side <= 0) side = ImGui::GetFrameHeight();
  ImVec2 p = ImGui::GetCursorScreenPos();
  bool pressed = ImGui::InvisibleButton(id, {side, side});
  bool hover = ImGui::IsItemHovered(), active = ImGui::IsItemActive();
  ImDrawList* d = ImGui::GetWindowDrawList();
  if (hover || active || on)
    d->AddRectFilled(p, {p.x + side, p.y + side},
                     active         ? t.press
                     : on && !hover ? t.raised
                                    : t.hover,
                     px(5));
  draw_icon(d, icon, {p.x + side / 2, p.y + side / 2}, side * 0.56f,
            on      ? t.accent
            : hover ? t.text
                    : t.muted);
  focus_stop(5);
  tip(tooltip);
  return pressed;
}

bool primary_button(const char* label, Icon icon, bool enabled, float width) {
  auto& t = theme();
  ImFont* f = fonts().strong;
  float h = ImGui::GetFrameHeight(), pad = px(12), icon_size = f->FontSize * 0.8f;
  const char* end = ImGui::FindRenderedTextEnd(label);
  std::string shown(label, end);
  float want = pad * 2 + icon_size + px(6) + text_size(f, shown).x;
  if (width < want) width = want;
  ImVec2 p = ImGui::GetCursorScreenPos();
  if (!enabled) ImGui::BeginDisabled();
  bool pressed = ImGui::InvisibleButton(label, {width, h});
  bool hover = ImGui::IsItemHovered(), active = ImGui::IsItemActive();
  if (!enabled) ImGui::EndDisabled();
  ImDrawList* d = ImGui::GetWindowDrawList();
  ImU32 ground = !enabled ? t.hover
                 : active ? mix(t.accent, t.ground, 0.25f)
                 : hover  ? mix(t.accent, t.text, 0.15f)
                          : t.accent;
  d->AddRectFilled(p, {p.x + width, p.y + h}, ground, px(6));
  focus_stop(6, t.text);  // on a ground in the accent's colour
  ImU32 ink = enabled ? t.on_accent : t.muted;
  float x = p.x + (width - want) / 2 + pad;
  draw_icon(d, icon, {x + icon_size / 2, p.y + h / 2}, icon_size, ink);
  text_at(d, f, {x + icon_size + px(6), p.y + (h - f->FontSize) / 2}, ink, shown);
  return pressed && enabled;
}

bool pill(const char* label, bool on) {
  auto& t = theme();
  ImFont* f = fonts().small;
  const char* end = ImGui::FindRenderedTextEnd(label);
  std::string shown(label, end);
  ImVec2 size = {text_size(f, shown).x + px(16), f->FontSize + px(9)};
  ImVec2 p = ImGui::GetCursorScreenPos();
  if (for_print()) {  // what is on, without what could be
    if (on) text_at(ImGui::GetWindowDrawList(), f, {p.x, p.y + (size.y - f->FontSize) / 2}, t.muted, shown);
    ImGui::Dummy(on ? size : ImVec2(0, size.y));
    return false;
  }
  bool pressed = ImGui::InvisibleButton(label, size);
  bool hover = ImGui::IsItemHovered();
  ImDrawList* d = ImGui::GetWindowDrawList();
  ImVec2 q = {p.x + size.x, p.y + size.y};
  if (on)
    d->AddRectFilled(p, q, fade(t.accent, 0.20f), size.y / 2);
  else if (hover)
    d->AddRectFilled(p, q, t.hover, size.y / 2);
  if (on) d->AddRect(p, q, fade(t.accent, 0.75f), size.y / 2, 0, std::max(1.0f, px(1)));
  focus_stop(size.y / 2 / ui_scale(), on ? t.text : t.accent);
  text_at(d, f, {p.x + px(8), p.y + (size.y - f->FontSize) / 2}, on ? t.text : t.muted, shown);
  return pressed;
}

bool tab_link(const char* label, bool on) {
  auto& t = theme();
  ImFont* f = fonts().small;
  const ImVec2 p = ImGui::GetCursorScreenPos(), z = text_size(f, label);
  const ImVec2 size = {z.x + px(16), z.y + px(10)};
  const bool clicked = ImGui::InvisibleButton(label, size);
  const bool over = ImGui::IsItemHovered();
  ImDrawList* d = ImGui::GetWindowDrawList();
  focus_stop();
  text_at(d, f, {p.x + px(8), p.y + px(4)}, on || over ? t.text : t.muted, label);
  if (on)
    d->AddRectFilled({p.x + px(6), p.y + size.y - px(2)}, {p.x + size.x - px(6), p.y + size.y}, t.accent,
                     px(1));
  return clicked;
}

void wrap_next(float width) {
  float next = ImGui::GetItemRectMax().x + ImGui::GetStyle().ItemSpacing.x + width;
  float right = ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x;
  if (next <= right) ImGui::SameLine();
}

bool link(const std::string& label, ImU32 colour) {
  auto& t = theme();
  if (!colour) colour = for_print() ? t.text : t.accent;
  want_characters(label);
  const char* end = ImGui::FindRenderedTextEnd(label.c_str());
  ImVec2 p = ImGui::GetCursorScreenPos(), size = ImGui::CalcTextSize(label.c_str(), end);
  if (for_print()) {
    ImGui::GetWindowDrawList()->AddText(p, colour, label.c_str(), end);
    ImGui::Dummy({std::max(1.0f, size.x), size.y});
    return false;
  }
  bool pressed = ImGui::InvisibleButton(label.c_str(), {std::max(1.0f, size.x), size.y});
  bool hover = ImGui::IsItemHovered();
  if (hover) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  ImDrawList* d = ImGui::GetWindowDrawList();
  d->AddText(p, colour, label.c_str(), end);
  focus_stop(3);
  if (hover) d->AddLine({p.x, p.y + size.y}, {p.x + size.x, p.y + size.y}, colour, std::max(1.0f, px(1)));
  return pressed;
}

bool splitter(const char* id, bool vertical, float length, float* value, float unit, float lo, float hi,
              float normal) {
  auto& t = theme();
  float thick = px(7);
  ImVec2 p = ImGui::GetCursorScreenPos();
  ImVec2 size = vertical ? ImVec2(thick, length) : ImVec2(length, thick);
  ImGui::InvisibleButton(id, size);
  bool hover = ImGui::IsItemHovered(), active = ImGui::IsItemActive(), changed = false;
  if (hover || active)
    ImGui::SetMouseCursor(vertical ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_ResizeNS);
  if (active) {
    float d = vertical ? ImGui::GetIO().MouseDelta.x : ImGui::GetIO().MouseDelta.y;
    if (d != 0) {
      *value = std::clamp(*value + d * unit, lo, hi);
      changed = true;
    }
  }
  if (hover && ImGui::IsMouseDoubleClicked(0)) {
    *value = normal;
    changed = true;
  }
  ImDrawList* dl = ImGui::GetWindowDrawList();
  float w = active || hover ? px(3) : std::max(1.0f, px(1));
  ImU32 col = active ? t.accent : hover ? fade(t.accent, 0.7f) : t.border;
  dl->AddRectFilled(p, {p.x + size.x, p.y + size.y}, t.panel);
  if (vertical)
    dl->AddRectFilled({p.x + (thick - w) / 2, p.y}, {p.x + (thick + w) / 2, p.y + length}, col);
  else
    dl->AddRectFilled({p.x, p.y + (thick - w) / 2}, {p.x + length, p.y + (thick + w) / 2}, col);
  return changed;
}

bool begin_combo(const char* id, const std::string& shown, float width) {
  auto& t = theme();
  ImVec2 p = ImGui::GetCursorScreenPos();
  float h = ImGui::GetFrameHeight();
  if (width <= 0) width = ImGui::CalcItemWidth();
  if (for_print()) {  // what is chosen, without a list that nothing opens
    text_at(ImGui::GetWindowDrawList(), fonts().ui, {p.x, p.y + (h - fonts().ui->FontSize) / 2}, t.text,
            shown, width);
    ImGui::Dummy({width, h});
    return false;
  }
  ImGui::SetNextItemWidth(width);
  // Parts of the window have no padding of their own; its lists do.
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {px(8), px(6)});
  bool open = ImGui::BeginCombo(id, fitted(ImGui::GetFont(), shown, width - px(34)).c_str(),
                                ImGuiComboFlags_NoArrowButton | ImGuiComboFlags_HeightLarge);
  ImGui::PopStyleVar();
  if (!open) focus_stop_of_imgui();
  // The list is a window of its own: the chevron belongs to the one below.
  ImDrawList* d = open ? ImGui::GetCurrentWindow()->ParentWindow->DrawList : ImGui::GetWindowDrawList();
  draw_icon(d, Icon::chevron_down, {p.x + width - px(13), p.y + h / 2 + px(1)}, px(10), t.muted);
  return open;
}

void section(const std::string& title) {
  gap(4);
  text_in(fonts().strong, theme().text, title);
}

void tip(const std::string& text) {
  if (text.empty() || !ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) return;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {px(10), px(8)});
  ImGui::BeginTooltip();
  ImGui::PushTextWrapPos(px(360));
  ImGui::PushFont(fonts().small);
  want_characters(text);
  ImGui::TextUnformatted(text.c_str());
  ImGui::PopFont();
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
  ImGui::PopStyleVar();
}

void tip_below(const std::string& text) {
  if (text.empty() || !ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) return;
  ImFont* f = fonts().small;
  const ImVec2 letters = f->CalcTextSizeA(f->FontSize, FLT_MAX, px(360), text.c_str());
  const float width = letters.x + px(20), height = letters.y + px(16);
  const ImVec2 lo = ImGui::GetItemRectMin(), hi = ImGui::GetItemRectMax();
  const ImVec2 all = ImGui::GetIO().DisplaySize;
  const float below = hi.y + px(4);
  ImGui::SetNextWindowPos({std::max(0.0f, std::min(lo.x, all.x - width - px(4))),
                           below + height > all.y ? lo.y - px(4) - height : below});
  tip(text);
}

void tip_at_mouse(const std::string& text) {
  if (text.empty()) return;
  ImGui::BeginTooltip();
  want_characters(text);
  ImGui::TextUnformatted(text.c_str());
  ImGui::EndTooltip();
}

void key_cap(const std::string& keys) {
  auto& t = theme();
  ImFont* f = fonts().small;
  ImVec2 p = ImGui::GetCursorScreenPos(), s = text_size(f, keys);
  ImVec2 size = {s.x + px(10), f->FontSize + px(5)};
  ImGui::Dummy(size);
  ImDrawList* d = ImGui::GetWindowDrawList();
  d->AddRectFilled(p, {p.x + size.x, p.y + size.y}, t.raised, px(4));
  d->AddRect(p, {p.x + size.x, p.y + size.y}, t.border, px(4));
  text_at(d, f, {p.x + px(5), p.y + px(2.5f)}, t.muted, keys);
}

void table_heads(unsigned right) {
  ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
  for (int k = 0; k < ImGui::TableGetColumnCount(); ++k) {
    if (!ImGui::TableSetColumnIndex(k)) continue;
    const std::string name = ImGui::TableGetColumnName(k);
    ImGui::PushID(k);
    if (right >> k & 1) {
      const ImVec2 p = ImGui::GetCursorScreenPos();
      const float room = ImGui::GetContentRegionAvail().x;
      const bool sorts = ImGui::TableGetColumnFlags(k) & ImGuiTableColumnFlags_IsSorted;
      ImGui::TableHeader("##head");
      ImFont* f = ImGui::GetFont();
      const float arrow = sorts ? ImGui::GetFontSize() * 0.9f : 0,
                  w = std::min(text_size(f, name).x, room - arrow);
      text_at(ImGui::GetWindowDrawList(), f, {p.x + room - arrow - w, p.y}, theme().text, name, w + 1);
    } else {
      ImGui::TableHeader(name.c_str());
    }
    ImGui::PopID();
  }
}

void number_cell(ImFont* f, ImU32 c, const std::string& text) {
  const float room = ImGui::GetContentRegionAvail().x;
  const std::string shown = fitted(f, text, room);
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(0.0f, room - text_size(f, shown).x));
  text_in(f, c, shown);
}

void gap(float v) { ImGui::Dummy({1, std::max(0.0f, px(v) - ImGui::GetStyle().ItemSpacing.y)}); }

}  // namespace dojo::gui
