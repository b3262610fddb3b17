// The differences of two texts: in one column, or in two.
#include <algorithm>
#include <cmath>

#include "gui/model/text/source_pages.hpp"
#include "gui/panels/step/diff_view.hpp"
#include "gui/panels/widgets.hpp"

namespace dojo::gui {

namespace {
float row_height() { return std::floor(fonts().mono->FontSize * 1.42f); }

/// A line's rows in its column: words stay whole where they can, and what goes on stands further in.
struct Broken {
  std::vector<SourcePages::Row> rows;
  int indent = 0;  ///< columns, of the rows after the first
};

Broken broken(const DiffLine* l, int columns) {
  if (!l) return {};
  return {set_sheet({l->text}, columns).rows, SourcePages::indent(l->text, columns)};
}
/// A line's number, ending at `right`; none where it is 0.
void draw_number(int n, float right, float y) {
  if (!n) return;
  ImFont* small = fonts().mono_small;
  const std::string s = std::to_string(n);
  text_at(ImGui::GetWindowDrawList(), small,
          {right - text_size(small, s).x, y + (row_height() - small->FontSize) / 2}, theme().faint, s);
}

/// A line's rows from `at` on.
void draw_rows(const DiffLine& l, const Broken& b, ImVec2 at) {
  ImDrawList* d = ImGui::GetWindowDrawList();
  ImFont* f = fonts().mono;
  const float row = row_height(), letter = f->GetCharAdvance('M');
  for (auto& r : b.rows) {
    const float in = r.from > 0 ? letter * float(b.indent) : 0;
    if (r.from > 0) continuation_hook(d, {at.x + in - letter * 2.4f, at.y}, row, letter);
    text_at(d, f, {at.x + in, at.y + (row - f->FontSize) / 2},
            l.kind == DiffLine::same ? theme().muted : theme().text,
            l.text.substr(size_t(r.from), size_t(r.to - r.from)));
    at.y += row;
  }
}
}  // namespace

namespace {
float number_width() { return px(34); }
float diff_text_x() { return number_width() * 2 + px(22); }
int diff_columns(float width) {
  return int(std::max(8.0f, (width - diff_text_x() - px(6)) / fonts().mono->GetCharAdvance('M')));
}
}  // namespace

float diff_height(const std::vector<DiffLine>& lines, float width) {
  size_t rows = 0;
  for (auto& l : lines) rows += std::max<size_t>(1, broken(&l, diff_columns(width)).rows.size());
  return row_height() * float(rows) + px(12);
}

void draw_diff(const std::vector<DiffLine>& lines) {
  auto& t = theme();
  ImDrawList* d = ImGui::GetWindowDrawList();
  ImFont* f = fonts().mono;
  const float row = row_height(), number = number_width(), text_x = diff_text_x();
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const int columns = diff_columns(width);
  const float top = ImGui::GetWindowPos().y, bottom = top + ImGui::GetWindowSize().y;
  float y = from.y + px(4);
  for (auto& l : lines) {
    const Broken b = broken(&l, columns);
    const float h = row * float(std::max<size_t>(1, b.rows.size()));
    if (y + h >= top && y <= bottom) {
      const ImU32 colour = l.kind == DiffLine::removed ? t.bad : t.good;
      if (l.kind != DiffLine::same) {
        d->AddRectFilled({from.x, y}, {from.x + width, y + h}, fade(colour, 0.14f));
        text_at(d, f, {from.x + number * 2 + px(8), y + (row - f->FontSize) / 2}, colour,
                l.kind == DiffLine::removed ? "−" : "+");
      }
      draw_number(l.left, from.x + number, y);
      draw_number(l.right, from.x + number * 2, y);
      draw_rows(l, b, {from.x + text_x, y});
    }
    y += h;
  }
  ImGui::Dummy({width, y - from.y + px(8)});
}

namespace {
struct Pair {
  const DiffLine *left = nullptr, *right = nullptr;
};

/// Pairs consecutive removed and added lines, so that they are drawn at one height.
std::vector<Pair> paired(const std::vector<DiffLine>& lines) {
  std::vector<Pair> out;
  for (size_t i = 0; i < lines.size();) {
    if (lines[i].kind == DiffLine::same) {
      out.push_back({&lines[i], &lines[i]});
      ++i;
      continue;
    }
    std::vector<const DiffLine*> removed, added;
    for (; i < lines.size() && lines[i].kind != DiffLine::same; ++i)
      (lines[i].kind == DiffLine::removed ? removed : added).push_back(&lines[i]);
    for (size_t k = 0; k < std::max(removed.size(), added.size()); ++k)
      out.push_back({k < removed.size() ? removed[k] : nullptr, k < added.size() ? added[k] : nullptr});
  }
  return out;
}
}  // namespace

void draw_side_by_side(const std::vector<DiffLine>& lines, const char* left, const char* right) {
  auto& t = theme();
  ImDrawList* d = ImGui::GetWindowDrawList();
  ImFont* f = fonts().mono;
  text_in(fonts().small, t.bad, std::string("− only in ") + left);
  ImGui::SameLine(0, px(16));
  text_in(fonts().small, t.good, std::string("+ only in ") + right);
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const float half = std::floor((ImGui::GetContentRegionAvail().x - px(8)) / 2), number = px(34);
  const float row = row_height(), letter = f->GetCharAdvance('M');
  const int columns = int(std::max(8.0f, (half - number - px(24)) / letter));
  const float top = ImGui::GetWindowPos().y, bottom = top + ImGui::GetWindowSize().y;
  float y = from.y + px(2);
  for (auto& pair : paired(lines)) {
    const Broken sides[] = {broken(pair.left, columns), broken(pair.right, columns)};
    const float h = row * float(std::max({size_t(1), sides[0].rows.size(), sides[1].rows.size()}));
    for (int side = 0; side < 2 && y + h >= top && y <= bottom; ++side) {
      const DiffLine* l = side ? pair.right : pair.left;
      const float x = from.x + float(side) * (half + px(8)), text_x = x + number + px(20);
      const bool differs = l && l->kind != DiffLine::same;
      const ImU32 colour = side ? t.good : t.bad;
      if (differs || !l)
        d->AddRectFilled({x, y}, {x + half, y + h}, l ? fade(colour, 0.14f) : fade(t.faint, 0.07f));
      if (!l) continue;
      draw_number(side ? l->right : l->left, x + number, y);
      if (differs) text_at(d, f, {x + number + px(6), y + (row - f->FontSize) / 2}, colour, side ? "+" : "−");
      draw_rows(*l, sides[side], {text_x, y});
    }
    y += h;
  }
  d->AddLine({from.x + half + px(4), from.y}, {from.x + half + px(4), y}, t.border);
  ImGui::SetCursorScreenPos(from);
  ImGui::Dummy({half * 2 + px(8), y - from.y + px(8)});
}

}  // namespace dojo::gui
