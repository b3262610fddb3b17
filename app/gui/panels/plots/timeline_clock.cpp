#include <fmt/format.h>

#include <algorithm>

#include "gui/panels/focus.hpp"
#include "gui/panels/plots/timeline_clock.hpp"
#include "gui/panels/widgets.hpp"

namespace dojo::gui {

void draw_clock(Playback& p, const std::vector<std::pair<const Timeline*, std::string>>& runs, double end,
                const ReportDevice& device, const PlotArea& a, WindowState& window) {
  auto& t = theme();
  ImGui::SetCursorScreenPos({a.frame_min.x, a.frame_max.y + px(6)});
  ImGui::PushID("clock");
  if (plain_button(p.playing ? "Pause" : " Play ")) p.toggle(end);
  tip("Plays the launch: blocks appear as they start");
  ImGui::SameLine(0, px(4));
  auto step = [&](bool forwards) {
    double at = forwards ? end : 0;
    for (auto& [tl, who] : runs)
      at = forwards ? std::min(at, next_event(*tl, p.at_us, true))
                    : std::max(at, next_event(*tl, p.at_us, false));
    p.seek(at, end);
  };
  if (plain_button("<")) step(false);
  tip("To the start or end of a block before");
  ImGui::SameLine(0, px(4));
  if (plain_button(">")) step(true);
  tip("On to the next start or end of a block");
  ImGui::SameLine(0, px(8));
  // What the blocks do there, at the right; the rest is for the clock itself.
  std::string says;
  if (p.on) {
    for (auto& [tl, who] : runs) {
      const Moment m = moment_at(*tl, p.at_us);
      says += (says.empty() ? "" : "   ·   ") + fmt::format("{}: {} running on {} SMs, {} done, {} to come",
                                                            who, grouped(m.running), m.busy_sms,
                                                            grouped(m.done), grouped(m.waiting));
    }
  }
  const float all = ImGui::GetContentRegionAvail().x, close = p.on ? ImGui::GetFrameHeight() + px(4) : 0;
  float room = std::min(px(220), all - close);
  ImGui::SetNextItemWidth(room);
  float at = p.on ? float(p.at_us) : 0;
  if (as_stop(ImGui::SliderFloat("##at", &at, 0, float(end), "", ImGuiSliderFlags_AlwaysClamp)))
    p.seek(double(at), end);
  tip("The launch's clock: drag it");
  const ImVec2 lo = ImGui::GetItemRectMin(), hi = ImGui::GetItemRectMax();
  window.layout.push_back({"timeline's clock", {a.frame_min.x, lo.y, hi.x, hi.y}});
  ImGui::SameLine(0, px(8));
  const ImVec2 q = ImGui::GetCursorScreenPos();
  const std::string clock = p.on ? time_on(device, p.at_us) : "";
  text_at(ImGui::GetWindowDrawList(), fonts().small,
          {q.x, lo.y + (hi.y - lo.y - fonts().small->FontSize) / 2}, t.text, clock);
  const float w = text_size(fonts().small, "000.00 µs ").x;
  text_at(ImGui::GetWindowDrawList(), fonts().small,
          {q.x + w, lo.y + (hi.y - lo.y - fonts().small->FontSize) / 2}, t.muted, says,
          std::max(1.0f, a.frame_max.x - q.x - w - close));
  if (p.on) {
    ImGui::SetCursorScreenPos({a.frame_max.x - ImGui::GetFrameHeight(), lo.y});
    if (icon_button("off", Icon::cross, "Show all of it again")) p.off();
  }
  ImGui::PopID();
}

}  // namespace dojo::gui
