#include "gui/panels/conflict.hpp"

#include <algorithm>

#include "gui/card.hpp"
#include "gui/panels/step/diff_view.hpp"
#include "gui/panels/widgets.hpp"

namespace dojo::gui {

void ConflictCard::draw(Session& s, bool fresh) {
  auto& t = theme();
  auto* v = s.view();
  if (!v) {
    s.ui.close(Overlay::conflict);
    return;
  }
  if (of_ != v->id + v->theirs || version_ != v->text.version()) {
    of_ = v->id + v->theirs;
    version_ = v->text.version();
    TextBuffer theirs;
    theirs.set(v->theirs);
    lines_ = with_context(diff_lines(v->text.lines(), theirs.lines()), 2);
  }
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const float width = std::min(px(880), screen.x - px(48)),
              height = std::clamp(px(180) + diff_height(lines_, width - px(52)), px(240),
                                  std::min(px(560), screen.y - px(96)));
  card_begin("conflict", s.ui, Overlay::conflict, {width, height}, 0.5f);
  text_in(fonts().title, t.text, "Two versions of " + s.step()->file);
  text_wrapped_in(fonts().ui, t.muted,
                  "Another program changed the file while you edited it here. Choose the version that stays. "
                  "The other one is kept under Runs.");
  gap(6);
  text_in(fonts().small, t.bad, "− yours");
  ImGui::SameLine(0, px(16));
  text_in(fonts().small, t.good, "+ on disk");
  gap(2);
  const float foot = ImGui::GetFrameHeight() + px(14);
  ImGui::PushStyleColor(ImGuiCol_ChildBg, t.ground);
  ImGui::BeginChild("both versions", {0, ImGui::GetContentRegionAvail().y - foot});
  draw_diff(lines_);
  ImGui::EndChild();
  ImGui::PopStyleColor();
  gap(4);
  if (fresh) ImGui::SetKeyboardFocusHere();
  if (primary_button("Keep mine", Icon::pencil)) s.keep_mine();
  ImGui::SameLine(0, px(10));
  if (plain_button("Load theirs")) s.take_disk();
  ImGui::SameLine(0, px(14));
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + ImGui::GetStyle().FramePadding.y);
  if (link("Decide later", t.muted)) s.ui.close(Overlay::conflict);
  ImGui::End();
}

}  // namespace dojo::gui
