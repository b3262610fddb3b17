#include "gui/panels/code_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gui/model/commands.hpp"
#include "gui/model/source_pages.hpp"
#include "gui/panels/widgets.hpp"
#include "gui/plot/axis.hpp"

namespace dojo::gui {

namespace {
constexpr int tab_width = 4;
std::string utf8(unsigned c) {
  std::string s;
  if (c < 0x80) s += char(c);
  else if (c < 0x800) s += char(0xC0 | (c >> 6)), s += char(0x80 | (c & 63));
  else if (c < 0x10000) s += char(0xE0 | (c >> 12)), s += char(0x80 | ((c >> 6) & 63)), s += char(0x80 | (c & 63));
  return s;
}
}  // namespace

float CodeView::x_of(const std::string& line, int column) const { return float(columns_of(line, column)) * advance_; }

Caret CodeView::at(const TextBuffer& b, ImVec2 p) const {
  int line = std::clamp(int(std::floor((p.y - origin_.y) / row_)), 0, b.line_count() - 1);
  auto& s = b.lines()[size_t(line)];
  float want = (p.x - origin_.x) / advance_;
  int best = 0;
  for (int i = 0; i <= int(s.size()); ++i) {
    if (i < int(s.size()) && (static_cast<unsigned char>(s[size_t(i)]) & 0xC0) == 0x80) continue;
    if (float(columns_of(s, i)) <= want + 0.5f) best = i;
    else break;
  }
  return {line, best};
}

bool CodeView::input(TextBuffer& b, bool writable, int page) {
  ImGuiIO& io = ImGui::GetIO();
  uint64_t before = b.version();
  Caret was = b.caret();
  bool ctrl = io.KeyCtrl, shift = io.KeyShift;
  auto pressed = [](ImGuiKey k) { return ImGui::IsKeyPressed(ImGui::GetKeyIndex(k), true); };
  if (!io.KeyAlt) {
    if (pressed(ImGuiKey_LeftArrow)) b.left(shift, ctrl);
    if (pressed(ImGuiKey_RightArrow)) b.right(shift, ctrl);
    if (pressed(ImGuiKey_UpArrow) && !ctrl) b.up(shift);
    if (pressed(ImGuiKey_DownArrow) && !ctrl) b.down(shift);
    if (pressed(ImGuiKey_PageUp) && !ctrl) b.up(shift, page);
    if (pressed(ImGuiKey_PageDown) && !ctrl) b.down(shift, page);
    if (pressed(ImGuiKey_Home)) ctrl ? b.move_to({0, 0}, shift) : b.home(shift);
    if (pressed(ImGuiKey_End)) ctrl ? b.move_to({b.line_count(), 1 << 30}, shift) : b.end(shift);
  }
  if (ctrl && pressed(ImGuiKey_A)) b.select_all();
  if (ctrl && (pressed(ImGuiKey_C) || pressed(ImGuiKey_X)) && b.has_selection()) {
    ImGui::SetClipboardText(b.selected().c_str());
    if (pressed(ImGuiKey_X) && writable) b.type("");
  }
  if (writable) {
    if (ctrl && pressed(ImGuiKey_V))
      if (const char* text = ImGui::GetClipboardText()) b.type(text);
    if (pressed(ImGuiKey_Backspace)) b.backspace(ctrl);
    if (pressed(ImGuiKey_Delete)) b.del(ctrl);
    if (!ctrl && (pressed(ImGuiKey_Enter) || pressed(ImGuiKey_KeyPadEnter))) b.newline();
    if (!ctrl && pressed(ImGuiKey_Tab)) b.indent(shift);
    if (!ctrl && !io.KeyAlt)
      for (ImWchar c : io.InputQueueCharacters)
        if (c >= 32 && c != 127) b.type(utf8(c));
  }
  if (b.caret() != was || b.version() != before) scroll_to_caret_ = true;
  return b.version() != before;
}

bool CodeView::draw(const char* id, TextBuffer& b, const CodeSpec& spec, ImVec2 size) {
  auto& t = theme();
  ImFont* f = fonts().mono;
  advance_ = f->GetCharAdvance('M');
  row_ = std::floor(f->FontSize * 1.42f);
  if (of_ != &b || version_ != b.version()) {
    runs_ = highlight_all(b.lines());
    of_ = &b;
    version_ = b.version();
  }
  int digits = std::max(2, int(std::to_string(b.line_count()).size()));
  float heat_w = spec.heat && !spec.heat->empty() ? px(62) : 0;
  // The arrow of slow motion stands between the number and the text.
  gutter_ = px(18) + advance_ * float(digits) + heat_w + px(spec.breakpoints ? 24 : 12);
  if (spec.take_focus) ImGui::SetNextWindowFocus();
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::BeginChild(id, size, false, ImGuiWindowFlags_HorizontalScrollbar | ImGuiWindowFlags_NoNavInputs | ImGuiWindowFlags_NoMove);
  ImGui::PopStyleVar();
  focused_ = ImGui::IsWindowFocused();
  ImDrawList* d = ImGui::GetWindowDrawList();
  ImVec2 win = ImGui::GetWindowPos(), win_size = ImGui::GetWindowSize();
  ImVec2 start = ImGui::GetCursorScreenPos();
  float pad = px(6);
  origin_ = {start.x + gutter_, start.y + pad};
  int longest = 0;
  for (auto& l : b.lines()) longest = std::max(longest, int(l.size()));
  ImVec2 full = {gutter_ + advance_ * float(longest + 4), pad * 2 + row_ * float(b.line_count())};
  int page = std::max(1, int(win_size.y / row_) - 2);

  ImGui::SetCursorScreenPos(start);
  ImGui::InvisibleButton("text", {std::max(full.x, win_size.x), std::max(full.y, win_size.y - px(2))});
  bool hovered = ImGui::IsItemHovered();
  ImGuiIO& io = ImGui::GetIO();
  bool in_text = hovered && io.MousePos.x > win.x + gutter_;
  if (in_text) ImGui::SetMouseCursor(ImGuiMouseCursor_TextInput);
  if (hovered && ImGui::IsMouseClicked(0)) {
    ImGui::SetWindowFocus();
    focused_ = true;
    if (spec.gutter_clicked && io.MousePos.x < win.x + gutter_) {
      spec.gutter_clicked(std::clamp(int((io.MousePos.y - origin_.y) / row_) + 1, 1, b.line_count()));
    } else {
      dragging_ = true;
      b.move_to(at(b, io.MousePos), io.KeyShift);
    }
  }
  if (hovered && ImGui::IsMouseDoubleClicked(0)) b.select_word(at(b, io.MousePos)), dragging_ = false;
  if (dragging_) {
    if (!ImGui::IsMouseDown(0)) dragging_ = false;
    else if (ImGui::IsMouseDragging(0, 3)) b.move_to(at(b, io.MousePos), true);
  }
  bool changed = focused_ && input(b, spec.writable, page);
  if (changed && version_ != b.version()) {
    runs_ = highlight_all(b.lines());
    version_ = b.version();
  }
  if (spec.at_line != at_line_) {
    at_line_ = spec.at_line;
    const float y = pad + row_ * float(at_line_ - 1), top = ImGui::GetScrollY();
    if (at_line_ > 0 && (y < top + row_ || y + row_ * 3 > top + win_size.y)) ImGui::SetScrollY(std::max(0.0f, y - win_size.y * 0.4f));
  }
  if (spec.go_line > 0) {
    flash_line_ = std::min(spec.go_line, b.line_count());
    flash_until_ = ImGui::GetTime() + 1.6;
    b.move_to({flash_line_ - 1, 0});
    ImGui::SetScrollY(std::max(0.0f, row_ * float(flash_line_) - win_size.y * 0.4f));
  } else if (scroll_to_caret_) {
    scroll_to_caret_ = false;
    float y = pad + row_ * float(b.caret().line), top = ImGui::GetScrollY();
    if (y < top) ImGui::SetScrollY(y);
    else if (y + row_ > top + win_size.y - px(14)) ImGui::SetScrollY(y + row_ - win_size.y + px(14));
    float x = gutter_ + x_of(b.lines()[size_t(b.caret().line)], b.caret().column), left = ImGui::GetScrollX();
    if (x - gutter_ < left + advance_ * 2) ImGui::SetScrollX(std::max(0.0f, x - gutter_ - advance_ * 8));
    else if (x > left + win_size.x - advance_ * 4) ImGui::SetScrollX(x - win_size.x + advance_ * 8);
  }

  int first = std::max(0, int((win.y - origin_.y) / row_)), last = std::min(b.line_count() - 1, int((win.y + win_size.y - origin_.y) / row_));
  Caret sa = std::min(b.caret(), b.anchor()), sb = std::max(b.caret(), b.anchor());
  std::string hover_text;
  d->PushClipRect({win.x + gutter_, win.y}, {win.x + win_size.x, win.y + win_size.y}, true);
  for (int l = first; l <= last; ++l) {
    auto& s = b.lines()[size_t(l)];
    float y = origin_.y + row_ * float(l);
    if (focused_ && spec.writable && l == b.caret().line && sa == sb)
      d->AddRectFilled({win.x + gutter_, y}, {win.x + win_size.x, y + row_}, fade(t.mark, 0.6f));
    if (l + 1 == flash_line_ && ImGui::GetTime() < flash_until_)
      d->AddRectFilled({win.x + gutter_, y}, {win.x + win_size.x, y + row_}, fade(t.warn, 0.28f * float(std::min(1.0, flash_until_ - ImGui::GetTime()))));
    if (l + 1 == spec.at_line) d->AddRectFilled({win.x + gutter_, y}, {win.x + win_size.x, y + row_}, fade(t.accent, t.dark ? 0.28f : 0.20f));
    const std::vector<LineMark>* marks = nullptr;
    if (spec.marks)
      if (auto it = spec.marks->find(l + 1); it != spec.marks->end()) marks = &it->second;
    if (marks) d->AddRectFilled({win.x + gutter_, y}, {win.x + win_size.x, y + row_}, fade(marks->front().severity == Severity::error ? t.bad : t.warn, 0.13f));
    if (sa != sb && l >= sa.line && l <= sb.line) {
      float x0 = l == sa.line ? x_of(s, sa.column) : 0, x1 = l == sb.line ? x_of(s, sb.column) : x_of(s, int(s.size())) + advance_;
      d->AddRectFilled({origin_.x + x0, y}, {origin_.x + x1, y + row_}, t.select);
    }
    float ty = y + (row_ - f->FontSize) / 2;
    for (auto& r : runs_[size_t(l)]) {
      std::string piece = s.substr(size_t(r.from), size_t(r.to - r.from));
      if (piece.find('\t') != std::string::npos) {
        std::string spaces;
        for (char c : piece) spaces += c == '\t' ? std::string(tab_width, ' ') : std::string(1, c);
        piece = spaces;
      }
      d->AddText(f, f->FontSize, {std::floor(origin_.x + x_of(s, r.from)), std::floor(ty)}, t.code[int(r.token)], piece.data(), piece.data() + piece.size());
    }
    if (focused_ && l == b.caret().line && std::fmod(ImGui::GetTime(), 1.06) < 0.6) {
      float x = std::floor(origin_.x + x_of(s, b.caret().column));
      d->AddRectFilled({x, y + px(1)}, {x + std::max(1.0f, px(1.6f)), y + row_ - px(1)}, t.accent);
    }
  }
  d->PopClipRect();
  // The gutter stays while the text scrolls sideways.
  d->AddRectFilled(win, {win.x + gutter_ - px(6), win.y + win_size.y}, mix(t.panel, t.ground, 0.45f));
  ImFont* sf = fonts().mono_small;
  for (int l = first; l <= last; ++l) {
    float y = origin_.y + row_ * float(l);
    std::string n = std::to_string(l + 1);
    const std::vector<LineMark>* marks = nullptr;
    if (spec.marks)
      if (auto it = spec.marks->find(l + 1); it != spec.marks->end()) marks = &it->second;
    float nx = win.x + px(18) + advance_ * float(digits) - text_size(sf, n).x;
    bool here = focused_ && l == b.caret().line;
    text_at(d, sf, {nx, y + (row_ - sf->FontSize) / 2}, marks ? (marks->front().severity == Severity::error ? t.bad : t.warn) : here ? t.text : t.faint, n);
    bool row_hover = hovered && io.MousePos.y >= y && io.MousePos.y < y + row_ && io.MousePos.x < win.x + gutter_;
    if (spec.breakpoints && spec.breakpoints->count(l + 1)) d->AddCircleFilled({win.x + px(9), y + row_ / 2}, px(5), t.bad);
    else if (spec.gutter_clicked && row_hover) d->AddCircle({win.x + px(9), y + row_ / 2}, px(5), t.faint);
    if (l + 1 == spec.at_line) draw_icon(d, Icon::play, {win.x + gutter_ - px(14), y + row_ / 2}, px(9), t.accent);
    if (marks) {
      draw_icon(d, marks->front().severity == Severity::error ? Icon::cross : Icon::warning, {win.x + px(9), y + row_ / 2}, px(11),
                marks->front().severity == Severity::error ? t.bad : t.warn);
      if (row_hover)
        for (auto& m : *marks) hover_text += (hover_text.empty() ? "" : "\n") + m.message;
    }
    if (heat_w > 0) {
      float hx = win.x + px(18) + advance_ * float(digits) + px(8), hw = heat_w - px(8);
      if (auto it = spec.heat->find(l + 1); it != spec.heat->end()) {
        d->AddRectFilled({hx, y}, {hx + hw, y + row_ - 1}, t.heat(it->second.heat));
        std::string v = si(it->second.value);
        text_at(d, sf, {hx + hw - px(5) - text_size(sf, v).x, y + (row_ - sf->FontSize) / 2}, t.text, v);
        if (row_hover && spec.tooltip && hover_text.empty()) hover_text = spec.tooltip(l + 1);
      }
    }
  }
  if (!hover_text.empty()) {
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(px(420));
    ImGui::PushFont(fonts().small);
    ImGui::TextUnformatted(hover_text.c_str());
    ImGui::PopFont();
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
  }
  ImGui::EndChild();
  return changed;
}

}  // namespace dojo::gui
