// The differences of two texts: in one column, or in two.
#include <algorithm>
#include <cmath>

#include "gui/model/text/source_pages.hpp"
#include "gui/panels/step/diff_view.hpp"
#include "gui/panels/widgets.hpp"

namespace dojo::gui {

void draw_diff(const std::vector<DiffLine>& lines) {
  auto& t = theme();
  ImDrawList* d = ImGui::GetWindowDrawList();
  ImFont *f = fonts().mono, *small = fonts().mono_small;
  const float row = std::floor(f->FontSize * 1.42f), number = px(34), text_x = number * 2 + px(22);
  size_t longest = 0;
  for (auto& l : lines) longest = std::max(longest, l.text.size());
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const float width =
      std::max(ImGui::GetContentRegionAvail().x, text_x + f->GetCharAdvance('M') * float(longest + 2));
  const float top = ImGui::GetWindowPos().y, bottom = top + ImGui::GetWindowSize().y;
  float y = from.y + px(4);
  for (auto& l : lines) {
    if (y + row >= top && y <= bottom) {
      const float ty = y + (row - f->FontSize) / 2, ny = y + (row - small->FontSize) / 2;
      if (l.kind != DiffLine::same)
        d->AddRectFilled({from.x, y}, {from.x + width, y + row},
                         fade(l.kind == DiffLine::removed ? t.bad : t.good, 0.14f));
      auto at_right = [&](int n, float x) {
        if (!n) return;
        const std::string s = std::to_string(n);
        text_at(d, small, {from.x + x - text_size(small, s).x, ny}, t.faint, s);
      };
      at_right(l.left, number);
      at_right(l.right, number * 2);
      if (l.kind != DiffLine::same)
        text_at(d, f, {from.x + number * 2 + px(8), ty}, l.kind == DiffLine::removed ? t.bad : t.good,
                l.kind == DiffLine::removed ? "-" : "+");
      text_at(d, f, {from.x + text_x, ty}, l.kind == DiffLine::same ? t.muted : t.text, l.text);
    }
    y += row;
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

/// A line's rows in one half: words stay whole where they can, and what goes on stands further in.
struct Broken {
  std::vector<SourcePages::Row> rows;
  int indent = 0;  ///< columns, of the rows after the first
};

Broken broken(const DiffLine* l, int columns) {
  if (!l) return {};
  return {set_sheet({l->text}, columns).rows, SourcePages::indent(l->text, columns)};
}
}  // namespace

void draw_side_by_side(const std::vector<DiffLine>& lines, const char* left, const char* right) {
  auto& t = theme();
  ImDrawList* d = ImGui::GetWindowDrawList();
  ImFont *f = fonts().mono, *small = fonts().mono_small;
  text_in(fonts().small, t.bad, std::string("− only in ") + left);
  ImGui::SameLine(0, px(16));
  text_in(fonts().small, t.good, std::string("+ only in ") + right);
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const float half = std::floor((ImGui::GetContentRegionAvail().x - px(8)) / 2), number = px(34);
  const float row = std::floor(f->FontSize * 1.42f), letter = f->GetCharAdvance('M');
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
      if (const int n = side ? l->right : l->left)
        text_at(d, small,
                {x + number - text_size(small, std::to_string(n)).x, y + (row - small->FontSize) / 2},
                t.faint, std::to_string(n));
      if (differs) text_at(d, f, {x + number + px(6), y + (row - f->FontSize) / 2}, colour, side ? "+" : "−");
      float row_y = y;
      for (auto& r : sides[side].rows) {
        const float in = r.from > 0 ? letter * float(sides[side].indent) : 0;
        if (r.from > 0) continuation_hook(d, {text_x + in - letter * 2.4f, row_y}, row, letter);
        text_at(d, f, {text_x + in, row_y + (row - f->FontSize) / 2}, differs ? t.text : t.muted,
                l->text.substr(size_t(r.from), size_t(r.to - r.from)));
        row_y += row;
      }
    }
    y += h;
  }
  d->AddLine({from.x + half + px(4), from.y}, {from.x + half + px(4), y}, t.border);
  ImGui::SetCursorScreenPos(from);
  ImGui::Dummy({half * 2 + px(8), y - from.y + px(8)});
}

}  // namespace dojo::gui
