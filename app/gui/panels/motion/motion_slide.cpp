// Slow motion on a slide: one sentence about the stop, its lines of the source, the warps' lanes and the
// banks or sectors that it touches. Everything has one place for the whole recording, so that nothing moves
// between stops.
#include <algorithm>
#include <cmath>

#include "gui/panels/motion/slow_motion.hpp"
#include "gui/panels/widgets.hpp"

namespace dojo::gui {

void SlowMotionPanel::draw_slide(ImVec2 size) {
  auto& t = theme();
  auto& m = s_.motion;
  const ImVec2 p = ImGui::GetCursorScreenPos();
  const float gap = px(8), ribbon = px(18);
  const bool bad = !m.notes().empty();
  ImDrawList* d = ImGui::GetWindowDrawList();
  const float caption = fonts().strong->FontSize + px(6);
  text_at(d, fonts().strong, p, bad ? t.bad : t.text, m.caption(), size.x);
  window_.layout.push_back({"caption", {p.x, p.y, p.x + size.x, p.y + caption}});

  // From below: the ribbon, what the stop touches, the warps; the source takes the rest.
  const bool memory = m.trace()->shared_bytes > 0 || !m.trace()->accesses.empty();
  const float memory_h = memory ? size.y * 0.30f : 0;
  const float row = std::clamp(size.y * 0.2f / float(std::max<size_t>(1, m.warps().size())), px(7), px(20));
  const float warps_h = std::min(size.y * 0.22f, row * float(m.warps().size()));
  const float ribbon_y = p.y + size.y - ribbon - px(2), memory_y = ribbon_y - gap - memory_h,
              warps_y = memory_y - gap - warps_h;
  ImGui::SetCursorScreenPos({p.x, p.y + caption});
  // Whole rows of it.
  const float line = std::floor(fonts().mono->FontSize * slide_line_distance), edges = px(6) * 2,
              room = warps_y - gap - p.y - caption - edges;
  draw_source({size.x, std::max(1.0f, std::floor(room / line)) * line + edges});
  ImGui::SetCursorScreenPos({p.x, warps_y});
  draw_warps({size.x, warps_h}, false);
  if (memory) {
    const StepTrace::Access* costliest = nullptr;
    for (auto* a : m.accesses())
      if (a->space == StepTrace::Space::shared || a->space == StepTrace::Space::global) costliest = a;
    tip_at_mouse(draw_touched(costliest, {p.x, memory_y}, {size.x, memory_h}));
  }
  draw_ribbon({p.x, ribbon_y}, {size.x, ribbon});
}

}  // namespace dojo::gui
