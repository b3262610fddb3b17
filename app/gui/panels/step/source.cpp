// The student's file and the reference, with counters beside each line.
#include <fmt/format.h>

#include <algorithm>
#include <cfloat>
#include <cstring>
#include <utility>

#include "gui/look.hpp"
#include "gui/panels/focus.hpp"
#include "gui/panels/markdown_view.hpp"
#include "gui/panels/step/brief.hpp"
#include "gui/panels/step/diff_view.hpp"
#include "gui/panels/step/source.hpp"
#include "gui/panels/teaching/instructor.hpp"
#include "gui/panels/teaching/lecture_view.hpp"
#include "gui/panels/widgets.hpp"
#include "gui/plot/axis.hpp"
#include "run/own_program.hpp"

namespace dojo::gui {

void SourcePanel::file_banner() {
  auto& t = theme();
  auto* v = s_.view();
  const bool bad = !v->file_problem.empty();
  const std::string words =
      bad ? v->file_problem : "Another program changed this file while you edited it here.";
  const ImVec2 p = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x - px(12), pad = px(10), button = px(116);
  ImFont* f = fonts().ui;
  const float wrap = width - button - pad * 4 - px(20);
  const float h = f->CalcTextSizeA(f->FontSize, FLT_MAX, wrap, words.c_str()).y + pad * 2;
  ImDrawList* d = ImGui::GetWindowDrawList();
  const ImU32 c = bad ? t.bad : t.warn;
  d->AddRectFilled({p.x + px(6), p.y + px(4)}, {p.x + width + px(6), p.y + h + px(4)}, fade(c, 0.14f), px(6));
  draw_icon(d, Icon::warning, {p.x + px(24), p.y + px(4) + h / 2}, px(15), c);
  want_characters(words);
  d->AddText(f, f->FontSize, {p.x + px(40), p.y + px(4) + pad}, t.text, words.c_str(), nullptr, wrap);
  ImGui::SetCursorScreenPos({p.x + width - button, p.y + px(4) + (h - ImGui::GetFrameHeight()) / 2});
  if (plain_button(!bad ? "Compare…" : v->file_gone ? "Restore  F5" : "Try again  F5", {button, 0}))
    s_.commands.run(bad ? "run.run" : "file.take");
  window_.layout.push_back({"file banner", {p.x, p.y, p.x + width, p.y + h}});
  ImGui::SetCursorScreenPos({p.x, p.y + h + px(10)});
}

/// The row above the text: the choice of counters per line, and the file's buttons.
void SourcePanel::tools() {
  auto& t = theme();
  auto* v = s_.view();
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {px(12), px(6)});
  ImGui::BeginChild("tools", {0, px(40)}, false,
                    ImGuiWindowFlags_AlwaysUseWindowPadding | ImGuiWindowFlags_NoScrollbar);
  ImGui::PopStyleVar();
  auto& metric = heat_metric(s_.settings.heat);
  if (begin_combo("##heat", metric.title, px(172))) {
    for (auto& m : heat_metrics()) {
      if (ImGui::Selectable(m.title, &m == &metric)) s_.choose_heat(m.key);
      tip(m.help);
    }
    ImGui::EndCombo();
  }
  tip(std::string("Beside each line: ") + metric.help);
  ImGui::SameLine();
  const float tools_y = ImGui::GetCursorPosY();
  ImGui::SetCursorPosY(tools_y + std::floor((ImGui::GetFrameHeight() - fonts().small->FontSize - px(9)) / 2));
  if (pill("PTX and SASS", s_.settings.code_shown)) s_.commands.run("view.code");
  tip("What the compiler made of each line (Alt+6)");
  ImGui::SameLine();
  ImGui::SetCursorPosY(tools_y);
  const float tools_pad = ImGui::GetStyle().FramePadding.x * 2;
  // An unsaved text's button has room before the editor's.
  const float save = v->text.modified() ? text_size(fonts().ui, "Save").x + tools_pad + px(8) : 0;
  const float editor_room = ImGui::GetContentRegionAvail().x - save;
  const char* editor = "Open in my editor";
  if (text_size(fonts().ui, editor).x + tools_pad > editor_room) editor = "Editor";
  if (text_size(fonts().ui, editor).x + tools_pad <= editor_room) {
    if (plain_button(editor)) s_.open_in_editor();
    tip("Opens the file in your own editor (Ctrl+E); saving there runs it here");
    ImGui::SameLine();
  }
  if (v->text.modified()) {
    if (plain_button("Save")) s_.commands.run("file.save");
    const ImVec2 lo = ImGui::GetItemRectMin(), hi = ImGui::GetItemRectMax();
    window_.layout.push_back({"save", {lo.x, lo.y, hi.x, hi.y}});
    tip("Writes the file (Ctrl+S)");
    ImGui::SameLine();
  } else if (ImGui::GetContentRegionAvail().x > px(60)) {
    if (plain_button("Reset")) s_.ui.open(Overlay::confirm_reset);
    tip("Puts the file back as it was; yours is kept");
    ImGui::SameLine();
  }
  if (v->has_report && ImGui::GetContentRegionAvail().x > px(120)) {
    ImGui::AlignTextToFramePadding();
    // A result from before the program's start has no counters per line.
    const RunReport* run = student_run(v->report);
    const bool without_lines =
        run && !run->launches.empty() &&
        std::all_of(run->launches.begin(), run->launches.end(), [](auto& l) { return l.lines.empty(); });
    std::string note = v->stale()        ? "edited since the run"
                       : without_lines   ? v->shown_from.empty() || run->status != Status::pass
                                               ? "stopped: no counters"
                                               : "F5 counts each line"
                       : v->heat.empty() ? "no " + std::string(metric.unit) + " here"
                                         : metric.unit;
    text_in(fonts().small, t.faint, fitted(fonts().small, note, ImGui::GetContentRegionAvail().x));
  }
  ImGui::EndChild();
}

namespace {
/// "2 of 4" where the second of a needle's places is selected, else "4 places".
std::string found_text(const TextBuffer& text, const std::string& needle, const std::vector<Caret>& places) {
  if (needle.empty()) return "Enter goes to the next";
  const Caret at = std::min(text.caret(), text.anchor());
  const auto it = std::find(places.begin(), places.end(), at);
  if (it != places.end() && text.selected().size() == needle.size())
    return fmt::format("{} of {}", it - places.begin() + 1, places.size());
  return places.size() == 1 ? "1 place" : fmt::format("{} places", places.size());
}
}  // namespace

void SourcePanel::find_bar() {
  if (s_.ui.focus == "find") window_.find_open = find_focus_ = true;
  if (!window_.find_open) return;
  auto& t = theme();
  auto* v = s_.view();
  ImGui::SetCursorPosX(px(12));
  ImGui::SetNextItemWidth(px(220));
  if (find_focus_) ImGui::SetKeyboardFocusHere();
  find_focus_ = false;
  if (as_stop(ImGui::InputTextWithHint(
          "##find", "Find", find_, sizeof find_,
          ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll))) {
    if (v->text.find_next(find_, ImGui::GetIO().KeyShift))
      s_.ui.go_line = v->text.caret().line + 1;
    else
      s_.toast(std::string("'") + find_ + "' is not in this file.");
    find_focus_ = true;
  }
  ImGui::SameLine();
  ImGui::AlignTextToFramePadding();
  const std::vector<Caret> places = v->text.places(find_);
  text_in(fonts().small, !find_[0] || !places.empty() ? t.muted : t.bad, found_text(v->text, find_, places));
  ImGui::SameLine();
  if (icon_button("closefind", Icon::cross, "Close (Esc)")) window_.find_open = false;
}

void SourcePanel::draw() {
  auto* v = s_.view();
  if (v->stand_in) return instructor_.source();
  if (!v->loaded) {
    ImGui::SetCursorPos({px(12), px(50)});
    file_banner();
    return;
  }
  if (!v->file_problem.empty() || v->disk_newer) file_banner();
  brief_.fold();
  tools();
  find_bar();
  const HeatMetric& metric = heat_metric(s_.settings.heat);
  CodeSpec spec;
  spec.writable = true;
  spec.wrap = s_.settings.wrap;
  spec.heat = &v->heat;
  spec.marks = &v->marks;
  spec.heat_title = metric.title;
  spec.go_line = s_.ui.go_line;
  spec.take_focus = s_.ui.focus == "source";
  if (window_.find_open) spec.find = find_;
  // Taken now: a click in the code below may ask for it again.
  if (s_.ui.focus == "source" || s_.ui.focus == "find") s_.ui.focus.clear();
  auto* run = v->has_report ? student_run(v->report) : nullptr;
  std::string file = s_.step()->file;
  spec.tooltip = [&, run, file](int line) {
    std::string out = fmt::format("Line {}", line);
    if (auto it = v->heat.find(line); it != v->heat.end())
      out += fmt::format(": {} {} ({:.0f} % of the file)", grouped(it->second.value), metric.unit,
                         it->second.share * 100);
    if (run)
      for (auto& [name, value] : line_counters(*run, file, line))
        out += fmt::format("\n{}  {}", grouped(value), name);
    return out;
  };
  Caret keep = v->text.caret(), keep_anchor = v->text.anchor();
  bool searching = spec.go_line > 0 && v->text.has_selection();
  with_code(false, v->text, [&](ImVec2 size) {
    if (window_.code.draw("code", v->text, spec, size)) s_.edit_done();
    if (window_.code.refused_paste())
      s_.toast("Nothing was pasted: the file would have more than 4 MB, the most that the window edits.",
               Tone::warn);
  });
  if (searching) {
    v->text.move_to(keep_anchor);
    v->text.move_to(keep, true);
  }
  window_.code_focused = window_.code.focused();
}

void SourcePanel::reference() {
  auto& t = theme();
  auto* v = s_.view();
  if (v->reference_text.empty()) {
    ImGui::SetCursorPos({px(22), px(60)});
    text_in(fonts().ui, t.muted, "The reference's source is not part of this handout.");
    return;
  }
  if (!s_.ui.lecture) {
    ImGui::SetCursorPos({ImGui::GetCursorPosX() + px(12), ImGui::GetCursorPosY() + px(8)});
    if (pill("The whole text", !show_diff_)) show_diff_ = false;
    ImGui::SameLine(0, px(3));
    if (pill("Against yours", show_diff_)) show_diff_ = true;
    tip("The lines in which your file and the reference differ");
    if (!show_diff_) {
      ImGui::SameLine(0, px(14));
      if (pill("PTX and SASS", s_.settings.code_shown)) s_.commands.run("view.code");
      tip("What the compiler made of each line (Alt+6)");
    }
    gap(4);
    if (show_diff_) return differences();
  }
  TextBuffer& text = window_.reference_text(*v);
  std::map<int, LineHeat> heat;
  auto* run = v->has_report ? reference_run(v->report) : nullptr;
  if (run) heat = line_heat(*run, s_.step()->file, heat_metric(s_.settings.heat));
  if (for_print())
    return window_.printed.draw(text.lines(), heat, ImGui::GetContentRegionAvail(), slide_notes_height(s_));
  CodeSpec spec;
  spec.wrap = s_.ui.lecture || s_.settings.wrap;
  spec.says_more = spec.whole_rows = s_.ui.lecture;
  if (s_.ui.lecture) spec.line_distance = slide_line_distance;
  spec.heat = &heat;
  spec.go_line = std::exchange(window_.reference_line, 0);
  spec.tooltip = [&](int line) {
    std::string out = fmt::format("Line {}", line);
    for (auto& [name, value] : line_counters(*run, s_.step()->file, line))
      out += fmt::format("\n{}  {}", grouped(value), name);
    return out;
  };
  auto draw = [&](ImVec2 size) { window_.reference_code.draw("reference", text, spec, size); };
  if (!s_.ui.lecture) return with_code(true, text, draw);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
  draw(ImGui::GetContentRegionAvail());
  ImGui::PopStyleVar();
}

void SourcePanel::differences() {
  auto& t = theme();
  auto* v = s_.view();
  if (diff_of_ != v->id || diff_version_ != v->text.version() || diff_.empty()) {
    diff_of_ = v->id;
    diff_version_ = v->text.version();
    TextBuffer reference;
    reference.set(v->reference_text);
    diff_ = with_context(diff_lines(v->text.lines(), reference.lines()), 3);
  }
  ImGui::BeginChild("differences");
  if (std::none_of(diff_.begin(), diff_.end(), [](auto& l) { return l.kind != DiffLine::same; })) {
    ImGui::SetCursorPos({px(22), px(16)});
    text_in(fonts().ui, t.muted, "Your file and the reference are the same, line by line.");
    ImGui::EndChild();
    return;
  }
  ImGui::SetCursorPos({px(12), px(8)});
  text_in(fonts().small, t.bad, "− only in yours");
  ImGui::SameLine(0, px(16));
  text_in(fonts().small, t.good, "+ only in the reference");
  const ImVec2 lo = ImGui::GetItemRectMin(), hi = ImGui::GetItemRectMax();
  window_.layout.push_back({"legend of differences", {lo.x, lo.y, hi.x, hi.y}});
  draw_diff(diff_);
  ImGui::EndChild();
}

}  // namespace dojo::gui
