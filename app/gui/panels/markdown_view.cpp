#include "gui/panels/markdown_view.hpp"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <utility>

#include "gui/look.hpp"
#include "gui/model/text/highlight.hpp"
#include "gui/model/text/source_pages.hpp"
#include "gui/panels/markdown_words.hpp"
#include "gui/panels/widgets.hpp"

namespace dojo::gui {

namespace {
void paragraph(const MdText& text, ImFont* base, ImU32 colour, float indent, float width,
               std::string* clicked) {
  auto words = words_of(text, base, colour, width - indent);
  ImVec2 p = ImGui::GetCursorScreenPos();
  float h = flow(ImGui::GetWindowDrawList(), {p.x + indent, p.y}, words, width - indent, base, clicked);
  ImGui::Dummy({width, h});
}

/// A figure's rows at a place, in type of `size` pixels.
void figure_rows(ImDrawList* d, const MdBlock& b, const std::vector<FigureRow>& rows, ImVec2 p, float size,
                 float row) {
  auto& t = theme();
  ImFont* f = fonts().mono;
  const float advance = f->GetCharAdvance('M') * size / f->FontSize;
  const bool code = b.language == "cpp" || b.language == "cuda" || b.language == "c++" ||
                    b.language == "cu" || b.language == "c";
  const auto runs = code ? highlight_all(b.lines) : std::vector<std::vector<Run>>{};
  const auto piece = [&](const std::string& line, const FigureRow& r, int from, int to, float y,
                         ImU32 colour) {
    if (from >= to) return;
    const float x = p.x + advance * float(r.column + columns_of(line, from) - columns_of(line, r.from));
    want_characters(line.data() + from, line.data() + to);
    d->AddText(f, size, {std::floor(x), std::floor(y)}, colour, line.data() + from, line.data() + to);
  };
  for (size_t i = 0; i < rows.size(); ++i) {
    const FigureRow& r = rows[i];
    const std::string& line = b.lines[size_t(r.line)];
    const float y = p.y + row * float(i);
    if (!code) piece(line, r, r.from, r.to, y, t.text);
    for (size_t k = 0; code && k < runs[size_t(r.line)].size(); ++k) {
      const Run& run = runs[size_t(r.line)][k];
      piece(line, r, std::max(run.from, r.from), std::min(run.to, r.to), y, t.code[int(run.token)]);
    }
  }
}

/// Fitted to the width. A figure in small type, or one that is too wide even so and scrolls, is shown in full
/// and in the usual type below while the mouse is on it.
void code_block(const MdBlock& b, int index, float width) {
  auto& t = theme();
  ImFont* f = fonts().mono;
  const float pad = px(10), advance = f->GetCharAdvance('M'), room = width - pad * 2;
  const int longest = longest_line(b.lines);
  const FittedFigure set = fit_figure(b.lines, double(room / advance));
  const std::vector<FigureRow>& rows = set.rows;
  const bool scroll = !set.fits;
  const float type = float(set.type), size = f->FontSize * type,
              row = std::floor(size * std::min(1.32f, leading()));
  const float h = row * float(rows.size()) + pad * 2,
              whole = scroll ? advance * type * float(longest) + pad * 2 : width;
  ImGui::PushStyleColor(ImGuiCol_ChildBg, t.raised);
  ImGui::PushStyleVar(ImGuiStyleVar_ChildRounding, px(6));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::BeginChild(ImGui::GetID(&b + index), {width, h + (scroll ? ImGui::GetStyle().ScrollbarSize : 0)},
                    false, ImGuiWindowFlags_HorizontalScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  ImGui::PopStyleVar(2);
  const ImVec2 p = ImGui::GetCursorScreenPos();
  figure_rows(ImGui::GetWindowDrawList(), b, rows, {p.x + pad, p.y + pad}, size, row);
  ImGui::Dummy({whole, h});
  const bool shown_whole = (scroll || set.type < 0.8) && !for_print() && ImGui::IsWindowHovered();
  ImGui::EndChild();
  ImGui::PopStyleColor();
  if (!shown_whole) return;
  const float usual = std::floor(f->FontSize * 1.32f);
  ImGui::SetNextWindowPos({ImGui::GetItemRectMin().x, ImGui::GetItemRectMax().y + px(4)});
  ImGui::BeginTooltip();
  const ImVec2 q = ImGui::GetCursorScreenPos();
  std::vector<FigureRow> lines;
  for (int l = 0; l < int(b.lines.size()); ++l) lines.push_back({l, 0, int(b.lines[size_t(l)].size()), 0});
  figure_rows(ImGui::GetWindowDrawList(), b, lines, q, f->FontSize, usual);
  ImGui::Dummy({std::ceil(advance * float(longest)), usual * float(lines.size())});
  ImGui::EndTooltip();
}

void table(const MdBlock& b, float width, std::string* clicked) {
  auto& t = theme();
  size_t n = b.align.size();
  if (n == 0) return;
  std::vector<float> want(n, 0), least(n, px(24));
  std::vector<std::vector<std::vector<Word>>> cells;
  for (size_t r = 0; r < b.rows.size(); ++r) {
    cells.emplace_back();
    for (size_t c = 0; c < n; ++c) {
      cells.back().push_back(
          words_of(b.rows[r][c], r == 0 ? fonts().strong : fonts().ui, r == 0 ? t.muted : t.text));
      float w = 0;
      for (auto& k : cells.back().back())
        w += k.width, least[c] = std::max(least[c], std::min(px(190), k.width));
      want[c] = std::max(want[c], w);
    }
  }
  float pad = px(10), sum = 0, room = width - pad * 2 * float(n);
  for (float w : want) sum += w;
  if (sum > room) {
    // Narrow columns keep their width; wide ones share the rest.
    float fair = room / float(n), spare = 0, wide = 0;
    for (float w : want) w <= fair ? spare += fair - w : wide += w - fair;
    for (size_t c = 0; c < n; ++c)
      if (want[c] > fair)
        want[c] = std::max(least[c], fair + spare * (want[c] - fair) / std::max(1.0f, wide));
    // Where a long word keeps a column wide, the others break their lines.
    float over = -room, slack = 0;
    for (size_t c = 0; c < n; ++c) over += want[c], slack += std::max(0.0f, want[c] - least[c]);
    if (over > 0 && slack > 0)
      for (size_t c = 0; c < n; ++c)
        want[c] -= std::max(0.0f, want[c] - least[c]) * std::min(1.0f, over / slack);
  }
  ImVec2 p = ImGui::GetCursorScreenPos();
  ImDrawList* d = ImGui::GetWindowDrawList();
  float y = p.y, total = 0;
  for (float w : want) total += w + pad * 2;
  for (size_t r = 0; r < cells.size(); ++r) {
    ImFont* base = r == 0 ? fonts().strong : fonts().ui;
    float h = 0;
    for (size_t c = 0; c < n; ++c) h = std::max(h, flow(nullptr, p, cells[r][c], want[c], base, nullptr));
    h += px(4);
    if (r == 0) d->AddRectFilled({p.x, y}, {p.x + total, y + h}, t.raised, px(4));
    float x = p.x + pad;
    for (size_t c = 0; c < n; ++c) {
      float w = 0;
      for (auto& k : cells[r][c]) w += k.width;
      float shift = b.align[c] > 0 && w < want[c]    ? want[c] - w
                    : b.align[c] == 0 && w < want[c] ? (want[c] - w) / 2
                                                     : 0;
      flow(d, {x + shift, y + px(2)}, cells[r][c], want[c] + 1, base, clicked);
      x += want[c] + pad * 2;
    }
    y += h;
    d->AddLine({p.x, y}, {p.x + total, y}, t.border);
  }
  ImGui::Dummy({total, y - p.y + px(2)});
}
}  // namespace

void glossed(ImFont* font, ImU32 colour, const std::string& text) {
  begin_page();
  MdText spans;
  for (size_t at = 0; at <= text.size();) {
    const size_t open = text.find('`', at), close = open == text.npos ? open : text.find('`', open + 1);
    const size_t end = close == text.npos ? text.size() : open;
    if (end > at) spans.push_back({MdSpan::text, text.substr(at, end - at), ""});
    if (close == text.npos) break;
    if (close > open + 1) spans.push_back({MdSpan::code, text.substr(open + 1, close - open - 1), ""});
    at = close + 1;
  }
  const auto words = words_of(spans, font, colour, ImGui::GetContentRegionAvail().x);
  const ImVec2 p = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  ImGui::Dummy({width, flow(ImGui::GetWindowDrawList(), p, words, width, font, nullptr)});
}

float figure_width(const std::vector<MdBlock>& blocks, double type) {
  int columns = 0;
  for (auto& b : blocks)
    if (b.kind == MdBlock::code) columns = std::max(columns, longest_line(b.lines));
  return columns ? std::ceil(float(columns * type) * fonts().mono->GetCharAdvance('M')) + px(22) : 0;
}

float broken_figure_width(const std::vector<MdBlock>& blocks) {
  double columns = 0;
  for (auto& b : blocks)
    if (b.kind == MdBlock::code) columns = std::max(columns, broken_columns(b.lines));
  return columns > 0 ? std::ceil(float(columns) * fonts().mono->GetCharAdvance('M')) + px(22) : 0;
}

float least_width(const std::vector<MdBlock>& blocks) {
  float least = 0;
  for (auto& b : blocks) {
    float width = 0;
    if (b.kind == MdBlock::code)
      for (auto& l : b.lines) width = std::max(width, text_size(fonts().mono, l).x + px(22));
    if (b.kind == MdBlock::table)
      for (size_t c = 0; c < b.align.size(); ++c) {
        float column = px(24);
        for (auto& row : b.rows)
          for (auto& word : words_of(row[c], fonts().strong, 0)) column = std::max(column, word.width);
        width += column + px(20);
      }
    least = std::max(least, width);
  }
  return least;
}

std::string draw_markdown(const std::vector<MdBlock>& blocks, float max_width, float line_distance) {
  const float usual = set_leading(line_distance);
  auto& t = theme();
  float width = ImGui::GetContentRegionAvail().x;
  if (max_width > 0) width = std::min(width, max_width);
  std::string clicked;
  begin_page();
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {px(6), px(2)});
  for (size_t i = 0; i < blocks.size(); ++i) {
    auto& b = blocks[i];
    bool first = i == 0;
    switch (b.kind) {
      case MdBlock::heading:
        if (!first) ImGui::Dummy({1, px(8)});
        paragraph(b.text, b.level == 1 ? fonts().title : fonts().strong, t.text, 0, width, &clicked);
        break;
      case MdBlock::paragraph:
        paragraph(b.text, fonts().ui, t.text, 0, width, &clicked);
        ImGui::Dummy({1, px(4)});
        break;
      case MdBlock::item: {
        float indent = px(20) + px(18) * float(b.level);
        ImVec2 p = ImGui::GetCursorScreenPos();
        float lh = line_height(fonts().ui);
        if (b.marker == "•")
          ImGui::GetWindowDrawList()->AddCircleFilled({p.x + indent - px(11), p.y + lh / 2 + px(0.5f)},
                                                      px(2.2f), t.muted);
        else
          text_at(ImGui::GetWindowDrawList(), fonts().ui,
                  {p.x + indent - px(6) - text_size(fonts().ui, b.marker).x,
                   p.y + (lh - fonts().ui->FontSize) / 2},
                  t.muted, b.marker);
        paragraph(b.text, fonts().ui, t.text, indent, width, &clicked);
        if (i + 1 < blocks.size() && blocks[i + 1].kind != MdBlock::item) ImGui::Dummy({1, px(4)});
        break;
      }
      case MdBlock::quote: {
        ImVec2 p = ImGui::GetCursorScreenPos();
        paragraph(b.text, fonts().ui, t.muted, px(14), width, &clicked);
        ImGui::GetWindowDrawList()->AddRectFilled({p.x, p.y}, {p.x + px(3), ImGui::GetItemRectMax().y},
                                                  t.accent, px(2));
        ImGui::Dummy({1, px(4)});
        break;
      }
      case MdBlock::code:
        code_block(b, int(i), width);
        ImGui::Dummy({1, px(6)});
        break;
      case MdBlock::table:
        table(b, width, &clicked);
        ImGui::Dummy({1, px(6)});
        break;
      case MdBlock::rule: {
        ImVec2 p = ImGui::GetCursorScreenPos();
        ImGui::Dummy({width, px(10)});
        ImGui::GetWindowDrawList()->AddLine({p.x, p.y + px(5)}, {p.x + width, p.y + px(5)}, t.border);
        break;
      }
    }
  }
  ImGui::PopStyleVar();
  set_leading(usual);
  return clicked;
}

}  // namespace dojo::gui
