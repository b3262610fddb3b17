// Waves and occupancy of each launch.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gui/panels/ui.hpp"
#include "gui/panels/widgets.hpp"

namespace dojo::gui {

void Ui::plot_waves(ImVec2 size) {
  auto& t = theme();
  auto* v = s_.view();
  auto views = launch_views(v->has_report ? &v->report : nullptr, s_.device_info());
  auto& f = frames_["waves"];
  PlotSpec spec;
  auto& info = plot_info("waves");
  spec.title = info.says;
  spec.note = info.note;
  spec.x_ticks = spec.y_ticks = spec.grid = spec.interactive = false;
  PlotArea a;
  if (!plot_begin("waves", size, spec, a)) return;
  std::vector<std::string> hover;
  if (views.empty()) text_at(a.draw, fonts().ui, {a.min.x, a.min.y + px(8)}, t.muted, "Run the step to see its waves.", a.width());
  float y = a.min.y + px(4), head = fonts().small->FontSize + px(6);
  float each = views.empty() ? 0 : std::clamp((a.height() - px(8)) / float(views.size()), px(52), px(110));
  for (auto& l : views) {
    if (hidden(l.series)) continue;
    if (y + each > a.max.y + px(2)) {
      text_at(a.draw, fonts().small, {a.min.x, a.max.y - fonts().small->FontSize}, t.faint, "… and more launches");
      break;
    }
    std::string says = fmt::format("{}, {}: {} blocks in {} waves of {}, {:.0f} % used", to_string(l.series), l.kernel, grouped(l.blocks), number(std::round(l.waves * 100) / 100), grouped(l.capacity), 100 * l.utilization);
    text_at(a.draw, fonts().small, {a.min.x, y}, t.muted, says, a.width());
    int skipped = 0;
    auto fill = wave_fill(l, 14, &skipped);
    float x = a.min.x, top = y + head, h = each - head - px(10), slot = (a.width() - (skipped ? px(40) : 0)) / float(std::max<size_t>(fill.size(), 4)), w = std::min(slot - px(4), px(90));
    for (size_t i = 0; i < fill.size(); ++i) {
      bool last = i + 1 == fill.size();
      if (skipped && last) {
        std::string more = fmt::format("+{}", skipped);
        text_at(a.draw, fonts().small, {x + px(4), top + h / 2 - fonts().small->FontSize / 2}, t.faint, more, px(38));
        x += px(40);
      }
      a.draw->AddRectFilled({x, top}, {x + w, top + h}, t.raised, px(3));
      float fh = h * float(fill[i]);
      a.draw->AddRectFilled({x, top + h - fh}, {x + w, top + h}, t.of(l.series), px(3));
      if (fill[i] < 1) {
        a.draw->AddRect({x, top}, {x + w, top + h}, t.warn, px(3), 0, px(1.5f));
        std::string pct = fmt::format("{:.0f} %", fill[i] * 100);
        float tw = text_size(fonts().small, pct).x;
        if (w > tw + px(4)) text_at(a.draw, fonts().small, {x + (w - tw) / 2, fh > h * 0.6f ? top + h - fh + px(3) : top + h - fh - fonts().small->FontSize - px(2)}, fh > h * 0.6f ? t.on_accent : t.text, pct);
      }
      if (a.hovered && a.mouse.x >= x && a.mouse.x < x + w && a.mouse.y >= top && a.mouse.y < top + h)
        hover = {fill[i] < 1 ? "The last wave" : "A whole wave", fmt::format("{} of {} blocks", grouped(std::round(fill[i] * l.capacity)), grouped(l.capacity)),
                 fmt::format("{} SMs × {} blocks an SM", grouped(std::round(l.capacity / std::max(1, l.blocks_per_sm))), l.blocks_per_sm),
                 fmt::format("SM time idle in all: {:.1f} %", 100 * l.tail_idle), fmt::format("whole waves only would be {:.2f} × as fast", l.ideal_gain)};
      x += slot;
    }
    y += each;
  }
  end_plot(f, a);
  hover_box(a, hover);
}

void Ui::plot_occupancy(ImVec2 size) {
  auto& t = theme();
  auto* v = s_.view();
  auto views = launch_views(v->has_report ? &v->report : nullptr, s_.device_info());
  auto& f = frames_["occupancy"];
  PlotSpec spec;
  auto& info = plot_info("occupancy");
  spec.title = info.says;
  spec.note = info.note;
  spec.x_ticks = spec.y_ticks = spec.grid = spec.interactive = false;
  PlotArea a;
  if (!plot_begin("occupancy", size, spec, a)) return;
  std::vector<std::string> hover;
  if (views.empty()) text_at(a.draw, fonts().ui, {a.min.x, a.min.y + px(8)}, t.muted, "Run the step to see its occupancy.", a.width());
  float y = a.min.y + px(4), each = px(84);
  for (auto& l : views) {
    if (hidden(l.series)) continue;
    if (y + each > a.max.y + px(8)) break;
    // 64 slots of warps; a block's warps stand together.
    text_at(a.draw, fonts().small, {a.min.x, y}, t.muted, fmt::format("{}, {}: {:.0f} % of {} warps fit{}", to_string(l.series), l.kernel, 100 * l.occupancy, l.warps_per_sm,
                                                                     l.achieved > 0 ? fmt::format(", {:.0f} % active on average", 100 * l.achieved) : ""), a.width());
    float top = y + fonts().small->FontSize + px(6), w = a.width() / float(l.warps_per_sm), h = px(20);
    int used = std::min(l.warps_per_sm, l.blocks_per_sm * l.warps_per_block);
    for (int i = 0; i < l.warps_per_sm; ++i) {
      float x = a.min.x + w * float(i);
      int block = l.warps_per_block ? i / l.warps_per_block : 0;
      ImU32 c = i < used ? (block & 1 ? mix(t.of(l.series), t.ground, 0.25f) : t.of(l.series)) : t.raised;
      a.draw->AddRectFilled({x, top}, {x + std::max(1.0f, w - (w > 4 ? 1.0f : 0.0f)), top + h}, c);
    }
    if (a.hovered && a.mouse.y >= top && a.mouse.y < top + h)
      hover = {fmt::format("{} blocks of {} warps on an SM", l.blocks_per_sm, l.warps_per_block), fmt::format("{} of {} warp slots", used, l.warps_per_sm),
               "limited by " + (l.limiter.empty() ? "the grid" : l.limiter)};
    std::string facts = fmt::format("{} threads, {} registers each, {} shared", l.threads, l.registers, bytes_text(double(l.static_smem + l.dynamic_smem)));
    if (!l.limiter.empty()) facts += "; limited by " + l.limiter;
    text_at(a.draw, fonts().small, {a.min.x, top + h + px(5)}, t.faint, facts, a.width());
    y += each;
  }
  end_plot(f, a);
  hover_box(a, hover);
}

}  // namespace dojo::gui
