// Waves and occupancy of each launch.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gui/panels/plots/plots.hpp"
#include "gui/panels/widgets.hpp"

namespace dojo::gui {

namespace {
/// The student's and the reference's run, if they launched a kernel; `shown`: launches that aren't hidden.
std::vector<LegendItem> launch_legend(const std::vector<LaunchView>& views,
                                      const std::function<bool(Series)>& hidden,
                                      std::vector<const LaunchView*>& shown) {
  std::vector<LegendItem> legend;
  for (auto& l : views) {
    const std::string name = to_string(l.series);
    if (std::none_of(legend.begin(), legend.end(), [&](auto& x) { return x.label == name; }))
      legend.push_back({name, theme().of(l.series), hidden(l.series)});
    if (!hidden(l.series)) shown.push_back(&l);
  }
  return legend;
}

std::string limiter_words(const LaunchView& l) {
  return l.limiter.empty() ? "the grid" : l.limiter == "shared" ? "shared memory" : l.limiter;
}
}  // namespace

void Plots::plot_waves(ImVec2 size) {
  auto& t = theme();
  auto* v = s_.view();
  auto views = launch_views(v->has_report ? &v->report : nullptr, s_.device_info());
  auto& f = frames_["waves"];
  std::vector<const LaunchView*> shown;
  auto legend = launch_legend(
      views, [&](Series s) { return hidden(s); }, shown);
  double most = shown.empty() ? 4 : 1;
  for (auto* l : shown) most = std::max(most, std::ceil(l->waves - 1e-9));
  f.view.keep_y = true;
  f.view.min_span = 0.5;
  // With room for the number of the last wave beside the axis's name.
  f.view.set_home({0, most <= 4 ? most * 1.06 : most, false}, {0, 1, false});
  PlotSpec spec;
  auto& info = plot_info("waves");
  spec.title = info.says;
  spec.note = info.note;
  spec.y_ticks = spec.grid = false;
  spec.x_ticks = !views.empty();
  spec.x_label = views.empty() ? "" : "waves";
  spec.whole_x = true;
  spec.legend = &legend;
  // As tall as the waves need, so that the axis is directly below them.
  if (!f.note && !shown.empty()) size.y = std::min(size.y, px(82) + px(180) * float(shown.size()));
  PlotArea a;
  if (!plot_begin("waves", size, spec, a)) return;
  std::vector<std::string> hover;
  if (views.empty())
    text_wrapped_at(a.draw, fonts().ui, {a.min.x, a.min.y + px(8)}, t.muted, "Run it (F5) to see its waves.",
                    a.width());
  float y = a.min.y + px(2), head = fonts().small->FontSize + px(4);
  float each = shown.empty() ? 0 : std::clamp((a.height() - px(2)) / float(shown.size()), px(40), px(180));
  for (auto* at : shown) {
    auto& l = *at;
    if (y + each > a.max.y + px(2)) {
      text_at(a.draw, fonts().small, {a.min.x, a.max.y - fonts().small->FontSize}, t.faint,
              "… and more launches");
      break;
    }
    std::string says =
        fmt::format("{}: {} {} in {} {} of {}, {:.0f} % used", l.kernel, grouped(l.blocks),
                    l.blocks == 1 ? "block" : "blocks", number(std::round(l.waves * 100) / 100),
                    l.waves == 1 ? "wave" : "waves", grouped(l.capacity), 100 * l.utilization);
    text_at(a.draw, fonts().small, {a.min.x, y}, t.muted, says, a.width());
    const float top = y + head, h = each - head - px(8);
    // Only waves in view. Full waves that are too narrow to tell apart are one bar.
    const int whole = int(l.waves + 1e-9);
    const double rest = l.waves - whole;
    const int count = whole + (rest > 1e-9);
    const float w = a.x(1) - a.x(0), between = std::min(px(4), w * 0.15f);
    auto bar = [&](double from, double to, double full) {
      const float x0 = std::max(a.min.x, a.x(from)), x1 = std::min(a.max.x, a.x(to) - between);
      if (x1 <= x0) return;
      const float fh = h * float(full), round = x1 - x0 > px(8) ? px(3) : 0;
      a.draw->AddRectFilled({x0, top}, {x1, top + h}, t.raised, round);
      a.draw->AddRectFilled({x0, top + h - fh}, {x1, top + h}, t.of(l.series), round);
      if (full >= 1) return;
      a.draw->AddRect({x0, top}, {x1, top + h}, t.muted, round, 0, px(1.5f));
      const std::string pct = fmt::format("{:.0f} %", full * 100);
      const float tw = text_size(fonts().small, pct).x, font = fonts().small->FontSize;
      const bool inside = fh > h * 0.6f && fh > font + px(4);
      const bool above = h - fh > font + px(4);
      if (x1 - x0 > tw + px(4) && !inside && !above) {  // across the fill's edge: on a ground of its own
        const ImVec2 at = {(x0 + x1 - tw) / 2, top + (h - font) / 2};
        a.draw->AddRectFilled({at.x - px(4), at.y}, {at.x + tw + px(4), at.y + font}, t.panel, px(3));
        text_at(a.draw, fonts().small, at, t.text, pct);
      } else if (x1 - x0 > tw + px(4))
        text_at(
            a.draw, fonts().small,
            {(x0 + x1 - tw) / 2, inside ? top + h - fh + px(3) : std::max(top, top + h - fh - font - px(2))},
            inside ? text_on(t.of(l.series)) : t.text, pct);
      else if (a.x(to) + tw + px(4) < a.max.x)
        text_at(a.draw, fonts().small, {a.x(to) + px(2), top + h - font}, t.muted, pct);
    };
    const int first = std::clamp(int(std::floor(a.view->x.lo)), 0, count),
              last = std::clamp(int(std::ceil(a.view->x.hi)), 0, whole);
    if (w < px(2.5f))
      bar(first, last, 1);
    else
      for (int k = first; k < last; ++k) bar(k, k + 1, 1);
    if (rest > 1e-9) bar(whole, whole + 1, rest);
    if (a.hovered && a.mouse.y >= y && a.mouse.y < y + each) {
      const double x = a.at_x(a.mouse.x);
      if (x >= 0 && x < count) {
        const int k = int(x);
        hover = {
            k < whole ? fmt::format("Wave {} of {}", k + 1, count)
                      : fmt::format("The last wave, {} of {}", k + 1, count),
            fmt::format("{} of {} blocks", grouped(k < whole ? l.capacity : std::round(rest * l.capacity)),
                        grouped(l.capacity)),
            fmt::format("{} SMs × {} {} per SM",
                        grouped(std::round(l.capacity / std::max(1, l.blocks_per_sm))), l.blocks_per_sm,
                        l.blocks_per_sm == 1 ? "block" : "blocks"),
            fmt::format("SM time idle in all: {:.1f} %", 100 * l.tail_idle),
            fmt::format("whole waves only would be {:.2f} × as fast", l.ideal_gain)};
      }
    }
    y += each;
  }
  plot_end(a, hover);
}

void Plots::plot_occupancy(ImVec2 size) {
  auto& t = theme();
  auto* v = s_.view();
  auto views = launch_views(v->has_report ? &v->report : nullptr, s_.device_info());
  auto& f = frames_["occupancy"];
  std::vector<const LaunchView*> shown;
  auto legend = launch_legend(
      views, [&](Series s) { return hidden(s); }, shown);
  int slots = 1;
  for (auto& l : views) slots = std::max(slots, l.warps_per_sm);
  f.view.keep_y = true;
  f.view.min_span = 2;
  f.view.set_home({0, double(slots), false}, {0, 1, false});
  PlotSpec spec;
  auto& info = plot_info("occupancy");
  spec.title = info.says;
  spec.note = info.note;
  spec.y_ticks = spec.grid = false;
  spec.x_ticks = !views.empty();
  spec.x_label = views.empty() ? "" : "warp slots";
  spec.whole_x = true;
  spec.legend = &legend;
  const float font = fonts().small->FontSize, words = font * 2 + px(18);
  // A large plot has thicker rows, with the axis directly below them.
  const float thick = shown.empty()
                          ? px(20)
                          : std::clamp((size.y - px(90)) / float(shown.size()) - words, px(20), px(52)),
              each = words + thick;
  if (!f.note && !shown.empty()) size.y = std::min(size.y, px(82) + each * float(shown.size()));
  PlotArea a;
  if (!plot_begin("occupancy", size, spec, a)) return;
  std::vector<std::string> hover;
  if (views.empty())
    text_wrapped_at(a.draw, fonts().ui, {a.min.x, a.min.y + px(8)}, t.muted,
                    "Run it (F5) to see its occupancy.", a.width());
  float y = a.min.y + px(2);
  for (auto* at : shown) {
    auto& l = *at;
    if (y + each > a.max.y + px(14)) {
      text_at(a.draw, fonts().small, {a.min.x, a.max.y - font}, t.faint, "… and more launches");
      break;
    }
    // A block's warps are together; consecutive blocks alternate between lighter and darker.
    text_at(a.draw, fonts().small, {a.min.x, y}, t.muted,
            fmt::format("{}: {:.0f} % of {} warps fit{}", l.kernel, 100 * l.occupancy, l.warps_per_sm,
                        l.achieved > 0 ? fmt::format(", {:.0f} % active on average", 100 * l.achieved) : ""),
            a.width());
    const float top = y + font + px(4), h = thick;
    const int used = std::min(l.warps_per_sm, l.blocks_per_sm * l.warps_per_block);
    for (int i = 0; i < l.warps_per_sm; ++i) {
      const float x0 = a.x(i), x1 = a.x(i + 1);
      const int block = l.warps_per_block ? i / l.warps_per_block : 0;
      const ImU32 c =
          i < used ? (block & 1 ? mix(t.of(l.series), t.ground, 0.25f) : t.of(l.series)) : t.raised;
      a.draw->AddRectFilled({x0, top}, {std::max(x0 + 1, x1 - (x1 - x0 > 4 ? 1.0f : 0.0f)), top + h}, c);
    }
    if (a.hovered && a.mouse.y >= top && a.mouse.y < top + h) {
      const int slot = std::clamp(int(a.at_x(a.mouse.x)), 0, l.warps_per_sm - 1);
      hover = {
          slot < used && l.warps_per_block ? fmt::format("Warp slot {}: block {} of {}", slot,
                                                         slot / l.warps_per_block + 1, l.blocks_per_sm)
                                           : fmt::format("Warp slot {}: empty", slot),
          fmt::format("{} {} of {} {} on an SM", l.blocks_per_sm, l.blocks_per_sm == 1 ? "block" : "blocks",
                      l.warps_per_block, l.warps_per_block == 1 ? "warp" : "warps"),
          fmt::format("{} of {} warp slots", used, l.warps_per_sm), "limited by " + limiter_words(l)};
    }
    // What limits comes first: a narrow plot cuts the end.
    std::string facts = l.limiter.empty() ? "" : "limited by " + limiter_words(l) + ": ";
    facts += fmt::format("{} threads, {} registers each, {} shared", l.threads, l.registers,
                         kib_text(double(l.static_smem + l.dynamic_smem)));
    text_at(a.draw, fonts().small, {a.min.x, top + h + px(3)}, t.faint, facts, a.width());
    y += each;
  }
  plot_end(a, hover);
}

}  // namespace dojo::gui
