// Beside the source: the PTX or the machine code that its lines became.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gui/model/text/highlight.hpp"
#include "gui/panels/step/source.hpp"
#include "gui/panels/widgets.hpp"
#include "gui/plot/axis.hpp"

namespace dojo::gui {

void SourcePanel::with_code(bool reference, TextBuffer& text, const std::function<void(ImVec2)>& draw) {
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
  const ImVec2 room = ImGui::GetContentRegionAvail();
  if (!s_.settings.code_shown) {
    draw(room);
    ImGui::PopStyleVar();
    return;
  }
  const bool beside = room.x >= px(820);
  const float bar = px(7), all = (beside ? room.x : room.y) - bar, pane = std::floor(all * s_.settings.code),
              rest = all - pane;
  const float unit = -1 / std::max(1.0f, all);
  draw(beside ? ImVec2(rest, room.y) : ImVec2(room.x, rest));
  if (beside) ImGui::SameLine(0, 0);
  if (splitter("code|", beside, beside ? room.y : room.x, &s_.settings.code, unit, 0.2f, 0.75f, 0.46f))
    s_.settings_changed();
  if (beside) ImGui::SameLine(0, 0);
  code_pane(reference, text, beside ? ImVec2(pane, room.y) : ImVec2(room.x, pane));
  ImGui::PopStyleVar();
}

void SourcePanel::code_pane(bool reference, TextBuffer& text, ImVec2 size) {
  auto& t = theme();
  auto& set = s_.settings;
  auto* v = s_.view();
  const CodeUnder* under = s_.code_under(reference);
  if (s_.listing()) window_.next_frame = std::min(window_.next_frame, 1.0 / 30);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {px(10), px(6)});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {px(4), px(4)});
  ImGui::BeginChild("code pane", size, false,
                    ImGuiWindowFlags_AlwaysUseWindowPadding | ImGuiWindowFlags_NoScrollbar |
                        ImGuiWindowFlags_NoScrollWithMouse);
  ImGui::PopStyleVar(2);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {px(4), px(4)});
  const int line = text.caret().line + 1;
  if (pill("PTX", !set.code_sass)) set.code_sass = false, s_.settings_changed();
  tip("The virtual instructions that the compiler wrote; a GPU's driver or ptxas makes machine code of them");
  ImGui::SameLine();
  if (pill("Machine code", set.code_sass)) set.code_sass = true, s_.settings_changed();
  tip("SASS: what the GPU executes");
  ImGui::SameLine(0, px(14));
  if (pill(fmt::format("Line {} only###only", line).c_str(), set.code_only))
    set.code_only = !set.code_only, s_.settings_changed();
  tip("Only what the chosen line became; click another line of the source to see that one");
  const CodeListing* c = under && under->listing ? under->listing.get() : nullptr;
  const bool stale = under && (s_.listing() || (!reference && under->version != v->text.version()));
  if (c && (set.code_sass ? !c->machine.empty() : !c->target.empty())) {
    const std::string target =
        (set.code_sass ? c->machine : "PTX for " + c->target) + (stale ? ", compiling…" : "");
    ImGui::SameLine(0, px(12));
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() + px(4));
    text_in(fonts().small, t.faint, fitted(fonts().small, target, ImGui::GetContentRegionAvail().x));
  }
  auto message = [&](ImU32 colour, const std::string& words) {
    gap(6);
    text_wrapped_in(fonts().ui, colour, words);
  };
  if (under && !under->error.empty())
    message(t.bad, under->error);
  else if (!c)
    message(t.muted, "Compiling…");
  else if (c->functions.empty()) {
    std::string why = "There is no kernel in this file.";
    for (auto& d : c->diagnostics)
      if (d.severity == Severity::error) {
        why = "This text does not compile. Line " + std::to_string(d.where.line) + ": " + d.message;
        break;
      }
    message(c->diagnostics.empty() ? t.muted : t.bad, why);
  } else {
    const std::string key =
        fmt::format("{}|{}|{}|{}|{}|{}", v->id, reference, under->serial, line, set.code_sass, set.code_only);
    if (key != under_of_) {
      under_ = lay_out_code(*c, line, set.code_sass ? CodeKind::sass : CodeKind::ptx, set.code_only);
      under_of_ = key;
    }
    if (!under_.note.empty()) text_wrapped_in(fonts().small, t.warn, under_.note);
    if (set.code_only && under_.lit == 0)
      message(t.muted,
              fmt::format("Line {} became no {} of its own.", line, set.code_sass ? "machine code" : "PTX"));
    ImGui::BeginChild("rows", {0, 0}, false, ImGuiWindowFlags_HorizontalScrollbar);
    ImFont* f = fonts().mono_small;
    const float row = std::floor(f->FontSize * 1.42f), advance = f->GetCharAdvance('M');
    const bool counts =
        std::any_of(under_.rows.begin(), under_.rows.end(), [](auto& r) { return r.counted; });
    // Columns: line of the source, count (or address), text.
    const float at_line = advance * 4,
                at_count = at_line + (set.code_sass ? advance * 6
                                      : counts      ? advance * 8
                                                    : 0),
                at_text = at_count + px(12);
    size_t longest = 0;
    for (auto& r : under_.rows)
      longest =
          std::max(longest, r.text.size() +
                                (r.detail.empty() || r.kind == CodeRow::function ? 0 : r.detail.size() + 5));
    const ImVec2 start = ImGui::GetCursorScreenPos(), win = ImGui::GetWindowPos(),
                 room = ImGui::GetWindowSize();
    ImGui::InvisibleButton("text", {std::max(at_text + advance * float(longest + 2), room.x - px(16)),
                                    std::max(row * float(under_.rows.size() + 1), room.y - px(16))});
    const bool hovered = ImGui::IsItemHovered();
    if (line != under_line_) {
      under_line_ = line;
      if (under_.first_lit >= 0) {
        const float y = row * float(under_.first_lit), top = ImGui::GetScrollY();
        if (y < top + row || y + row * 4 > top + room.y) ImGui::SetScrollY(std::max(0.0f, y - room.y * 0.3f));
      }
    }
    ImDrawList* d = ImGui::GetWindowDrawList();
    const int first = std::max(0, int((win.y - start.y) / row)),
              last = std::min(int(under_.rows.size()) - 1, int((win.y + room.y - start.y) / row));
    const int over = hovered ? int(std::floor((ImGui::GetIO().MousePos.y - start.y) / row)) : -1;
    for (int k = first; k <= last; ++k) {
      auto& r = under_.rows[size_t(k)];
      const float y = start.y + row * float(k), ty = y + (row - f->FontSize) / 2;
      if (r.kind == CodeRow::function) {
        const float w = text_size(fonts().strong, r.text).x;
        text_at(d, fonts().strong, {start.x, y + (row - fonts().strong->FontSize) / 2}, t.text, r.text);
        text_at(d, fonts().small, {start.x + w + px(10), y + (row - fonts().small->FontSize) / 2}, t.muted,
                r.detail, room.x - w - px(28));
        continue;
      }
      if (r.lit) {
        d->AddRectFilled({win.x, y}, {win.x + room.x, y + row}, fade(t.accent, t.dark ? 0.20f : 0.16f));
        d->AddRectFilled({win.x, y}, {win.x + px(3), y + row}, t.accent);
      } else if (k == over && r.line > 0) {
        d->AddRectFilled({win.x, y}, {win.x + room.x, y + row}, fade(t.hover, 0.7f));
      }
      if (r.kind == CodeRow::label) {
        text_at(d, f, {start.x + at_text, ty}, t.muted, r.text);
        continue;
      }
      if (r.line > 0) {
        const std::string n = std::to_string(r.line);
        text_at(d, f, {start.x + at_line - text_size(f, n).x, ty}, r.lit ? t.text : t.faint, n);
      }
      const std::string side = set.code_sass ? r.where : r.counted ? si(double(r.executed)) : "";
      if (!set.code_sass && r.counted)
        d->AddRectFilled({start.x + at_line + px(8), y}, {start.x + at_count + px(4), y + row - 1},
                         t.heat(r.heat));
      text_at(d, f, {start.x + at_count - text_size(f, side).x, ty}, set.code_sass ? t.faint : t.text, side);
      float x = start.x + at_text;
      for (auto& piece : highlight_ptx(r.text)) {
        const std::string word = r.text.substr(size_t(piece.from), size_t(piece.to - piece.from));
        const Token token = set.code_sass && piece.from > 0 ? Token::plain : piece.token;
        d->AddText(f, f->FontSize, {std::floor(x + advance * float(piece.from)), std::floor(ty)},
                   t.code[int(token)], word.data(), word.data() + word.size());
      }
      if (!r.detail.empty())
        text_at(d, f, {x + advance * float(r.text.size() + 2), ty}, t.code[int(Token::comment)],
                "// " + r.detail);
    }
    if (over >= 0 && over < int(under_.rows.size())) {
      auto& r = under_.rows[size_t(over)];
      std::string words;
      if (r.kind == CodeRow::function)
        words = r.text + ": " + r.detail;
      else if (r.counted)
        words = fmt::format("Executed {} times by a warp{}", grouped(double(r.executed)),
                            r.line ? fmt::format("; line {}", r.line) : "");
      else if (r.line)
        words = fmt::format("Line {}", r.line);
      if (r.line > 0) {
        words += ". Click goes there.";
        ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
        if (ImGui::IsMouseClicked(0)) {
          text.move_to({r.line - 1, 0});
          under_line_ = r.line;  // what was clicked stays where it is
          (reference ? window_.reference_line : window_.pending_line) = r.line;
          if (!reference) s_.ui.focus = "source";  // and what is typed next goes there
        }
      }
      tip(words);
    }
    ImGui::EndChild();
  }
  ImGui::PopStyleVar();
  ImGui::EndChild();
}

}  // namespace dojo::gui
