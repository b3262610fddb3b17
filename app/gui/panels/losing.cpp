#include "gui/panels/losing.hpp"

#include <cstdio>
#include <filesystem>

#include "gui/card.hpp"
#include "gui/panels/focus.hpp"
#include "gui/panels/widgets.hpp"

namespace dojo::gui {

void LosingCard::draw(Session& s, bool fresh) {
  auto& t = theme();
  const std::vector<StepView*> lost = s.unkept();
  if (lost.empty()) {  // all is saved now
    s.ui.close(Overlay::losing);
    s.ui.quit = true;
    return;
  }
  StepView& v = *lost.front();
  const Step& step = s.catalog().find(v.id);
  const fs::path file = s.catalog().student_file(step);
  const bool other = fresh || of_ != v.id;
  if (other) {
    of_ = v.id;
    std::error_code ec;
    const fs::path folder = fs::temp_directory_path(ec);
    std::snprintf(path_, sizeof path_, "%s", ((ec ? fs::path("/tmp") : folder) / file.filename()).c_str());
    problem_.clear();
  }
  card_begin("losing", s.ui, Overlay::losing, {px(560), 0}, 0.4f);
  ImGui::Dummy({px(520), 0});
  text_in(fonts().title, t.text, "The unsaved text would be lost");
  ImGui::PushTextWrapPos(px(520));
  text_in(fonts().ui, t.text,
          "Your text of " + file.string() +
              " is not saved, and a draft of it can't be kept: " + v.draft_problem + ".");
  if (lost.size() > 1)
    text_in(fonts().ui, t.muted, std::to_string(lost.size() - 1) + " more after this one.");
  if (!problem_.empty()) text_in(fonts().ui, t.bad, problem_);
  ImGui::PopTextWrapPos();
  gap(6);
  if (other) ImGui::SetKeyboardFocusHere();
  if (primary_button("Save to its file", Icon::pencil)) problem_ = s.save_copy(v, file.string());
  gap(6);
  ImGui::SetNextItemWidth(px(360));
  as_stop(ImGui::InputTextWithHint("##copy", "/tmp/my-copy.cu", path_, sizeof path_));
  ImGui::SameLine(0, px(8));
  if (plain_button("Save a copy there") && path_[0]) problem_ = s.save_copy(v, path_);
  gap(8);
  if (plain_button("Keep the window open")) s.ui.close(Overlay::losing);
  ImGui::SameLine(0, px(14));
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + ImGui::GetStyle().FramePadding.y);
  if (link("Close, and lose the text", t.bad)) {
    s.give_up(v);
  }
  ImGui::End();
}

}  // namespace dojo::gui
