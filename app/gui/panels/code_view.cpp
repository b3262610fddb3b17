#include "gui/panels/code_view.hpp"

#include <fmt/format.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstring>

#include "gui/model/commands.hpp"
#include "gui/panels/focus.hpp"
#include "gui/panels/widgets.hpp"
#include "gui/plot/axis.hpp"

namespace dojo::gui {

namespace {
std::string utf8(unsigned c) {
  std::string s;
  if (c < 0x80)
    s += char(c);
  else if (c < 0x800)
    s += char(0xC0 | (c >> 6)), s += char(0x80 | (c & 63));
  else if (c < 0x10000)
    s += char(0xE0 | (c >> 12)), s += char(0x80 | ((c >> 6) & 63)), s += char(0x80 | (c & 63));
  return s;
}
/// Bytes [from, to) of a line with its tabs as blanks up to their stops.
std::string without_tabs(const std::string& s, int from, int to) {
  std::string out;
  for (int i = from; i < to; ++i) {
    if (s[size_t(i)] == '\t')
      out.append(size_t(columns_of(s, i + 1) - columns_of(s, i)), ' ');
    else
      out += s[size_t(i)];
  }
  return out;
}
}  // namespace

int CodeView::row_of(int line, int column) const {
  int k = row_of(line);
  while (k + 1 < int(sheet_.rows.size()) && sheet_.rows[size_t(k + 1)].line == line &&
         column >= sheet_.rows[size_t(k)].to)
    ++k;
  return k;
}

float CodeView::x_of(const TextBuffer& b, int row, int column) const {
  auto& r = sheet_.rows[size_t(row)];
  auto& s = b.lines()[size_t(r.line)];
  const int in = r.from ? SourcePages::indent(s, columns_) : 0;
  return float(in + columns_of(s, column) - columns_of(s, r.from)) * advance_;
}

Caret CodeView::at(const TextBuffer& b, ImVec2 p) const {
  const int k = std::clamp(int(std::floor((p.y - origin_.y) / row_)), 0, int(sheet_.rows.size()) - 1);
  auto& r = sheet_.rows[size_t(k)];
  auto& s = b.lines()[size_t(r.line)];
  const bool goes_on = k + 1 < int(sheet_.rows.size()) && sheet_.rows[size_t(k + 1)].line == r.line;
  int best = r.from;
  for (int i = r.from; i < r.to || (i == r.to && !goes_on); ++i) {
    if (i < int(s.size()) && (static_cast<unsigned char>(s[size_t(i)]) & 0xC0) == 0x80) continue;
    if (x_of(b, k, i) <= p.x - origin_.x + advance_ / 2)
      best = i;
    else
      break;
  }
  return {r.line, best};
}

void CodeView::set_rows(const TextBuffer& b, const CodeSpec& spec, float width) {
  ImFont* f = fonts().mono;
  const float advance = f->GetCharAdvance('M');
  const int columns = spec.wrap ? int(width / advance) : 1 << 20;
  if (auto of = std::make_tuple(&b, b.version(), columns, advance); of != set_of_) {
    set_of_ = of;
    sheet_ = set_sheet(b.lines(), columns);
    first_row_.assign(b.lines().size(), 0);
    for (size_t k = sheet_.rows.size(); k-- > 0;) first_row_[size_t(sheet_.rows[k].line)] = int(k);
  }
  columns_ = columns;
  advance_ = advance;
  type_ = f->FontSize;
  row_ = std::floor(f->FontSize * spec.line_distance);
}

void CodeView::by_rows(TextBuffer& b, int rows, bool select) {
  if (int(sheet_.rows.size()) == b.line_count()) return rows < 0 ? b.up(select, -rows) : b.down(select, rows);
  const int k = row_of(b.caret().line, b.caret().column), to = k + rows, last = int(sheet_.rows.size()) - 1;
  if (to < 0) return b.move_to({0, 0}, select);
  if (to > last) return b.move_to({b.line_count() - 1, 1 << 30}, select);
  // Straight up and down also across shorter rows.
  if (b.caret() != came_to_) goal_x_ = x_of(b, k, b.caret().column);
  b.move_to(at(b, {origin_.x + goal_x_, origin_.y + row_ * (float(to) + 0.5f)}), select);
  came_to_ = b.caret();
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
    if (pressed(ImGuiKey_UpArrow) && !ctrl) by_rows(b, -1, shift);
    if (pressed(ImGuiKey_DownArrow) && !ctrl) by_rows(b, 1, shift);
    if (pressed(ImGuiKey_PageUp) && !ctrl) by_rows(b, -page, shift);
    if (pressed(ImGuiKey_PageDown) && !ctrl) by_rows(b, page, shift);
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
      if (const char* text = ImGui::GetClipboardText()) {
        refused_paste_ = b.bytes() - b.selected().size() + std::strlen(text) > most_pasted;
        if (!refused_paste_) b.type(text);
      }
    if (pressed(ImGuiKey_Backspace)) b.backspace(ctrl);
    if (pressed(ImGuiKey_Delete)) b.del(ctrl);
    if (!ctrl && (pressed(ImGuiKey_Enter) || pressed(ImGuiKey_KeyPadEnter))) b.newline();
    if (!ctrl && ImGui::IsKeyPressed(key::tab, true)) b.indent(shift);
    if (!ctrl && !io.KeyAlt)
      for (ImWchar c : io.InputQueueCharacters)
        if (c >= 32 && c != 127) b.type(utf8(c));
  }
  if (b.caret() != was || b.version() != before) scroll_to_caret_ = true;
  return b.version() != before;
}

void CodeView::keep_in_sight(TextBuffer& b, const CodeSpec& spec, ImVec2 win_size) {
  const float pad = px(6);
  if (spec.at_line != at_line_) {
    at_line_ = spec.at_line;
    const float y = at_line_ > 0 ? pad + row_ * float(row_of(std::min(at_line_, b.line_count()) - 1)) : 0,
                top = ImGui::GetScrollY();
    if (at_line_ > 0 && (y < top + row_ || y + row_ * 3 > top + win_size.y))
      ImGui::SetScrollY(std::max(0.0f, std::floor((y - win_size.y * 0.4f) / row_) * row_));  // whole rows
  }
  if (spec.go_line > 0) {
    flash_line_ = std::min(spec.go_line, b.line_count());
    flash_until_ = ImGui::GetTime() + 1.6;
    b.move_to({flash_line_ - 1, 0});
    ImGui::SetScrollY(std::max(0.0f, row_ * float(row_of(flash_line_ - 1) + 1) - win_size.y * 0.4f));
  } else if (scroll_to_caret_) {
    scroll_to_caret_ = false;
    const int k = row_of(b.caret().line, b.caret().column);
    const float y = pad + row_ * float(k), top = ImGui::GetScrollY();
    if (y < top)
      ImGui::SetScrollY(y);
    else if (y + row_ > top + win_size.y - px(14))
      ImGui::SetScrollY(y + row_ - win_size.y + px(14));
    if (spec.wrap) return;
    const float x = gutter_ + x_of(b, k, b.caret().column), left = ImGui::GetScrollX();
    if (x - gutter_ < left + advance_ * 2)
      ImGui::SetScrollX(std::max(0.0f, x - gutter_ - advance_ * 8));
    else if (x > left + win_size.x - advance_ * 4)
      ImGui::SetScrollX(x - win_size.x + advance_ * 8);
  }
}

bool CodeView::draw(const char* id, TextBuffer& b, const CodeSpec& spec, ImVec2 size) {
  refused_paste_ = false;
  ImFont* f = fonts().mono;
  if (of_ != &b || version_ != b.version()) {
    refused_paste_ = false;
    runs_ = highlight_all(b.lines());
    of_ = &b;
    version_ = b.version();
  }
  digits_ = std::max(2, int(std::to_string(b.line_count()).size()));
  heat_w_ = spec.heat && !spec.heat->empty() ? px(62) : 0;
  // The arrow of slow motion stands between the number and the text.
  gutter_ = px(18) + f->GetCharAdvance('M') * float(digits_) + heat_w_ + px(spec.breakpoints ? 24 : 12);
  if (spec.take_focus) ImGui::SetNextWindowFocus();
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::BeginChild(id, size, false,
                    (spec.wrap ? 0 : ImGuiWindowFlags_HorizontalScrollbar) | ImGuiWindowFlags_NoNavInputs |
                        ImGuiWindowFlags_NoMove);
  ImGui::PopStyleVar();
  focused_ = ImGui::IsWindowFocused();
  window_ = ImGui::GetCurrentWindow();
  const ImVec2 win = ImGui::GetWindowPos(), win_size = ImGui::GetWindowSize(),
               start = ImGui::GetCursorScreenPos();
  const float pad = px(6), bar = ImGui::GetStyle().ScrollbarSize;
  // Room for the scroll bar is kept free, so that lines don't break anew when it comes.
  const ImVec2 room = {std::max(px(40), win_size.x - gutter_ - bar - px(4)), win_size.y - pad * 2};
  set_rows(b, spec, room.x);
  origin_ = {start.x + gutter_, start.y + pad};
  int longest = 0;
  if (!spec.wrap)
    for (auto& l : b.lines()) longest = std::max(longest, columns_of(l, int(l.size())));
  ImVec2 full = {spec.wrap ? win_size.x - bar : gutter_ + advance_ * float(longest + 4),
                 pad * 2 + row_ * float(sheet_.rows.size())};
  int page = std::max(1, int(win_size.y / row_) - 2);

  ImGui::SetCursorScreenPos(start);
  ImGui::InvisibleButton(
      "text", {spec.wrap ? full.x : std::max(full.x, win_size.x), std::max(full.y, win_size.y - px(2))});
  bool hovered = ImGui::IsItemHovered();
  focus_stop_of_imgui();
  ImGuiIO& io = ImGui::GetIO();
  bool in_text = hovered && io.MousePos.x > win.x + gutter_;
  if (in_text) ImGui::SetMouseCursor(ImGuiMouseCursor_TextInput);
  if (hovered && ImGui::IsMouseClicked(0)) {
    ImGui::SetWindowFocus();
    focused_ = true;
    if (spec.gutter_clicked && io.MousePos.x < win.x + gutter_) {
      spec.gutter_clicked(at(b, {origin_.x, io.MousePos.y}).line + 1);
    } else {
      dragging_ = true;
      b.move_to(at(b, io.MousePos), io.KeyShift);
    }
  }
  if (hovered && ImGui::IsMouseDoubleClicked(0)) b.select_word(at(b, io.MousePos)), dragging_ = false;
  if (dragging_) {
    if (!ImGui::IsMouseDown(0))
      dragging_ = false;
    else if (ImGui::IsMouseDragging(0, 3))
      b.move_to(at(b, io.MousePos), true);
  }
  bool changed = focused_ && input(b, spec.writable, page);
  if (changed && version_ != b.version()) {
    runs_ = highlight_all(b.lines());
    version_ = b.version();
    set_rows(b, spec, room.x);
  }
  keep_in_sight(b, spec, win_size);
  if (scroll_rows_ != 0)
    ImGui::SetScrollY(std::clamp(ImGui::GetScrollY() + scroll_rows_ * row_, 0.0f, ImGui::GetScrollMaxY()));
  scroll_rows_ = 0;

  const int rows = int(sheet_.rows.size());
  int first = std::max(0, int((win.y - origin_.y) / row_)),
      last = std::min(rows - 1, int((win.y + win_size.y - origin_.y) / row_));
  if (spec.whole_rows) {
    constexpr float slack = 0.02f;  // of a row
    first = std::max(0, int(std::ceil((win.y - origin_.y) / row_ - slack)));
    last = std::min(rows, int((win.y + win_size.y - origin_.y) / row_ + slack)) - 1;
  }
  below_ = std::max(0, rows - int((win.y + win_size.y - origin_.y) / row_));
  shown_ = std::min(rows, int(room.y / row_));
  draw_text(b, spec, first, last, win, win_size);
  draw_gutter(b, spec, first, last, win, win_size.y, hovered);
  // The whole view wears the ring: its text is longer than what is seen of it.
  if (focused_ && !spec.says_more) {
    ImGui::GetWindowDrawList()->PushClipRect(win, {win.x + win_size.x, win.y + win_size.y});
    ImGui::GetWindowDrawList()->AddRect(win, {win.x + win_size.x, win.y + win_size.y}, theme().accent, 0, 0,
                                        std::max(1.0f, px(1.5f)));
    ImGui::GetWindowDrawList()->PopClipRect();
  }
  if (spec.says_more && below_ > 0) {
    auto& t = theme();
    ImDrawList* d = ImGui::GetWindowDrawList();
    const std::string words = fmt::format("↓ {} more", below_);
    const ImVec2 z = text_size(fonts().small, words),
                 p = {win.x + win_size.x - z.x - px(30), win.y + win_size.y - z.y - px(12)};
    d->AddRectFilled({p.x - px(10), p.y - px(5)}, {p.x + z.x + px(10), p.y + z.y + px(5)}, t.raised, px(6));
    d->AddRect({p.x - px(10), p.y - px(5)}, {p.x + z.x + px(10), p.y + z.y + px(5)}, t.border, px(6));
    text_at(d, fonts().small, p, t.text, words);
  }
  ImGui::EndChild();
  return changed;
}

void CodeView::draw_text(const TextBuffer& b, const CodeSpec& spec, int first, int last, ImVec2 win,
                         ImVec2 win_size) {
  auto& t = theme();
  ImFont* f = fonts().mono;
  ImDrawList* d = ImGui::GetWindowDrawList();
  Caret sa = std::min(b.caret(), b.anchor()), sb = std::max(b.caret(), b.anchor());
  const int caret_row = row_of(b.caret().line, b.caret().column);
  d->PushClipRect({win.x + gutter_, win.y}, {win.x + win_size.x, win.y + win_size.y}, true);
  for (int k = first; k <= last; ++k) {
    auto& r = sheet_.rows[size_t(k)];
    const int l = r.line;
    auto& s = b.lines()[size_t(l)];
    const bool ends = k + 1 >= int(sheet_.rows.size()) || sheet_.rows[size_t(k + 1)].line != l;
    float y = origin_.y + row_ * float(k);
    auto ground = [&](ImU32 c) { d->AddRectFilled({win.x + gutter_, y}, {win.x + win_size.x, y + row_}, c); };
    if (focused_ && spec.writable && l == b.caret().line && sa == sb) ground(fade(t.mark, 0.6f));
    if (l + 1 == flash_line_ && ImGui::GetTime() < flash_until_)
      ground(fade(t.warn, 0.28f * float(std::min(1.0, flash_until_ - ImGui::GetTime()))));
    if (l + 1 == spec.at_line) ground(fade(t.accent, t.dark ? 0.28f : 0.20f));
    if (spec.marks)
      if (auto it = spec.marks->find(l + 1); it != spec.marks->end())
        ground(fade(it->second.front().severity == Severity::error ? t.bad : t.warn, 0.13f));
    if (sa != sb && l >= sa.line && l <= sb.line) {
      const int from = l == sa.line ? std::max(sa.column, r.from) : r.from,
                to = l == sb.line ? std::min(sb.column, r.to) : r.to;
      const float x0 = x_of(b, k, from), x1 = x_of(b, k, to) + (l < sb.line && ends ? advance_ : 0);
      if (from < to || (from == to && x1 > x0))
        d->AddRectFilled({origin_.x + x0, y}, {origin_.x + x1, y + row_}, t.select);
    }
    if (!spec.find.empty())
      for (size_t at = 0; (at = s.find(spec.find, at)) != std::string::npos; at += spec.find.size()) {
        const int from = std::max(int(at), r.from), to = std::min(int(at + spec.find.size()), r.to);
        if (from < to)
          d->AddRectFilled({origin_.x + x_of(b, k, from), y}, {origin_.x + x_of(b, k, to), y + row_},
                           fade(t.warn, 0.35f), px(2));
      }
    if (r.from > 0) {
      continuation_hook(d, {origin_.x + x_of(b, k, r.from) - advance_ * 2.4f, y}, row_, advance_);
    }
    float ty = y + (row_ - type_) / 2;
    for (auto& run : runs_[size_t(l)]) {
      const int from = std::max(run.from, r.from), to = std::min(run.to, r.to);
      if (from >= to) continue;
      const std::string piece = without_tabs(s, from, to);
      d->AddText(f, type_, {std::floor(origin_.x + x_of(b, k, from)), std::floor(ty)}, t.code[int(run.token)],
                 piece.data(), piece.data() + piece.size());
    }
    if (focused_ && k == caret_row && std::fmod(ImGui::GetTime(), 1.06) < 0.6) {
      float x = std::floor(origin_.x + x_of(b, k, b.caret().column));
      d->AddRectFilled({x, y + px(1)}, {x + std::max(1.0f, px(1.6f)), y + row_ - px(1)}, t.accent);
    }
  }
  d->PopClipRect();
}

void CodeView::draw_gutter(const TextBuffer& b, const CodeSpec& spec, int first, int last, ImVec2 win,
                           float height, bool hovered) {
  auto& t = theme();
  ImDrawList* d = ImGui::GetWindowDrawList();
  ImGuiIO& io = ImGui::GetIO();
  // It stays while the text scrolls sideways.
  d->AddRectFilled(win, {win.x + gutter_ - px(6), win.y + height}, mix(t.panel, t.ground, 0.45f));
  ImFont* sf = fonts().mono_small;
  const float type = sf->FontSize, advance = fonts().mono->GetCharAdvance('M');
  auto wide = [&](const std::string& s) { return sf->CalcTextSizeA(type, FLT_MAX, 0, s.c_str()).x; };
  auto put = [&](float x, float y, ImU32 c, const std::string& s) {
    d->AddText(sf, type, {std::floor(x), std::floor(y + (row_ - type) / 2)}, c, s.c_str());
  };
  std::string hover_text;
  for (int k = first; k <= last; ++k) {
    auto& r = sheet_.rows[size_t(k)];
    const int l = r.line;
    const float y = origin_.y + row_ * float(k);
    const std::vector<LineMark>* marks = nullptr;
    if (spec.marks)
      if (auto it = spec.marks->find(l + 1); it != spec.marks->end()) marks = &it->second;
    const bool row_hover =
        hovered && io.MousePos.y >= y && io.MousePos.y < y + row_ && io.MousePos.x < win.x + gutter_;
    const ImU32 mark = !marks ? t.text : marks->front().severity == Severity::error ? t.bad : t.warn;
    if (heat_w_ > 0)
      if (auto it = spec.heat->find(l + 1); it != spec.heat->end()) {
        const float hx = win.x + px(18) + advance * float(digits_) + px(8), hw = heat_w_ - px(8);
        const bool goes_on = k + 1 < int(sheet_.rows.size()) && sheet_.rows[size_t(k + 1)].line == l;
        // Rows that go on have an edge only: a broken line weighs no more than another.
        const float right = r.from == 0 ? hx + hw : hx + px(3);
        d->AddRectFilled({hx, y}, {right, y + row_ - (goes_on ? 0 : 1)}, t.heat(it->second.heat));
        const std::string v = si(it->second.value);
        if (r.from == 0) put(hx + hw - px(5) - wide(v), y, t.text, v);
        if (row_hover && spec.tooltip && !marks) hover_text = spec.tooltip(l + 1);
      }
    if (row_hover && marks)
      for (auto& m : *marks) hover_text += (hover_text.empty() ? "" : "\n") + m.message;
    if (r.from > 0) continue;
    const std::string n = std::to_string(l + 1);
    put(win.x + px(18) + advance * float(digits_) - wide(n), y,
        marks                             ? mark
        : focused_ && l == b.caret().line ? t.text
                                          : t.faint,
        n);
    if (spec.breakpoints && spec.breakpoints->count(l + 1))
      d->AddCircleFilled({win.x + px(9), y + row_ / 2}, px(5), t.bad);
    else if (spec.gutter_clicked && row_hover)
      d->AddCircle({win.x + px(9), y + row_ / 2}, px(5), t.faint);
    if (l + 1 == spec.at_line)
      draw_icon(d, Icon::play, {win.x + gutter_ - px(14), y + row_ / 2}, px(9), t.accent);
    if (marks)
      draw_icon(d, marks->front().severity == Severity::error ? Icon::cross : Icon::warning,
                {win.x + px(9), y + row_ / 2}, px(11), mark);
  }
  if (hover_text.empty()) return;
  ImGui::BeginTooltip();
  ImGui::PushTextWrapPos(px(420));
  ImGui::PushFont(fonts().small);
  ImGui::TextUnformatted(hover_text.c_str());
  ImGui::PopFont();
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
}

}  // namespace dojo::gui
