// The lanes of one warp of the recorded block over its instructions.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "gui/look.hpp"
#include "gui/panels/motion/slow_motion.hpp"
#include "gui/panels/plots/drawing.hpp"
#include "gui/panels/widgets.hpp"
#include "gui/plot/axis.hpp"

namespace dojo::gui {

namespace {
/// The lanes' numbers left of their rows.
void lane_numbers(const PlotArea& a, float row) {
  const float font = fonts().small->FontSize;
  for (int l : {0, 8, 16, 24, 31}) {
    const std::string n = (l == 0 ? "lane " : "") + std::to_string(l);
    const float y = std::min(a.min.y + row * (float(l) + 0.5f) - font / 2, a.max.y - font);
    if (l == 31 && row * 7 < font) continue;
    text_at(a.draw, fonts().small, {a.min.x - px(6) - text_size(fonts().small, n).x, y}, theme().faint, n);
  }
}

/// The lanes of one column of time that are set in `mask`, from x0 to x1; runs of lanes as one rectangle.
void lane_column(const PlotArea& a, float x0, float x1, float row, uint32_t mask, ImU32 colour) {
  for (int l = 0; l < 32;) {
    if (!(mask >> l & 1)) {
      ++l;
      continue;
    }
    int last = l;
    while (last + 1 < 32 && mask >> (last + 1) & 1) ++last;
    a.draw->AddRectFilled({x0, a.min.y + row * float(l)},
                          {x1, a.min.y + row * float(last + 1) - (row > 3 ? 1 : 0)}, colour);
    l = last + 1;
  }
}

/// Colours of instructions that all lanes, or some, took part in; 0: hidden.
struct LaneColours {
  ImU32 all, some;
};

/// Columns are at least two pixels wide. Consecutive equal columns are one rectangle per lane.
void lane_columns(const PlotArea& a, const std::vector<LaneStep>& steps, float row, LaneColours c) {
  const double lo = std::max(0.0, a.view->x.lo), hi = std::min(double(steps.size()), a.view->x.hi);
  const int columns =
      hi > lo ? std::min(int(std::ceil(hi) - std::floor(lo)), std::max(1, int(a.width() / px(2)))) : 0;
  const double first = std::floor(lo), each = columns ? (std::ceil(hi) - first) / columns : 1;
  const auto mask_of = [&](int k) {
    return steps[std::min(steps.size() - 1, size_t(first + k * each))].mask;
  };
  for (int k = 0; k < columns;) {
    const uint32_t mask = mask_of(k);
    int to = k + 1;
    while (to < columns && mask_of(to) == mask) ++to;
    const ImU32 colour = mask == ~0u ? c.all : c.some;
    if (colour) lane_column(a, a.x(first + k * each), a.x(first + to * each), row, mask, colour);
    k = to;
  }
}

class LanesPlot : public PlotDrawing {
 public:
  using PlotDrawing::PlotDrawing;
  void draw(ImVec2) override;
  Table table() override { return lane_table(*s_.recorder.sample(), warp_); }

 private:
  void head(const std::vector<LaneStep>&);

  int warp_ = 0, at_ = -1;  // the instruction that was chosen
};

/// Chooses the warp; names the chosen instruction, with the way to it in slow motion.
void LanesPlot::head(const std::vector<LaneStep>& steps) {
  ImGui::SameLine(0, px(10));
  ImGui::AlignTextToFramePadding();
  if (steps.empty()) return;
  if (at_ >= int(steps.size())) at_ = -1;
  const float room = ImGui::GetContentRegionAvail().x;
  if (at_ < 0)
    return text_in(
        fonts().small, theme().muted,
        fitted(fonts().small, for_print() ? "of block 0" : "of block 0; click an instruction to choose it",
               room));
  ImGui::PushFont(fonts().small);
  const LaneStep& at = steps[size_t(at_)];
  if (link(fitted(fonts().small,
                  fmt::format("Watch instruction {} of line {} in slow motion", at_ + 1, at.line), room))) {
    s_.ui.motion = true;
    s_.motion.to_step(at.step);
  }
  ImGui::PopFont();
}

void LanesPlot::draw(ImVec2 size) {
  auto& t = theme();
  auto* v = s_.view();
  if (!v || !v->has_report || size.y < px(80)) return;
  const StepTrace* trace = s_.recorder.sample();
  if (!trace) {
    const std::string why = no_sample();
    text_wrapped_in(fonts().small, t.muted,
                    why.empty() ? "Save and run to see the lanes of a warp over time." : why);
    return;
  }
  warp_ = std::clamp(warp_, 0, int(trace->warps) - 1);
  if (begin_combo("##laneswarp", fmt::format("warp {}", warp_), px(104))) {
    for (int w = 0; w < int(trace->warps); ++w)
      if (ImGui::Selectable(fmt::format("warp {}", w).c_str(), w == warp_)) warp_ = w;
    ImGui::EndCombo();
  }
  const auto steps = lane_steps(*trace, warp_);
  head(steps);
  if (steps.empty()) return;
  auto& f = frame("lanes");
  f.view.keep_y = true;
  f.view.min_span = 0.5;
  f.view.set_home({0, double(steps.size()), false}, {0, 1, false});
  const ImU32 all = t.data[0], some = mix(t.data[0], t.warn, 0.55f);
  std::vector<LegendItem> legend{entry("all_lanes", "All 32 lanes", all),
                                 entry("some_lanes", "Some of them", some)};
  const bool all_shown = !legend[0].hidden, some_shown = !legend[1].hidden;
  PlotSpec spec;
  spec.title = plot_info("lanes").says;
  spec.note = plot_info("lanes").note;
  spec.x_label = "instructions of the warp";
  spec.y_ticks = spec.grid = false;
  spec.left = text_size(fonts().small, "lane 31").x + px(8);
  spec.legend = &legend;
  PlotArea a;
  if (!plot_begin("lanes", {size.x, std::min(ImGui::GetContentRegionAvail().y, px(400))}, spec, a)) return;
  const float row = a.height() / 32;
  a.draw->PopClipRect();
  lane_numbers(a, row);
  a.draw->PushClipRect(a.min, a.max, true);
  a.draw->AddRectFilled(a.min, a.max, fade(t.raised, 0.8f));
  lane_columns(a, steps, row, {all_shown ? all : 0, some_shown ? some : 0});
  std::vector<std::string> hover;
  const double at = a.at_x(a.mouse.x);
  if (a.hovered && at >= 0 && at < double(steps.size())) {
    const int lane = std::clamp(int((a.mouse.y - a.min.y) / row), 0, 31);
    auto& s = steps[size_t(at)];
    a.draw->AddLine({a.mouse.x, a.min.y}, {a.mouse.x, a.max.y}, fade(t.text, 0.6f));
    hover = {fmt::format("Instruction {}, line {}", size_t(at) + 1, s.line),
             fmt::format("{} of 32 lanes active; lane {} {}", std::popcount(s.mask), lane,
                         s.mask >> lane & 1 ? "is" : "is not"),
             trace->code[trace->steps[s.step].code].text};
    if (ImGui::IsMouseClicked(0) && !ImGui::GetIO().KeyShift) at_ = int(at);
  }
  if (at_ >= 0) a.draw->AddRect({a.x(at_), a.min.y}, {std::max(a.x(at_ + 1), a.x(at_) + 2), a.max.y}, t.text);
  plot_end(a, hover);
}
}  // namespace

std::unique_ptr<PlotDrawing> lanes_plot(Plots& plots) { return std::make_unique<LanesPlot>(plots); }

}  // namespace dojo::gui
