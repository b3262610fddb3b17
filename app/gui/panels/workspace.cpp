// Layout of a step: labs | brief | code | result from 1500 px width on, labs | code | result below that. The
// result is never narrower than 360 px. All lengths are at scale 1.
#include <algorithm>
#include <cmath>

#include "gui/model/text/brief.hpp"
#include "gui/model/text/source_pages.hpp"
#include "gui/panels/focus.hpp"
#include "gui/panels/markdown_view.hpp"
#include "gui/panels/ui.hpp"
#include "gui/panels/widgets.hpp"
#include "run/own_program.hpp"

namespace dojo::gui {

namespace {
constexpr float bar_width = 7, least_result = 360, least_centre = 240, least_brief = 280;
/// Beside a brief whose figures need a wide column the code keeps this width. For the widest figures the list
/// of labs, if the user has not widened it, and then the code go down to their least; else the brief folds
/// above the code.
constexpr float code_beside_figures = 400, least_code_beside = 356, usual_rail = 256, least_rail = 160;
constexpr float code_beside_usual = 460;     ///< and this one beside figures in the usual type
constexpr float whole_figures_from = 1600;   ///< width of the window
constexpr float brief_margin = 22 * 2 + 14;  ///< left and right of a brief's text, and its scroll bar
}  // namespace

void Ui::part(const char* id, ImVec2 size, ImU32 ground, ImVec2 pad, const std::function<void()>& body) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  window.layout.push_back({id, {at.x, at.y, at.x + size.x, at.y + size.y}});
  ImGui::PushStyleColor(ImGuiCol_ChildBg, ground);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, pad);
  ImGui::BeginChild(id, size, false, ImGuiWindowFlags_AlwaysUseWindowPadding | ImGuiWindowFlags_NoScrollbar);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {px(8), px(6)});
  body();
  ImGui::PopStyleVar();
  ImGui::EndChild();
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();
}

void Ui::workspace(float full) {
  auto& t = theme();
  const float width = ImGui::GetContentRegionAvail().x, bar = px(bar_width);
  // A whole program's brief is one sentence: it gets no column.
  const bool rail_on =
      s_.settings.rail_shown && !s_.ui.plots_only && !(s_.ui.motion && width < px(1750)) && width >= px(800);
  float rail_w = rail_on ? std::min(px(s_.settings.rail), width * 0.35f) : 0;
  if (rail_on && width < px(1000)) rail_w = std::min(rail_w, px(170));
  // In a window that is just wide enough, brief and code beside each other are worth broken lines.
  const double figures = width < px(whole_figures_from) ? 0 : legible_figure;
  const float beside = width - bar * (rail_on ? 3 : 2) - px(least_result) - brief_need(figures);
  const bool may_be_wide = width >= px(1500) && s_.step() && !run::is_program(*s_.step());
  if (may_be_wide && rail_on && s_.settings.rail <= usual_rail && rail_w > beside - px(code_beside_figures) &&
      beside - px(least_code_beside) >= px(least_rail))
    rail_w = std::clamp(beside - px(code_beside_figures), px(least_rail), rail_w);
  window.wide = may_be_wide && rail_w <= beside - px(rail_w < px(s_.settings.rail) ? least_code_beside
                                                                                   : code_beside_figures);
  if (rail_on) {
    part("rail", {rail_w, full}, mix(t.panel, t.ground, 0.35f), {0, px(6)}, [&] { rail_.draw(); });
    ImGui::SameLine(0, 0);
    if (splitter("rail|", true, full, &s_.settings.rail, 1 / ui_scale(), least_rail, 480, usual_rail))
      s_.settings_changed();
    ImGui::SameLine(0, 0);
  }
  const float rest = width - rail_w - (rail_on ? bar : 0);
  const Lab* page = s_.ui.lab_page.empty() ? nullptr : s_.catalog().find_lab(s_.ui.lab_page);
  if (s_.ui.card && s_.step())
    step_parts({rest, full});
  else if (s_.ui.submissions)
    part("submissions", {rest, full}, t.panel, {px(20), px(14)}, [&] { submissions_.draw(); });
  else if (!s_.step())
    part("empty", {rest, full}, t.panel, {px(28), px(24)}, [&] { no_step(); });
  else if (s_.ui.motion)
    part("motion", {rest, full}, t.panel, {px(14), px(10)},
         [&] { motion_.draw(ImGui::GetContentRegionAvail(), false); });
  else if (s_.ui.plots_only)
    part("plots", {rest, full}, t.panel, {px(16), px(10)}, [&] { plots.draw(true); });
  else if (page)
    part("lab page", {rest, full}, t.panel, {0, 0}, [&] {
      lab_page_.draw(s_, *page);
      if (const ImVec4 c = lab_page_.curve_area; c.z > c.x) {
        window.layout.push_back({"lab curve", c});
        window.layout.push_back({"lab curve's legend", lab_page_.legend_area});
        window.layout.push_back({"lab curve's unit", lab_page_.unit_area});
      }
    });
  else
    step_parts({rest, full});
}

void Ui::no_step() {
  auto& t = theme();
  text_in(fonts().title, t.text, s_.catalog().labs.empty() ? "No labs here" : "Choose a step on the left");
  gap(6);
  if (s_.catalog().labs.empty())
    text_wrapped_in(fonts().ui, t.muted,
                    "There is no lab under " + (s_.catalog().root / "labs").string() +
                        ". Start the app in a checkout, or set WARPDOJO_ROOT to one.");
  for (auto& p : s_.catalog().problems)
    text_wrapped_in(
        fonts().ui, t.bad,
        p.where.file + (p.where.line ? ":" + std::to_string(p.where.line) : "") + ": " + p.message);
}

float Ui::result_width(float all, bool wide) {
  float right = all * (wide ? s_.settings.right * 0.76f : s_.settings.right);
  // Beside figures that need the room the result is as narrow as it may be.
  if (wide) right = std::min(right, all - brief_need(usual_figure) - px(code_beside_usual));
  return std::floor(std::clamp(right, std::min(px(least_result), all * 0.6f),
                               std::max(px(least_result), all - px(least_centre))));
}

float Ui::brief_need(double type) {
  const auto* v = s_.view();
  if (!v) return 0;
  size_t bytes = 0;  // of the figures: a brief may change while it is open
  for (auto& block : v->brief)
    for (const std::string& line : block.lines) bytes += line.size() + 1;
  const std::string key = v->id + "@" + std::to_string(ui_scale()) + "@" + std::to_string(bytes);
  if (key != figures_of_) {
    figures_of_ = key;
    legible_need_ = figure_width(v->brief, legible_figure);
    usual_need_ = figure_width(v->brief, usual_figure);
    broken_need_ = broken_figure_width(v->brief);
  }
  const float need = type <= 0 ? broken_need_ : type < usual_figure ? legible_need_ : usual_need_;
  return need > 0 ? need + px(brief_margin) : 0;
}

void Ui::step_parts(ImVec2 room) {
  auto& t = theme();
  const float bar = px(bar_width), all = room.x - bar * (window.wide ? 2 : 1);
  const float right = result_width(all, window.wide);
  window.brief_shown = window.wide || window.shown_tab() == UiState::Tab::brief || s_.settings.brief_unfolded;
  if (window.wide) {
    // In the usual type as far as the code has room, else in the smallest that is legible.
    const float room_beside = all - right - px(code_beside_figures);
    const float whole = std::max(brief_need(legible_figure),
                                 std::min(brief_need(usual_figure), all - right - px(code_beside_usual)));
    const float figures = whole <= room_beside ? whole : std::max(brief_need(0), room_beside);
    const float wanted = std::max(all * s_.settings.brief, figures);
    const float brief_w = std::floor(
        std::clamp(wanted, px(least_brief), std::max(px(least_brief), all - right - px(least_centre))));
    const ImVec2 from = ImGui::GetCursorScreenPos();
    part("brief column", {brief_w, room.y}, mix(t.panel, t.ground, 0.18f), {0, 0}, [&] { brief_.draw(); });
    window.layout.push_back({"brief tab", {from.x, from.y, from.x + brief_w, from.y + room.y}});
    ImGui::SameLine(0, 0);
    if (splitter("brief|", true, room.y, &s_.settings.brief, 1 / std::max(1.0f, all), 0.18f, 0.5f, 0.31f))
      s_.settings_changed();
    ImGui::SameLine(0, 0);
    part("centre", {all - right - brief_w, room.y}, t.panel, {0, 0}, [&] { centre_.draw(); });
  } else {
    part("centre", {all - right, room.y}, t.panel, {0, 0}, [&] { centre_.draw(); });
  }
  ImGui::SameLine(0, 0);
  if (splitter("right|", true, room.y, &s_.settings.right, -1 / std::max(1.0f, all), 0.2f, 0.7f, 0.40f))
    s_.settings_changed();
  ImGui::SameLine(0, 0);
  ImGui::BeginGroup();
  // While its picture is taken the result has the whole column.
  const float top = s_.ui.card ? room.y : std::floor((room.y - bar) * s_.settings.verdict);
  part("verdict", {right, top}, t.panel, {px(16), px(12)}, [&] { result_.draw(); });
  if (s_.ui.card) {
    ImGui::EndGroup();
    return;
  }
  if (splitter("verdict|", false, right, &s_.settings.verdict, 1 / std::max(1.0f, room.y), 0.12f, 0.8f,
               0.50f))
    s_.settings_changed();
  // In a low window a plot keeps its least height, and scrolls.
  part("plots", {right, room.y - bar - top}, t.panel, {px(8), px(5)}, [&] {
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {px(8), px(5)});
    ImGui::BeginChild("plots scroll", {0, 0}, false, ImGuiWindowFlags_AlwaysUseWindowPadding);
    ImGui::PopStyleVar();
    plots.draw(false);
    ImGui::EndChild();
  });
  ImGui::EndGroup();
}

}  // namespace dojo::gui
