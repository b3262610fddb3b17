// What a source view looks like: text, marks, gutter with numbers and heat, and what lies over them.
#include <fmt/format.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

#include "gui/panels/code_view.hpp"
#include "gui/panels/widgets.hpp"
#include "gui/plot/axis.hpp"

namespace dojo::gui {

namespace {
/// Bytes [from, to) of a line with its tabs as blanks up to their stops. A wide letter that the font lacks is
/// a box of one column: a blank follows it.
std::string in_columns(ImFont* f, const std::string& s, int from, int to) {
  std::string out;
  for (int i = from; i < to; ++i) {
    if (s[size_t(i)] == '\t')
      out.append(size_t(columns_of(s, i + 1) - columns_of(s, i)), ' ');
    else
      out += s[size_t(i)];
    const bool ends = i + 1 >= to || (static_cast<unsigned char>(s[size_t(i + 1)]) & 0xC0) != 0x80;
    if (!ends || static_cast<unsigned char>(s[size_t(i)]) < 0x80) continue;
    int at = i;
    while (at > from && (static_cast<unsigned char>(s[size_t(at)]) & 0xC0) == 0x80) --at;
    if (const unsigned c = code_point_at(s, at); is_wide(c) && !has_glyph(f, c)) out += ' ';
  }
  return out;
}
}  // namespace

void CodeView::say_unknown(const TextBuffer& b) const {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const int k = int(std::floor((mouse.y - origin_.y) / row_));
  if (k < 0 || k >= int(sheet_.rows.size())) return;
  auto& r = sheet_.rows[size_t(k)];
  auto& s = b.lines()[size_t(r.line)];
  const float x = mouse.x - origin_.x;
  for (int i = r.from; i < r.to; ++i) {
    if (static_cast<unsigned char>(s[size_t(i)]) < 0xC0) continue;
    int end = i + 1;
    while (end < r.to && (static_cast<unsigned char>(s[size_t(end)]) & 0xC0) == 0x80) ++end;
    if (x < x_of(b, k, i) || x >= x_of(b, k, end)) continue;
    if (const unsigned c = code_point_at(s, i); !has_glyph(fonts().mono, c))
      tip_at_mouse(
          fmt::format("U+{:04X}: no font that is installed here has this character. The file keeps it.", c));
    return;
  }
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
      for (size_t at = 0; (at = find_text(s, spec.find, at)) != std::string::npos; at += spec.find.size()) {
        const int from = std::max(int(at), r.from), to = std::min(int(at + spec.find.size()), r.to);
        if (from >= to) continue;
        const ImVec2 lo{origin_.x + x_of(b, k, from), y}, hi{origin_.x + x_of(b, k, to), y + row_};
        // The selected one has the selection's ground already; both together would hide grey comments.
        if (sa == Caret{l, int(at)} && sb == Caret{l, int(at + spec.find.size())})
          d->AddRect(lo, hi, t.warn, px(2));
        else
          d->AddRectFilled(lo, hi, fade(t.warn, 0.25f), px(2));
      }
    if (r.from > 0) {
      continuation_hook(d, {origin_.x + x_of(b, k, r.from) - advance_ * 2.4f, y}, row_, advance_);
    }
    float ty = y + (row_ - type_) / 2;
    for (auto& run : runs_[size_t(l)]) {
      const int from = std::max(run.from, r.from), to = std::min(run.to, r.to);
      if (from >= to) continue;
      const std::string piece = in_columns(f, s, from, to);
      want_characters(piece);
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
  want_characters(hover_text);
  ImGui::TextUnformatted(hover_text.c_str());
  ImGui::PopFont();
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
}

/// The whole view wears the ring of the focus: its text is longer than what is seen of it.
void CodeView::draw_over(const CodeSpec& spec) {
  if (!focused_ || spec.says_more) return;
  ImDrawList* d = ImGui::GetWindowDrawList();
  const ImVec2 win = ImGui::GetWindowPos(), win_size = ImGui::GetWindowSize();
  d->PushClipRect(win, {win.x + win_size.x, win.y + win_size.y});
  d->AddRect(win, {win.x + win_size.x, win.y + win_size.y}, theme().accent, 0, 0, std::max(1.0f, px(1.5f)));
  d->PopClipRect();
}

void CodeView::draw_below(ImVec2 corner) const {
  if (below_ <= 0) return;
  auto& t = theme();
  ImDrawList* d = ImGui::GetWindowDrawList();
  const std::string words = fmt::format("↓ {} more", below_);
  const ImVec2 z = text_size(fonts().small, words), p = {corner.x - z.x - px(20), corner.y - z.y - px(6)};
  d->AddRectFilled({p.x - px(10), p.y - px(4)}, {p.x + z.x + px(10), p.y + z.y + px(4)}, t.raised, px(6));
  d->AddRect({p.x - px(10), p.y - px(4)}, {p.x + z.x + px(10), p.y + z.y + px(4)}, t.border, px(6));
  text_at(d, fonts().small, p, t.text, words);
}

}  // namespace dojo::gui
