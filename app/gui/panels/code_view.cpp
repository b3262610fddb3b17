#include "gui/panels/code_view.hpp"

#include <fmt/format.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstring>

#include "core/text/escape.hpp"
#include "gui/model/commands.hpp"
#include "gui/panels/focus.hpp"
#include "gui/panels/widgets.hpp"
#include "gui/plot/axis.hpp"

namespace dojo::gui {

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
  bool moved = false;  // by a key that moves the caret, if only in vain: at the text's end it is shown, too
  bool ctrl = io.KeyCtrl, shift = io.KeyShift;
  auto pressed = [](ImGuiKey k) { return ImGui::IsKeyPressed(ImGui::GetKeyIndex(k), true); };
  auto move = [&](ImGuiKey k) { return pressed(k) && (moved = true); };
  if (!io.KeyAlt) {
    if (move(ImGuiKey_LeftArrow)) b.left(shift, ctrl);
    if (move(ImGuiKey_RightArrow)) b.right(shift, ctrl);
    if (!ctrl && move(ImGuiKey_UpArrow)) by_rows(b, -1, shift);
    if (!ctrl && move(ImGuiKey_DownArrow)) by_rows(b, 1, shift);
    if (!ctrl && move(ImGuiKey_PageUp)) by_rows(b, -page, shift);
    if (!ctrl && move(ImGuiKey_PageDown)) by_rows(b, page, shift);
    if (move(ImGuiKey_Home)) ctrl ? b.move_to({0, 0}, shift) : b.home(shift);
    if (move(ImGuiKey_End)) ctrl ? b.move_to({b.line_count(), 1 << 30}, shift) : b.end(shift);
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
      for (ImWchar c : io.InputQueueCharacters) {
        if (c < 32 || c == 127) continue;
        std::string typed;
        append_utf8(typed, c);
        b.type(typed);
      }
  }
  if (moved || b.caret() != was || b.version() != before) scroll_to_caret_ = true;
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

void CodeView::keep_top(const TextBuffer& b) {
  const float at = ImGui::GetScrollY(), pad = px(6);
  const bool same_text = std::get<0>(top_.rows) == &b && std::get<1>(top_.rows) == b.version(),
             same_rows = top_.rows == set_of_ && top_.row == row_ && top_.window == window_;
  if (same_text && !same_rows && top_.row > 0) {
    const int line = std::min(top_.place.line, b.line_count() - 1);
    top_.scroll = at < pad && top_.scroll < pad
                      ? 0
                      : std::floor(pad + row_ * (float(row_of(line, top_.place.column)) + top_.rest));
    ImGui::SetScrollY(top_.scroll);
  } else if (!same_rows || std::fabs(at - top_.scroll) >= 1) {
    const float rows = std::max(0.0f, (at - pad) / row_);
    const int k = std::min(int(rows), int(sheet_.rows.size()) - 1);
    top_.place = {sheet_.rows[size_t(k)].line, sheet_.rows[size_t(k)].from};
    top_.rest = rows - float(k);
    top_.scroll = at;
  }
  top_.rows = set_of_, top_.row = row_, top_.window = window_;
}

void CodeView::take_mouse(TextBuffer& b, const CodeSpec& spec, bool hovered) {
  const float left = ImGui::GetWindowPos().x + gutter_;
  ImGuiIO& io = ImGui::GetIO();
  bool in_text = hovered && io.MousePos.x > left;
  if (in_text) ImGui::SetMouseCursor(ImGuiMouseCursor_TextInput);
  if (hovered && ImGui::IsMouseClicked(0)) {
    ImGui::SetWindowFocus();
    focused_ = true;
    if (spec.gutter_clicked && io.MousePos.x < left) {
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
}

bool CodeView::draw(const char* id, TextBuffer& b, const CodeSpec& spec, ImVec2 size) {
  refused_paste_ = false;
  ImFont* f = fonts().mono;
  if (of_ != &b || version_ != b.version()) {
    refused_paste_ = false;
    runs_ = highlight_all(b.lines());
    if (of_ != &b && b.caret().line > 0) scroll_to_caret_ = true;  // a caret kept from the last start
    of_ = &b;
    version_ = b.version();
  }
  digits_ = std::max(2, int(std::to_string(b.line_count()).size()));
  heat_w_ = spec.heat && !spec.heat->empty() ? px(62) : 0;
  // The arrow of slow motion stands between the number and the text.
  gutter_ = px(18) + f->GetCharAdvance('M') * float(digits_) + heat_w_ + px(spec.breakpoints ? 24 : 12);
  if (spec.take_focus) ImGui::SetNextWindowFocus();
  // What is below is said in a strip of its own, so that it hides no line's end.
  const ImVec2 all_from = ImGui::GetCursorScreenPos(), all = size;
  const bool strip = spec.says_more && row_ * float(sheet_.rows.size()) + px(12) > size.y;
  if (strip) size.y = std::max(row_, size.y - fonts().small->FontSize - px(14));
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
  const bool hovered = ImGui::IsItemHovered();
  focus_stop_of_imgui();
  take_mouse(b, spec, hovered);
  bool changed = focused_ && input(b, spec.writable, page);
  if (changed && version_ != b.version()) {
    runs_ = highlight_all(b.lines());
    version_ = b.version();
    set_rows(b, spec, room.x);
  }
  // Rows that came in the frame before can be scrolled to only now.
  scroll_to_caret_ |= grew_;
  grew_ = changed;
  keep_top(b);
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
  draw_over(spec);
  if (hovered && ImGui::GetIO().MousePos.x > win.x + gutter_) say_unknown(b);
  ImGui::EndChild();
  if (strip) {
    draw_below({all_from.x + all.x, all_from.y + all.y});
    ImGui::SetCursorScreenPos({all_from.x, all_from.y + all.y});
  }
  return changed;
}

}  // namespace dojo::gui
