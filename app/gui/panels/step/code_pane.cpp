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

namespace {
/// Columns of the rows: line of the source, count (or address), text. Where each ends, in pixels.
struct CodeColumns {
  bool sass;
  ImFont* font = fonts().mono_small;
  float row = std::floor(font->FontSize * 1.42f), advance = font->GetCharAdvance('M');
  float at_line = advance * 4, at_count, at_text;
  CodeColumns(const CodeRows& rows, bool machine) : sass(machine) {
    const bool counts = std::any_of(rows.rows.begin(), rows.rows.end(), [](auto& r) { return r.counted; });
    at_count = at_line + (sass ? advance * 6 : counts ? advance * 8 : 0);
    at_text = at_count + px(12);
  }
  /// Width of the longest row.
  float width(const CodeRows& rows) const {
    size_t longest = 0;
    for (auto& r : rows.rows) {
      const bool detail = !r.detail.empty() && r.kind != CodeRow::function;
      longest = std::max(longest, r.text.size() + (detail ? r.detail.size() + 5 : 0));
    }
    return at_text + advance * float(longest + 2);
  }
};

void function_row(const CodeRow& r, const CodeColumns& c, ImVec2 at, float width) {
  ImDrawList* d = ImGui::GetWindowDrawList();
  const float w = text_size(fonts().strong, r.text).x;
  text_at(d, fonts().strong, {at.x, at.y + (c.row - fonts().strong->FontSize) / 2}, theme().text, r.text);
  text_at(d, fonts().small, {at.x + w + px(10), at.y + (c.row - fonts().small->FontSize) / 2}, theme().muted,
          r.detail, width - w - px(28));
}

/// An instruction's numbers and words, on the ground that is drawn already.
void instruction_row(const CodeRow& r, const CodeColumns& c, ImVec2 at) {
  auto& t = theme();
  ImDrawList* d = ImGui::GetWindowDrawList();
  ImFont* f = c.font;
  const float ty = at.y + (c.row - f->FontSize) / 2;
  if (r.line > 0) {
    const std::string n = std::to_string(r.line);
    text_at(d, f, {at.x + c.at_line - text_size(f, n).x, ty}, r.lit ? t.text : t.faint, n);
  }
  const std::string side = c.sass ? r.where : r.counted ? si(double(r.executed)) : "";
  if (!c.sass && r.counted)
    d->AddRectFilled({at.x + c.at_line + px(8), at.y}, {at.x + c.at_count + px(4), at.y + c.row - 1},
                     t.heat(r.heat));
  text_at(d, f, {at.x + c.at_count - text_size(f, side).x, ty}, c.sass ? t.faint : t.text, side);
  const float x = at.x + c.at_text;
  for (auto& piece : highlight_ptx(r.text)) {
    const std::string word = r.text.substr(size_t(piece.from), size_t(piece.to - piece.from));
    // Of machine code the mnemonic and the predicate before it.
    const Token token =
        c.sass && piece.from > 0 && piece.token != Token::keyword ? Token::plain : piece.token;
    d->AddText(f, f->FontSize, {std::floor(x + c.advance * float(piece.from)), std::floor(ty)},
               t.code[int(token)], word.data(), word.data() + word.size());
  }
  if (!r.detail.empty())
    text_at(d, f, {x + c.advance * float(r.text.size() + 2), ty}, t.code[int(Token::comment)],
            "// " + r.detail);
}

void draw_row(const CodeRow& r, const CodeColumns& c, ImVec2 at, bool over) {
  auto& t = theme();
  ImDrawList* d = ImGui::GetWindowDrawList();
  const ImVec2 win = ImGui::GetWindowPos(), room = ImGui::GetWindowSize();
  if (r.kind == CodeRow::function) return function_row(r, c, at, room.x);
  if (r.lit) {
    d->AddRectFilled({win.x, at.y}, {win.x + room.x, at.y + c.row}, fade(t.accent, t.dark ? 0.20f : 0.16f));
    d->AddRectFilled({win.x, at.y}, {win.x + px(3), at.y + c.row}, t.accent);
  } else if (over && r.line > 0) {
    d->AddRectFilled({win.x, at.y}, {win.x + room.x, at.y + c.row}, fade(t.hover, 0.7f));
  }
  if (r.kind == CodeRow::label)
    text_at(d, c.font, {at.x + c.at_text, at.y + (c.row - c.font->FontSize) / 2}, t.muted, r.text);
  else
    instruction_row(r, c, at);
}

/// What the mouse over a row says.
std::string row_words(const CodeRow& r) {
  std::string words;
  if (r.kind == CodeRow::function)
    words = r.text + ": " + r.detail;
  else if (r.counted)
    words = fmt::format("Executed {} times by a warp{}", grouped(double(r.executed)),
                        r.line ? fmt::format("; line {}", r.line) : "");
  else if (r.line)
    words = fmt::format("Line {}", r.line);
  return r.line > 0 ? words + ". Click goes there." : words;
}

/// Why a listing has no rows.
std::string no_functions(const CodeListing& c) {
  if (const Diagnostic* d = first_error(c.diagnostics))
    return "This text does not compile. Line " + std::to_string(d->where.line) + ": " + d->message;
  return "There is no kernel in this file.";
}

void pane_message(ImU32 colour, const std::string& words) {
  gap(6);
  text_wrapped_in(fonts().ui, colour, words);
}
}  // namespace

void SourcePanel::code_pane(bool reference, TextBuffer& text, ImVec2 size) {
  auto& t = theme();
  if (s_.listing()) window_.next_frame = std::min(window_.next_frame, 1.0 / 30);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {px(10), px(6)});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {px(4), px(4)});
  ImGui::BeginChild("code pane", size, false,
                    ImGuiWindowFlags_AlwaysUseWindowPadding | ImGuiWindowFlags_NoScrollbar |
                        ImGuiWindowFlags_NoScrollWithMouse);
  ImGui::PopStyleVar(2);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {px(4), px(4)});
  const CodeUnder* under = s_.code_under(reference);
  const int line = text.caret().line + 1;
  code_choice(reference, under, line);
  const CodeListing* c = under && under->listing ? under->listing.get() : nullptr;
  if (under && !under->error.empty())
    pane_message(t.bad, under->error);
  else if (!c)
    pane_message(t.muted, "Compiling…");
  else if (c->functions.empty())
    pane_message(c->diagnostics.empty() ? t.muted : t.bad, no_functions(*c));
  else
    code_rows(reference, text, *under);
  ImGui::PopStyleVar();
  ImGui::EndChild();
}

/// The pane's head: PTX or machine code, of all lines or of one, and what it was compiled for.
void SourcePanel::code_choice(bool reference, const CodeUnder* under, int line) {
  auto& set = s_.settings;
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
  if (!c || (set.code_sass ? c->machine.empty() : c->target.empty())) return;
  const bool stale = s_.listing() || (!reference && under->version != s_.view()->text.version());
  const std::string target =
      (set.code_sass ? c->machine : "PTX for " + c->target) + (stale ? ", compiling…" : "");
  ImGui::SameLine(0, px(12));
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + px(4));
  text_in(fonts().small, theme().faint, fitted(fonts().small, target, ImGui::GetContentRegionAvail().x));
}

void SourcePanel::code_rows(bool reference, TextBuffer& text, const CodeUnder& under) {
  auto& set = s_.settings;
  const int line = text.caret().line + 1;
  const std::string key = fmt::format("{}|{}|{}|{}|{}|{}", s_.view()->id, reference, under.serial, line,
                                      set.code_sass, set.code_only);
  if (key != under_of_) {
    under_ =
        lay_out_code(*under.listing, line, set.code_sass ? CodeKind::sass : CodeKind::ptx, set.code_only);
    under_of_ = key;
  }
  if (!under_.note.empty()) text_wrapped_in(fonts().small, theme().warn, under_.note);
  if (set.code_only && under_.lit == 0)
    pane_message(theme().muted, fmt::format("Line {} became no {} of its own.", line,
                                            set.code_sass ? "machine code" : "PTX"));
  ImGui::BeginChild("rows", {0, 0}, false, ImGuiWindowFlags_HorizontalScrollbar);
  const CodeColumns columns(under_, set.code_sass);
  const float row = columns.row;
  const ImVec2 start = ImGui::GetCursorScreenPos(), win = ImGui::GetWindowPos(),
               room = ImGui::GetWindowSize();
  ImGui::InvisibleButton("text", {std::max(columns.width(under_), room.x - px(16)),
                                  std::max(row * float(under_.rows.size() + 1), room.y - px(16))});
  const bool hovered = ImGui::IsItemHovered();
  if (line != under_line_) {
    under_line_ = line;
    const float y = row * float(under_.first_lit), top = ImGui::GetScrollY();
    if (under_.first_lit >= 0 && (y < top + row || y + row * 4 > top + room.y))
      ImGui::SetScrollY(std::max(0.0f, y - room.y * 0.3f));
  }
  const int first = std::max(0, int((win.y - start.y) / row)),
            last = std::min(int(under_.rows.size()) - 1, int((win.y + room.y - start.y) / row));
  const int over = hovered ? int(std::floor((ImGui::GetIO().MousePos.y - start.y) / row)) : -1;
  for (int k = first; k <= last; ++k)
    draw_row(under_.rows[size_t(k)], columns, {start.x, start.y + row * float(k)}, k == over);
  if (over >= 0 && over < int(under_.rows.size())) {
    auto& r = under_.rows[size_t(over)];
    if (r.line > 0) {
      ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
      if (ImGui::IsMouseClicked(0)) go_to_line(reference, text, r.line);
    }
    tip(row_words(r));
  }
  ImGui::EndChild();
}

void SourcePanel::go_to_line(bool reference, TextBuffer& text, int line) {
  text.move_to({line - 1, 0});
  under_line_ = line;  // what was clicked stays where it is
  (reference ? window_.reference_line : window_.pending_line) = line;
  if (!reference) s_.ui.focus = "source";  // and what is typed next goes there
}

}  // namespace dojo::gui
