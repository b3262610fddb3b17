// A page of a source in a printed deck: no scrolling, so what doesn't fit goes on on the next page.
#include <algorithm>
#include <cmath>

#include "gui/model/text/highlight.hpp"
#include "gui/panels/teaching/source_page.hpp"
#include "gui/panels/widgets.hpp"
#include "gui/plot/axis.hpp"

namespace dojo::gui {

void PrintedSource::draw(const std::vector<std::string>& lines, const std::map<int, LineHeat>& heat,
                         ImVec2 size, float notes) {
  auto& t = theme();
  ImFont* f = fonts().mono;
  const ImVec2 from = ImGui::GetCursorScreenPos();
  ImDrawList* d = ImGui::GetWindowDrawList();
  const float advance = f->GetCharAdvance('M'), row = std::floor(f->FontSize * 1.42f);
  const int digits = std::max(2, int(std::to_string(lines.size()).size()));
  const float heat_w = heat.empty() ? 0 : px(62), gutter = advance * float(digits) + heat_w + px(16);
  // The notes stand under the first page only.
  if (page == 0)
    pages = set_pages(lines, int((size.x - gutter) / advance), int(size.y / row), least_type / f->FontSize,
                      int((size.y + notes) / row));
  const int shown = std::clamp(page, 0, int(pages.pages.size()) - 1);
  const float k = pages.type, high = f->FontSize * k;
  const auto runs = highlight_all(lines);
  d->AddRectFilled(from, {from.x + gutter - px(8), from.y + size.y}, mix(t.panel, t.ground, 0.45f));
  float y = from.y;
  for (auto& r : pages.pages[size_t(shown)]) {
    const std::string& s = lines[size_t(r.line)];
    const float ty = y + (row * k - high) / 2, x0 = from.x + gutter;
    if (r.from == 0) {
      const std::string n = std::to_string(r.line + 1);
      d->AddText(f, high, {from.x + advance * (float(digits) - float(n.size()) * k) + px(2), ty}, t.muted,
                 n.c_str());
      if (auto it = heat.find(r.line + 1); it != heat.end()) {
        const float hx = from.x + advance * float(digits) + px(8), hw = heat_w - px(8);
        d->AddRectFilled({hx, y}, {hx + hw, y + row * k - 1}, t.heat(it->second.heat));
        const std::string v = si(it->second.value);
        d->AddText(f, high * 0.9f,
                   {hx + hw - px(5) - f->CalcTextSizeA(high * 0.9f, FLT_MAX, 0, v.c_str()).x, ty}, t.text,
                   v.c_str());
      }
    }
    const int columns = int((size.x - gutter) / (advance * k)), start = columns_of(s, r.from),
              in = r.from ? SourcePages::indent(s, columns) : 0;
    for (auto& run : runs[size_t(r.line)]) {
      const int a = std::max(run.from, r.from), b = std::min(run.to, r.to);
      if (a >= b) continue;
      std::string piece;
      for (char c : s.substr(size_t(a), size_t(b - a)))
        piece += c == '\t' ? std::string("    ") : std::string(1, c);
      d->AddText(f, high, {x0 + advance * k * float(in + columns_of(s, a) - start), ty},
                 t.code[int(run.token)], piece.c_str());
    }
    y += row * k;
  }
}

}  // namespace dojo::gui
