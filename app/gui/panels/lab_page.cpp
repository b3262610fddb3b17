#include "gui/panels/lab_page.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gui/model/text/brief.hpp"
#include "gui/model/text/step_title.hpp"
#include "gui/panels/focus.hpp"
#include "gui/panels/markdown_view.hpp"
#include "gui/panels/widgets.hpp"
#include "gui/plot/axis.hpp"
#include "run/own_program.hpp"
#include "run/stored/stored_report.hpp"

namespace dojo::gui {

namespace {
/// Programs and reports stand in the list as labs do, but have nothing to pass and no curve.
bool has_steps(const Lab& lab) {
  return std::none_of(lab.steps.begin(), lab.steps.end(),
                      [](auto& step) { return run::is_program(step) || run::is_stored(step); });
}
}  // namespace

void LabPage::draw(Session& s, const Lab& lab) {
  auto& t = theme();
  curve_area = {};
  int runs = 0;
  for (auto& step : lab.steps) runs += s.progress_of(step.id()).runs;
  if (const std::string now = lab.name + " " + std::to_string(runs); of_ != now) {
    of_ = now;
    brief_ = render_brief(lab.brief, nullptr, nullptr);
    curve_ = lab_curve(lab, [&](const std::string& id) {
      auto* v = s.view_of(id);
      return v && v->history_loaded ? v->history : s.history().load(id);
    });
  }
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const bool two = room.x >= px(760);
  const float right = two ? std::floor(std::clamp(room.x - px(810), px(380), px(760))) : 0;
  auto column = [&](const char* id, float width, auto body) {
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {px(22), px(16)});
    ImGui::BeginChild(id, {width, 0}, false, ImGuiWindowFlags_AlwaysUseWindowPadding);
    ImGui::PopStyleVar();
    body(std::min(ImGui::GetContentRegionAvail().x, px(760)));
    gap(20);
    ImGui::EndChild();
  };
  std::string target;
  auto brief = [&](float width) {
    const bool own_title =
        !brief_.empty() && brief_.front().kind == MdBlock::heading && brief_.front().level == 1;
    if (!own_title) {
      text_in(fonts().title, t.text, lab.title);
      gap(4);
    }
    target = draw_markdown(brief_, width);
  };
  auto progress = [&](float width) {
    if (!has_steps(lab)) return steps(s, lab, width);
    int passed = 0;
    for (auto& step : lab.steps) passed += s.state_of(step.id()) == StepState::passed;
    section("Speed by step");
    if (curve_.points.empty())
      text_wrapped_in(fonts().ui, t.muted,
                      "Each step that you pass adds a point here: your speed and the reference's.");
    else
      curve(width);
    gap(8);
    section(fmt::format("Steps: {} of {} passed", passed, lab.steps.size()));
    steps(s, lab, width);
  };
  if (two) {
    column("lab brief", room.x - right, brief);
    ImGui::SameLine(0, 0);
    column("lab steps", right, progress);
  } else {
    column("lab brief", 0, [&](float width) {
      brief(width);
      gap(8);
      progress(width);
    });
  }
  if (!target.empty() && target.find("://") == std::string::npos)
    s.open(target.starts_with("step:") ? target.substr(5) : target);
}

void LabPage::steps(Session& s, const Lab& lab, float width) {
  auto& t = theme();
  ImDrawList* d = ImGui::GetWindowDrawList();
  const Step* chosen = nullptr;
  for (auto& step : lab.steps) {
    const ImVec2 p = ImGui::GetCursorScreenPos();
    const float h = px(28);
    ImGui::PushID(step.file.c_str());
    if (ImGui::InvisibleButton("open", {width, h})) chosen = &step;
    const bool over = ImGui::IsItemHovered();
    if (over) d->AddRectFilled(p, {p.x + width, p.y + h}, fade(t.hover, 0.7f), px(5));
    focus_stop(5);
    ImGui::PopID();
    auto& progress = s.progress_of(step.id());
    if (!has_steps(lab)) {
      text_at(d, fonts().ui, {p.x + px(14), p.y + (h - fonts().ui->FontSize) / 2}, t.text,
              step_title(lab, step), width - px(28));
      continue;
    }
    const bool passed = progress.state == StepState::passed, failed = progress.state == StepState::failed;
    draw_icon(d,
              passed   ? Icon::check
              : failed ? Icon::half
                       : Icon::ring,
              {p.x + px(14), p.y + h / 2}, px(13),
              passed   ? t.good
              : failed ? t.warn
                       : fade(t.faint, 0.7f));
    const std::string state = passed ? "passed" : failed ? "tried" : "not started";
    const float ty = p.y + (h - fonts().ui->FontSize) / 2, sw = text_size(fonts().small, state).x;
    text_at(d, fonts().ui, {p.x + px(30), ty}, t.text, step_title(lab, step), width - sw - px(56));
    text_at(d, fonts().small, {p.x + width - sw - px(10), p.y + (h - fonts().small->FontSize) / 2},
            passed ? t.good : t.muted, state);
  }
  if (chosen) s.open(chosen->id());
}

void LabPage::curve(float width) {
  auto& t = theme();
  const std::string unit = curve_.unit + ", " + curve_.device;
  const float row = px(18), unit_width = text_size(fonts().small, unit).x, left = px(56), foot = px(22);
  float legend_width = 0;
  for (const char* name : {"Reference", "You"}) legend_width += px(35) + text_size(fonts().small, name).x;
  // The unit stands right of the legend, or below it where the page is narrow.
  const bool below = left + legend_width + unit_width + px(14) > width;
  const float head = px(22) + (below ? row : 0), height = px(148) + head;
  const ImVec2 p = ImGui::GetCursorScreenPos();
  ImDrawList* d = ImGui::GetWindowDrawList();
  ImGui::Dummy({width, height});
  curve_area = {p.x, p.y + head, p.x + width, p.y + height};
  const float x0 = p.x + left, x1 = p.x + width - px(14), y0 = p.y + head, y1 = p.y + height - foot;
  double most = 0;
  for (auto& point : curve_.points) most = std::max({most, point.student, point.reference});
  const double top = most * 1.08;
  auto y = [&](double v) { return y1 - float(v / top) * (y1 - y0); };
  for (auto& tick : ticks({0, top, false}, y1 - y0, px(30))) {
    if (tick.value < 0 || tick.value > top || tick.label.empty()) continue;
    d->AddLine({x0, y(tick.value)}, {x1, y(tick.value)}, fade(t.border, 0.8f));
    const ImVec2 z = text_size(fonts().small, tick.label);
    text_at(d, fonts().small, {x0 - z.x - px(6), y(tick.value) - z.y / 2}, t.muted, tick.label);
  }
  const size_t n = curve_.points.size();
  auto x = [&](size_t k) {
    return n == 1 ? (x0 + x1) / 2 : x0 + px(14) + (x1 - x0 - px(28)) * float(k) / float(n - 1);
  };
  // The reference lies below, wider: where both have one speed, its rim stays in sight around your points.
  struct Line {
    const char* name;
    double LabCurve::Point::*value;
    Series series;
    float width, radius;
  };
  float lx = x0;
  for (auto& line : {Line{"Reference", &LabCurve::Point::reference, Series::reference, px(5), px(6.5f)},
                     Line{"You", &LabCurve::Point::student, Series::student, px(2), px(3.5f)}}) {
    const ImU32 c = t.of(line.series);
    for (size_t k = 0; k < n; ++k) {
      const ImVec2 at = {x(k), y(curve_.points[k].*line.value)};
      if (k) d->AddLine({x(k - 1), y(curve_.points[k - 1].*line.value)}, at, c, line.width);
      d->AddCircleFilled(at, line.radius, c);
    }
    d->AddRectFilled({lx, p.y + px(5)}, {lx + px(12), p.y + px(9)}, c, px(1));
    text_at(d, fonts().small, {lx + px(17), p.y}, t.text, line.name);
    lx += px(17) + text_size(fonts().small, line.name).x + px(18);
  }
  const ImVec2 at{below ? x0 : x1 - unit_width, p.y + (below ? row : 0)};
  text_at(d, fonts().small, at, t.muted, unit, below ? p.x + width - x0 : 0);
  legend_area = {x0, p.y, lx, p.y + fonts().small->FontSize};
  unit_area = {at.x, at.y, at.x + unit_width, at.y + fonts().small->FontSize};
  float last = -1e9f;
  for (size_t k = 0; k < n; ++k) {
    const std::string& label = curve_.points[k].label;
    const float w = text_size(fonts().small, label).x, from = x(k) - w / 2;
    if (from < last + px(4)) continue;
    last = from + w;
    text_at(d, fonts().small, {from, y1 + px(4)}, t.muted, label);
  }
  if (!ImGui::IsWindowHovered() || !ImGui::IsMouseHoveringRect({x0, y0}, {x1, y1})) return;
  size_t nearest = 0;
  for (size_t k = 1; k < n; ++k)
    if (std::abs(x(k) - ImGui::GetIO().MousePos.x) < std::abs(x(nearest) - ImGui::GetIO().MousePos.x))
      nearest = k;
  auto& point = curve_.points[nearest];
  ImGui::SetTooltip("%s", fmt::format("{}\nYou {}\nReference {}\n{}", point.step, number(point.student),
                                      number(point.reference), curve_.unit)
                              .c_str());
}

}  // namespace dojo::gui
