// Waves and occupancy of each launch.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gui/model/plots/no_figures.hpp"
#include "gui/panels/plots/drawing.hpp"
#include "gui/panels/widgets.hpp"

namespace dojo::gui {

namespace {
/// The student's and the reference's run, if they launched a kernel; `shown`: launches that aren't hidden.
std::vector<LegendItem> launch_legend(const std::vector<LaunchView>& views, const Plots& plots,
                                      std::vector<const LaunchView*>& shown) {
  std::vector<LegendItem> legend;
  for (auto& l : views) {
    if (std::none_of(legend.begin(), legend.end(), [&](auto& x) { return x.key == key_of(l.series); }))
      legend.push_back(plots.entry(l.series));
    if (!plots.hidden(l.series)) shown.push_back(&l);
  }
  return legend;
}

std::string limiter_words(const LaunchView& l) {
  return l.limiter.empty() ? "the grid" : l.limiter == "shared" ? "shared memory" : l.limiter;
}

/// "12 %"; of less than half a percent, two digits: "0.024 %".
std::string percent(double share) {
  return share > 0 && share < 0.005 ? fmt::format("{:.2g} %", 100 * share)
                                    : fmt::format("{:.0f} %", 100 * share);
}

/// The waves of one launch: whole ones of full height, and the last one as high as it is full.
struct WaveRow {
  const LaunchView& l;
  const PlotArea& a;
  float top, height;  ///< of the bars, in pixels

  int whole() const { return int(l.waves + 1e-9); }
  double rest() const { return l.waves - whole(); }
  int count() const { return whole() + (rest() > 1e-9); }

  /// Only waves in view. Full waves that are too narrow to tell apart are one bar.
  void draw() const {
    const int first = std::clamp(int(std::floor(a.view->x.lo)), 0, count()),
              last = std::clamp(int(std::ceil(a.view->x.hi)), 0, whole());
    if (a.x(1) - a.x(0) < px(2.5f))
      bar(first, last, 1);
    else
      for (int k = first; k < last; ++k) bar(k, k + 1, 1);
    if (rest() > 1e-9) bar(whole(), whole() + 1, rest());
  }

  /// What the mouse is told at wave `k`.
  std::vector<std::string> told(int k) const {
    const bool full = k < whole();
    return {
        fmt::format("{} {} of {}", full ? "Wave" : "The last wave,", k + 1, count()),
        fmt::format("{} of {} blocks", grouped(full ? l.capacity : std::round(rest() * l.capacity)),
                    grouped(l.capacity)),
        fmt::format("{} SMs × {} {} per SM", grouped(std::round(l.capacity / std::max(1, l.blocks_per_sm))),
                    l.blocks_per_sm, l.blocks_per_sm == 1 ? "block" : "blocks"),
        fmt::format("SM time idle in all: {:.1f} %", 100 * l.tail_idle),
        fmt::format("whole waves only would be {:.2f} × as fast", l.ideal_gain)};
  }

 private:
  void bar(double from, double to, double full) const {
    auto& t = theme();
    // Whole pixels: gaps of one width, whichever fraction of a pixel a wave begins at.
    const float between = std::max(1.0f, std::floor(std::min(px(4), (a.x(1) - a.x(0)) * 0.15f) + 0.5f));
    const float x0 = std::max(a.min.x, std::floor(a.x(from) + 0.5f)),
                x1 = std::min(a.max.x, std::floor(a.x(to) + 0.5f) - between);
    if (x1 <= x0) return;
    const float filled = height * float(full), round = x1 - x0 > px(8) ? px(3) : 0, bottom = top + height;
    a.draw->AddRectFilled({x0, top}, {x1, bottom}, t.raised, round);
    a.draw->AddRectFilled({x0, bottom - filled}, {x1, bottom}, t.of(l.series), round);
    if (full >= 1) return;
    a.draw->AddRect({x0, top}, {x1, bottom}, t.muted, round, 0, px(1.5f));
    label(x0, x1, a.x(to), filled, percent(full));
  }

  /// The share of a bar that is not full: inside its fill, above it, across its edge, or beside the bar.
  void label(float x0, float x1, float end, float filled, const std::string& share) const {
    auto& t = theme();
    const float bottom = top + height, w = text_size(fonts().small, share).x, font = fonts().small->FontSize;
    const bool inside = filled > height * 0.6f && filled > font + px(4);
    const bool above = height - filled > font + px(4);
    if (x1 - x0 <= w + px(4)) {
      if (end + w + px(4) < a.max.x)
        text_at(a.draw, fonts().small, {end + px(2), bottom - font}, t.muted, share);
    } else if (!inside && !above) {  // across the fill's edge: on a ground of its own
      const ImVec2 at = {(x0 + x1 - w) / 2, top + (height - font) / 2};
      a.draw->AddRectFilled({at.x - px(4), at.y}, {at.x + w + px(4), at.y + font}, t.panel, px(3));
      text_at(a.draw, fonts().small, at, t.text, share);
    } else {
      const float y = inside ? bottom - filled + px(3) : std::max(top, bottom - filled - font - px(2));
      text_at(a.draw, fonts().small, {(x0 + x1 - w) / 2, y}, inside ? text_on(t.of(l.series)) : t.text,
              share);
    }
  }
};

/// "a_kernel…of_mine": both ends of a name that is wider than `width` pixels.
std::string both_ends(const std::string& name, float width) {
  const auto fits = [&](const std::string& s) { return text_size(fonts().small, s).x <= width; };
  if (name.size() < 4 || fits(name)) return name;
  const auto cut = [&](size_t kept) {
    return name.substr(0, (kept + 1) / 2) + "…" + name.substr(name.size() - kept / 2);
  };
  // The most letters that fit, by halves; a name is ASCII.
  size_t kept = 2, too_many = name.size();
  while (kept + 1 < too_many) {
    const size_t middle = (kept + too_many) / 2;
    (fits(cut(middle)) ? kept : too_many) = middle;
  }
  return cut(kept);
}

/// A launch's name before its figures, which are never cut: "scale_with…and_on × 100".
std::string named(const LaunchView& l, const std::string& figures, float width) {
  const std::string rest = (l.launches > 1 ? " × " + grouped(l.launches) : "") + ": " + figures;
  return both_ends(l.kernel, width - text_size(fonts().small, rest).x) + rest;
}

/// Below the last row: how many kernels had no room.
void tell_left_out(const PlotArea& a, size_t left_out) {
  if (left_out == 0) return;
  text_at(a.draw, fonts().small, {a.min.x, a.max.y - fonts().small->FontSize - px(1)}, theme().faint,
          fmt::format("… and {} more {}", left_out, left_out == 1 ? "kernel" : "kernels"), a.width());
}

std::string waves_words(const LaunchView& l, float width) {
  const std::string waves =
      l.waves < 0.005 ? fmt::format("{:.2g}", l.waves) : number(std::round(l.waves * 100) / 100);
  return named(
      l,
      fmt::format("{} {} in {} {} of {}, {} used", grouped(l.blocks), l.blocks == 1 ? "block" : "blocks",
                  waves, l.waves == 1 ? "wave" : "waves", grouped(l.capacity), percent(l.utilization)),
      width);
}

class WavesPlot : public PlotDrawing {
 public:
  using PlotDrawing::PlotDrawing;
  void draw(ImVec2) override;
  Table table() override { return launch_table(report_for("waves"), s_.device_info()); }
};

class OccupancyPlot : public PlotDrawing {
 public:
  using PlotDrawing::PlotDrawing;
  void draw(ImVec2) override;
  Table table() override { return launch_table(report_for("occupancy"), s_.device_info()); }
};

void WavesPlot::draw(ImVec2 size) {
  auto& t = theme();
  auto* v = s_.view();
  auto views = launch_rows(launch_views(v->has_report ? &v->report : nullptr, s_.device_info()));
  auto& f = frame("waves");
  std::vector<const LaunchView*> shown;
  auto legend = launch_legend(views, plots_, shown);
  double most = shown.empty() ? 4 : 1;
  for (auto* l : shown) most = std::max(most, std::ceil(l->waves - 1e-9));
  f.view.keep_y = true;
  f.view.min_span = 0.5;
  // With room for the number of the last wave beside the axis's name.
  const float label = text_size(fonts().small, "waves").x + px(24);
  const double wider = size.x > 2 * label ? size.x / (size.x - label) : 1.06;
  f.view.set_home({0, most <= 4 ? most * wider : most, false}, {0, 1, false});
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
  if (views.empty())
    text_wrapped_at(a.draw, fonts().ui, {a.min.x, a.min.y + px(8)}, t.muted,
                    no_figures(*v, is_yours(), "its waves", "This run launched no kernel."), a.width());
  std::vector<std::string> hover;
  float y = a.min.y + px(2);
  const float head = fonts().small->FontSize + px(4);
  const size_t all = shown.size();
  float room = a.height() - px(2);
  if (float(all) * px(40) > room) room -= head;  // for the words below the rows
  shown = rows_that_fit(shown, std::max<size_t>(2, size_t(room / px(40))));
  tell_left_out(a, all - shown.size());
  const float each = shown.empty() ? 0 : std::clamp(room / float(shown.size()), px(34), px(180));
  for (auto* l : shown) {
    const std::string words = waves_words(*l, a.width());
    text_at(a.draw, fonts().small, {a.min.x, y}, t.muted, words, a.width());
    window_.layout.push_back({"waves: " + words, {a.min.x, y + head, a.max.x, y + each}});
    const WaveRow row{*l, a, y + head, each - head - px(8)};
    row.draw();
    if (const double x = a.at_x(a.mouse.x);
        a.hovered && a.mouse.y >= y && a.mouse.y < y + each && x >= 0 && x < row.count())
      hover = row.told(int(x));
    y += each;
  }
  plot_end(a, hover);
}

void OccupancyPlot::draw(ImVec2 size) {
  auto& t = theme();
  auto* v = s_.view();
  auto views = launch_rows(launch_views(v->has_report ? &v->report : nullptr, s_.device_info()));
  auto& f = frame("occupancy");
  std::vector<const LaunchView*> shown;
  auto legend = launch_legend(views, plots_, shown);
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
                    no_figures(*v, is_yours(), "its occupancy", "This run launched no kernel."), a.width());
  float y = a.min.y + px(2);
  const size_t all = shown.size();
  float room = a.height() + px(12);
  if (float(all) * each > room) room -= font + px(14);  // for the words below the rows
  shown = rows_that_fit(shown, std::max<size_t>(1, size_t(room / each)));
  tell_left_out(a, all - shown.size());
  for (auto* at : shown) {
    auto& l = *at;
    // A block's warps are together; consecutive blocks alternate between lighter and darker.
    text_at(
        a.draw, fonts().small, {a.min.x, y}, t.muted,
        named(l,
              fmt::format("{} of {} warps fit{}", percent(l.occupancy), l.warps_per_sm,
                          l.achieved > 0 ? fmt::format(", {} active on average", percent(l.achieved)) : ""),
              a.width()),
        a.width());
    const float top = y + font + px(4), h = thick;
    const int used = std::min(l.warps_per_sm, l.blocks_per_sm * l.warps_per_block);
    for (int i = 0; i < l.warps_per_sm; ++i) {
      const float x0 = std::floor(a.x(i) + 0.5f), x1 = std::floor(a.x(i + 1) + 0.5f);
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
    facts +=
        fmt::format("{} {}, {} registers each, {} shared", l.threads, l.threads == 1 ? "thread" : "threads",
                    l.registers, kib_text(double(l.static_smem + l.dynamic_smem)));
    text_at(a.draw, fonts().small, {a.min.x, top + h + px(3)}, t.faint, facts, a.width());
    y += each;
  }
  plot_end(a, hover);
}
}  // namespace

std::unique_ptr<PlotDrawing> waves_plot(Plots& plots) { return std::make_unique<WavesPlot>(plots); }
std::unique_ptr<PlotDrawing> occupancy_plot(Plots& plots) { return std::make_unique<OccupancyPlot>(plots); }

}  // namespace dojo::gui
