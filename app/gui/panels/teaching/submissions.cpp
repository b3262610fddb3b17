// The table of submissions: opening a folder, grading it, sorting, a click opens the file.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gui/panels/focus.hpp"
#include "gui/panels/teaching/submissions.hpp"
#include "gui/panels/widgets.hpp"
#include "gui/plot/axis.hpp"

namespace dojo::gui {

namespace {

ImU32 colour_of(grade::RowStatus s) {
  using enum grade::RowStatus;
  auto& t = theme();
  if (s == none) return t.faint;
  if (s == pass) return t.good;
  return s == gate_failed || s == flagged || s == missing ? t.warn : t.bad;
}

}  // namespace

void SubmissionsPanel::draw() {
  auto& t = theme();
  head(ImGui::GetContentRegionAvail().x);
  gap(8);
  auto& all = *s_.desk.table;
  if (!all.error().empty()) {
    text_wrapped_in(fonts().ui, t.bad, all.error());
    gap(6);
  }
  if (all.empty()) {
    text_wrapped_in(
        fonts().ui, t.muted,
        "Give a folder that holds one folder for each student, laid out STUDENT/01-reduce/5-sequential.cu, "
        "or drop it on the "
        "window. A student's folder alone works too. Without a course.toml every step counts 10 points. "
        "Opening a folder switches the instructor mode on, which shows every reference.");
    return;
  }
  table();
}

void SubmissionsPanel::head(float width) {
  auto& t = theme();
  auto& all = *s_.desk.table;
  text_in(fonts().title, t.text, "Submissions");
  ImGui::SameLine(ImGui::GetCursorStartPos().x + width - text_size(fonts().ui, "Close").x -
                  ImGui::GetStyle().FramePadding.x * 2);
  if (plain_button("Close")) s_.ui.submissions = false;
  tip("Back to the step (F7)");
  gap(4);
  if (submissions_shown_ != all.path()) {
    submissions_shown_ = all.path();
    std::snprintf(submissions_path_, sizeof submissions_path_, "%s", all.path().c_str());
    std::snprintf(course_path_, sizeof course_path_, "%s", s_.desk.course_file.c_str());
  }
  const float label = px(86), field = std::min(px(460), width - label - px(96));
  auto row = [&](const char* name) {
    ImGui::AlignTextToFramePadding();
    text_in(fonts().ui, t.muted, name);
    ImGui::SameLine(label);
    ImGui::SetNextItemWidth(field);
  };
  const bool busy = all.grading();
  ImGui::BeginDisabled(busy);
  row("Folder");
  // What is typed after F7 is the folder.
  const int now = ImGui::GetFrameCount();
  if (all.empty() && drawn_at_ != now - 1) ImGui::SetKeyboardFocusHere();
  drawn_at_ = now;
  bool open =
      as_stop(ImGui::InputTextWithHint("##folder", "a folder of submissions", submissions_path_,
                                       sizeof submissions_path_, ImGuiInputTextFlags_EnterReturnsTrue));
  ImGui::SameLine();
  open |= plain_button("Open");
  row("Course");
  open |= as_stop(ImGui::InputTextWithHint("##course", "course.toml, or nothing for every step", course_path_,
                                           sizeof course_path_, ImGuiInputTextFlags_EnterReturnsTrue));
  row("Secret");
  as_stop(ImGui::InputTextWithHint("##secret", "hidden inputs follow from it; else $WARPDOJO_SECRET", secret_,
                                   sizeof secret_, ImGuiInputTextFlags_Password));
  s_.desk.secret = secret_;
  ImGui::SameLine(0, px(14));
  bool closed = !s_.desk.trusted;
  if (as_stop(ImGui::Checkbox("sandbox", &closed))) s_.desk.trusted = !closed;
  tip("Submissions are hostile input: compiler and runner are enclosed. Switch it off only for files that "
      "you trust.");
  ImGui::EndDisabled();
  if (open && submissions_path_[0]) {
    s_.desk.course_file = course_path_;
    s_.desk.open(submissions_path_);
  }
  if (all.empty()) return;
  gap(4);
  // One row whose parts never move: the button, a bar or the sum.
  if (busy) {
    if (primary_button(all.cancelling() ? "Ending…##grade" : "Cancel##grade", Icon::stop, !all.cancelling(),
                       px(112)))
      all.cancel();
  } else if (primary_button("Grade##grade", Icon::play, true, px(112))) {
    s_.desk.grade();
  }
  ImGui::SameLine(0, px(10));
  if (plain_button("Export CSV")) s_.desk.export_csv();
  tip("As `warpdojo grade --format csv` writes them");
  ImGui::SameLine(0, px(14));
  ImVec2 p = ImGui::GetCursorScreenPos();
  float w = ImGui::GetContentRegionAvail().x, h = ImGui::GetFrameHeight();
  ImDrawList* d = ImGui::GetWindowDrawList();
  std::string words =
      busy ? fmt::format("{} of {}{}", all.done(), all.all(), all.last().empty() ? "" : ": " + all.last())
           : all.summary();
  text_at(d, fonts().small, {p.x, p.y + (busy ? 0 : (h - fonts().small->FontSize) / 2)}, t.muted, words, w);
  if (busy) {
    float y = p.y + h - px(8), share = all.all() ? float(all.done()) / float(all.all()) : 0;
    d->AddRectFilled({p.x, y}, {p.x + w, y + px(5)}, t.raised, px(3));
    if (share > 0) d->AddRectFilled({p.x, y}, {p.x + w * share, y + px(5)}, t.accent, px(3));
  }
  ImGui::Dummy({w, h});
}

void SubmissionsPanel::table() {
  auto& t = theme();
  auto& all = *s_.desk.table;
  const ImGuiTableFlags flags = ImGuiTableFlags_RowBg | ImGuiTableFlags_SizingStretchProp |
                                ImGuiTableFlags_ScrollY | ImGuiTableFlags_Sortable |
                                ImGuiTableFlags_Resizable | ImGuiTableFlags_BordersInnerV |
                                ImGuiTableFlags_PadOuterX;
  const ImVec2 from = ImGui::GetCursorScreenPos(), all_room = ImGui::GetContentRegionAvail();
  // No longer than its rows.
  const float line = ImGui::GetTextLineHeight() + ImGui::GetStyle().CellPadding.y * 2;
  const ImVec2 room = {all_room.x, std::min(all_room.y, line * float(all.order().size() + 1) + px(4))};
  window_.layout.push_back({"table", {from.x, from.y, from.x + room.x, from.y + room.y}});
  if (!ImGui::BeginTable("submissions", 6, flags, room)) return;
  ImGui::TableSetupScrollFreeze(0, 1);
  ImGui::TableSetupColumn("Student", ImGuiTableColumnFlags_DefaultSort, 1.2f, Submissions::student);
  ImGui::TableSetupColumn("Step", 0, 1.6f, Submissions::step);
  // As wide as their words: the rest is the message's.
  const ImGuiTableColumnFlags fixed = ImGuiTableColumnFlags_WidthFixed;
  ImGui::TableSetupColumn("Status", fixed, px(104), Submissions::status);
  ImGui::TableSetupColumn("Points", fixed | ImGuiTableColumnFlags_PreferSortDescending, px(76),
                          Submissions::points);
  ImGui::TableSetupColumn("Time", fixed, px(76), Submissions::time);
  ImGui::TableSetupColumn("Message", 0, 3.2f, Submissions::message);
  table_heads(0b011000);
  if (auto* specs = ImGui::TableGetSortSpecs(); specs && specs->SpecsDirty && specs->SpecsCount > 0) {
    all.sort(Submissions::Column(specs->Specs[0].ColumnUserID),
             specs->Specs[0].SortDirection == ImGuiSortDirection_Ascending);
    specs->SpecsDirty = false;
  }
  int open = -1;
  ImGuiListClipper clip;
  clip.Begin(int(all.order().size()));
  while (clip.Step())
    for (int k = clip.DisplayStart; k < clip.DisplayEnd; ++k) {
      const int i = all.order()[size_t(k)];
      auto& r = all.rows()[size_t(i)];
      ImGui::TableNextRow();
      ImGui::TableNextColumn();
      ImGui::PushID(i);
      const std::string who = fitted(fonts().ui, r.student, ImGui::GetContentRegionAvail().x);
      if (ImGui::Selectable(("##row" + r.student).c_str(), i == all.at(),
                            ImGuiSelectableFlags_SpanAllColumns))
        open = i;
      ImGui::PopID();
      // What had to be cut is said in full.
      const std::string full =
          (who == r.student ? "" : r.student + (r.message.empty() ? "" : "\n")) + r.message;
      if (!full.empty()) tip(full);
      ImGui::SameLine(0, 0);
      text_in(fonts().ui, t.text, who);
      ImGui::TableNextColumn();
      text_in(fonts().ui, t.text, fitted(fonts().ui, r.lab + "/" + r.step, ImGui::GetContentRegionAvail().x));
      ImGui::TableNextColumn();
      const bool graded = r.status != grade::RowStatus::none;
      std::string status = graded ? to_string(r.status) : "–";
      std::replace(status.begin(), status.end(), '_', ' ');
      text_in(fonts().ui, colour_of(r.status), status);
      ImGui::TableNextColumn();
      number_cell(fonts().ui, graded ? t.text : t.faint,
                  graded ? fmt::format("{:.4g} / {:g}", r.points, r.max_points)
                         : fmt::format("– / {:g}", r.max_points));
      ImGui::TableNextColumn();
      number_cell(fonts().ui, t.text, r.time_us > 0 ? time_text(r.time_us) : "–");
      ImGui::TableNextColumn();
      ImGui::SetCursorPosY(
          ImGui::GetCursorPosY() +
          std::floor((fonts().ui->FontSize - fonts().small->FontSize) * 0.7f));  // on one base line
      text_in(fonts().small, t.muted, fitted(fonts().small, r.message, ImGui::GetContentRegionAvail().x));
    }
  ImGui::EndTable();
  if (open >= 0) s_.desk.show(open);
}

}  // namespace dojo::gui
