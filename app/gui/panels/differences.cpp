// Two texts, line by line; and your file against the reference.
#include <algorithm>
#include <cmath>

#include "gui/panels/diff_view.hpp"
#include "gui/panels/ui.hpp"
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

void Ui::differences() {
  auto& t = theme();
  auto* v = s_.view();
  if (diff_of_ != v->id || diff_version_ != v->text.version() || diff_.empty()) {
    diff_of_ = v->id;
    diff_version_ = v->text.version();
    TextBuffer reference;
    reference.set(v->reference_text);
    diff_ = with_context(diff_lines(v->text.lines(), reference.lines()), 3);
  }
  ImGui::BeginChild("differences", {0, 0}, false, ImGuiWindowFlags_HorizontalScrollbar);
  if (std::none_of(diff_.begin(), diff_.end(), [](auto& l) { return l.kind != DiffLine::same; })) {
    ImGui::SetCursorPos({px(22), px(16)});
    text_in(fonts().ui, t.muted, "Your file and the reference are the same, line by line.");
    ImGui::EndChild();
    return;
  }
  draw_diff(diff_);
  ImGui::EndChild();
}

}  // namespace dojo::gui
