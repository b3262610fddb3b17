// The what-if plot: choose grid, tile, GPU and policy, and see the modelled timeline.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gui/model/plots/what_if.hpp"
#include "gui/panels/focus.hpp"
#include "gui/panels/plots/alternate.hpp"
#include "gui/panels/plots/drawing.hpp"
#include "gui/panels/widgets.hpp"

namespace dojo::gui {

namespace {
/// A slider with its name inside ("M %d"), to save room: its track is a line under the words, so that no
/// handle covers them. Ctrl+click lets the user type a number.
void slider(const char* id, const char* format, int* value, int lo, int hi, float width, bool by_powers,
            const char* help) {
  auto& t = theme();
  ImGui::SetNextItemWidth(width);
  ImGui::PushStyleColor(ImGuiCol_SliderGrab, 0u);
  ImGui::PushStyleColor(ImGuiCol_SliderGrabActive, 0u);
  as_stop(ImGui::SliderInt(id, value, lo, hi, format, by_powers ? ImGuiSliderFlags_Logarithmic : 0));
  ImGui::PopStyleColor(2);
  const ImVec2 a = ImGui::GetItemRectMin(), b = ImGui::GetItemRectMax();
  const float at =
      std::clamp(by_powers ? std::log(float(*value) / float(lo)) / std::log(float(hi) / float(lo))
                           : float(*value - lo) / float(hi - lo),
                 0.0f, 1.0f);
  const float inset = px(5), y = b.y - px(4), x = a.x + inset + (b.x - a.x - inset * 2) * at;
  const ImU32 c = ImGui::IsItemActive() || ImGui::IsItemHovered() ? t.accent : mix(t.accent, t.raised, 0.25f);
  ImDrawList* d = ImGui::GetWindowDrawList();
  d->AddRectFilled({a.x + inset, y}, {b.x - inset, y + px(2)}, mix(t.muted, t.raised, 0.7f), px(1));
  d->AddRectFilled({a.x + inset, y}, {x, y + px(2)}, c, px(1));
  d->AddCircleFilled({x, y + px(1)}, px(3), c);
  tip(help);
}

/// Hatches a time span in which blocks wait.
void hatch(ImDrawList* d, ImVec2 a, ImVec2 b, ImU32 c) {
  const float h = b.y - a.y;
  d->PushClipRect(a, b, true);
  for (float x = a.x - h; x < b.x; x += px(6)) d->AddLine({x, b.y}, {x + h, a.y}, c, px(1));
  d->PopClipRect();
}

constexpr WaitPolicy all_policies[] = {WaitPolicy::stream, WaitPolicy::row, WaitPolicy::tile};

/// Which products, and which waits, the legend shows.
struct Shown {
  bool product[2] = {true, true};
  bool waiting = true;
};

/// The rows of one policy: one per slot (a resident block's room), those of one SM together.
struct PolicyRows {
  const WhatIfModel& w;
  WaitPolicy policy;
  PlotArea& a;
  float top, row;  ///< pixels: the first row's upper edge, and a row's height

  float bottom() const { return top + row * float(w.what().capacity()); }
  std::vector<std::string> draw(const Shown&) const;
  void names() const;
  std::string sentence(float width) const;  ///< without its last clause where the whole is too wide

 private:
  void tile(const TileSpan&, ImVec2 lo, ImVec2 hi, const Shown&) const;
};

void PolicyRows::tile(const TileSpan& s, ImVec2 lo, ImVec2 hi, const Shown& shown) const {
  auto& t = theme();
  ImU32 c = t.data[s.kernel ? 1 : 0];
  // Where the line between them is drawn, tiles need no second shade, which would look like waiting.
  const bool parted = hi.x - lo.x > 5 && hi.y - lo.y > 3;
  if (!parted && ((s.row + s.column) & 1)) c = alternate(c);
  const float round = row > px(12) ? px(2) : 0;
  a.draw->AddRectFilled(lo, hi, c, round);
  if (s.waiting > 0 && shown.waiting) {
    const float x = std::clamp(a.x(s.start + s.waiting), lo.x, hi.x);
    if (x > lo.x + 1) {
      a.draw->AddRectFilled(lo, {x, hi.y}, mix(c, t.ground, 0.62f), round);
      if (hi.y - lo.y > px(5)) hatch(a.draw, lo, {x, hi.y}, fade(t.text, 0.35f));
    }
  }
  if (parted) last_pixel(a.draw, lo, hi, fade(t.panel, 0.75f));
  const std::string name = fmt::format("{}{},{}", s.kernel ? "E" : "C", s.row, s.column);
  const ImVec2 z = text_size(fonts().small, name);
  if (hi.y - lo.y > z.y && hi.x - lo.x > z.x + px(10))
    text_at(a.draw, fonts().small, {(lo.x + hi.x - z.x) / 2, (lo.y + hi.y - z.y) / 2}, text_on(c), name);
}

/// Returns what the mouse is over.
std::vector<std::string> PolicyRows::draw(const Shown& shown) const {
  auto& t = theme();
  std::vector<std::string> hover;
  const float inset = row >= 6 ? std::min(px(1.5f), row * 0.1f) : 0;
  a.draw->AddRectFilled({a.min.x, top}, {a.max.x, bottom()}, mix(t.panel, t.ground, 0.5f));
  for (const TileSpan& s : w.of(policy).spans) {
    if (!shown.product[s.kernel ? 1 : 0]) continue;
    const int line = (s.slot % w.what().sms) * w.what().blocks_per_sm + s.slot / w.what().sms;
    const float y0 = top + row * float(line) + inset,
                y1 = std::max(y0 + 1, top + row * float(line + 1) - inset);
    const float x0 = std::max(a.min.x, a.x(s.start)), x1 = std::min(a.max.x, a.x(s.end));
    if (x1 <= x0) continue;
    tile(s, {x0, y0}, {x1, y1}, shown);
    if (!a.hovered || a.mouse.x < x0 || a.mouse.x >= x1 || a.mouse.y < y0 || a.mouse.y >= y1) continue;
    hover = {fmt::format("{}, tile {} of row {}", s.kernel ? "E, second product" : "C, first product",
                         s.column, s.row),
             fmt::format("SM {}, {} to {}", s.slot % w.what().sms, w.time(s.start), w.time(s.end))};
    if (s.waiting > 0)
      hover.push_back(fmt::format("waits {} in all (drawn at its beginning)", w.time(s.waiting)));
  }
  // A mark where stream order would end, for comparison.
  const double end = w.of(WaitPolicy::stream).time_us;
  if (policy != WaitPolicy::stream && end > 0) {
    const float x = a.x(end);
    for (float y = top; y < bottom(); y += px(7))
      a.draw->AddLine({x, y}, {x, std::min(bottom(), y + px(4))}, t.muted, px(1.5f));
  }
  return hover;
}

/// The SMs' numbers left of the rows.
void PolicyRows::names() const {
  const float font = fonts().small->FontSize, sm_height = row * float(w.what().blocks_per_sm);
  const int every = std::max(1, int(std::ceil(font * 1.7f / sm_height)));
  for (int sm = 0; sm < w.what().sms; sm += every) {
    const std::string n = sm == 0 ? "SM 0" : std::to_string(sm);
    const float mid = top + sm_height * (float(sm) + 0.5f) - font / 2;
    text_at(a.draw, fonts().small,
            {a.min.x - px(6) - text_size(fonts().small, n).x, std::max(top - px(2), mid)}, theme().faint, n);
  }
}

std::string PolicyRows::sentence(float width) const {
  const auto& forecast = w.of(policy);
  std::string says = fmt::format("{} {}, {:.0f} % used", to_string(policy), w.time(forecast.time_us),
                                 100 * forecast.utilization);
  if (policy != WaitPolicy::stream)
    says += fmt::format("; {:.2f} × as fast as stream order (dashed); at best {:.2f} ×", w.gain(policy),
                        w.ideal_gain());
  else
    says += fmt::format("; overlap makes it at most {:.2f} × as fast", w.ideal_gain());
  says[0] = char(std::toupper(says[0]));
  while (text_size(fonts().small, says).x > width && says.rfind(';') != std::string::npos)
    says.resize(says.rfind(';'));
  return says;
}

/// A line of words on the plot's own ground: no line of the grid crosses it.
void words_on_ground(PlotArea& a, float y, ImU32 colour, const std::string& says) {
  const float font = fonts().small->FontSize;
  a.draw->AddRectFilled({a.min.x - px(1), y - px(3)}, {a.max.x + px(1), y + font + px(3)}, theme().panel);
  text_at(a.draw, fonts().small, {a.min.x, y}, colour, says, a.width());
  a.offer.values.push_back({says, {a.min.x, y, a.min.x + text_size(fonts().small, says).x, y + font}});
}

class WhatIfPlot : public PlotDrawing {
 public:
  using PlotDrawing::PlotDrawing;
  void draw(ImVec2) override;
  Table table() override { return what_if_.table(); }

 private:
  void controls(ImVec2 size);
  void policies();

  WhatIfModel what_if_;
};

void WhatIfPlot::controls(ImVec2 size) {
  auto& w = what_if_;
  bool first = true;
  const float width = size.x;
  // Where it is narrow the plot below needs the rows that the examples would take, and where it is low, too,
  // even the one row of their list: the large plot has them (F6).
  const bool narrow = width < px(520), low = narrow && size.y < px(300);
  if (narrow && !low) {
    std::string now = "An example";
    for (auto& p : what_if_presets())
      if (w.shape == p.shape) now = p.title;
    if (begin_combo("##example", now, px(150))) {
      for (auto& p : what_if_presets())
        if (ImGui::Selectable(p.title, w.shape == p.shape)) w.shape = p.shape;
      ImGui::EndCombo();
    }
    tip("An example to start from");
  }
  for (auto& p : what_if_presets()) {
    if (narrow) break;
    if (!first) wrap_next(text_size(fonts().small, p.title).x + px(16));
    first = false;
    if (pill(p.title, w.shape == p.shape)) w.shape = p.shape;
    tip(p.says);
  }
  gap(4);
  const float between = px(6);
  const int columns = width >= px(900) ? 8 : width >= px(330) ? 4 : 2;
  const float each = (width - between * float(columns - 1)) / float(columns);
  int at = 0;
  auto next = [&] {
    if (at++ % columns) ImGui::SameLine(0, between);
  };
  auto& s = w.shape;
  ImGui::PushFont(fonts().small);
  next(), slider("##m", "M %d", &s.m, 1, 4096, each, true, "Rows of A, C and E");
  next(), slider("##n", "N %d", &s.n, 1, 16384, each, true,
                 "Columns of C: the inner extent of the second product");
  next(), slider("##k", "K %d", &s.k, 1, 16384, each, true,
                 "Inner extent of the first product: how long one of its tiles takes");
  next(), slider("##l", "L %d", &s.l, 1, 16384, each, true, "Columns of E");
  next(), slider("##tm", "tile %d rows", &s.tile_m, 1, 256, each, true, "Rows of a tile, in both products");
  next(),
      slider("##tn", "× %d columns", &s.tile_n, 1, 256, each, true, "Columns of a tile, in both products");
  next(), slider("##sms", "%d SMs", &s.sms, 1, 144, each, false, "Streaming multiprocessors");
  next(), slider("##bps", "%d per SM", &s.blocks_per_sm, 1, 4, each, false,
                 "Resident blocks per SM. They share it evenly, so each takes that many times as long");
  ImGui::PopFont();
  gap(2);
}

/// The three policies, each with its modelled time, as buttons.
void WhatIfPlot::policies() {
  auto& w = what_if_;
  bool first = true;
  for (WaitPolicy p : all_policies) {
    std::string label = to_string(p);
    label[0] = char(std::toupper(label[0]));
    if (w.ok()) label += "  " + w.time(w.of(p).time_us);
    if (!first) wrap_next(text_size(fonts().small, label).x + px(16));
    first = false;
    if (pill((label + "###policy" + std::to_string(int(p))).c_str(), w.policy == p)) w.policy = p;
    tip(p == WaitPolicy::stream ? "The second kernel starts when the first has ended"
        : p == WaitPolicy::row  ? "A tile waits for the row of tiles that it reads"
                                : "A tile waits for each tile that it reads, when it gets to it");
  }
  gap(2);
}

void WhatIfPlot::draw(ImVec2 size) {
  auto& t = theme();
  auto& w = what_if_;
  const float top = ImGui::GetCursorPosY();
  controls(size);
  w.update();
  policies();
  auto& f = frame("whatif");
  double most = 0;
  for (WaitPolicy p : all_policies)
    if (w.ok()) most = std::max(most, w.of(p).time_us);
  f.view.keep_y = true;
  f.view.min_span = 1e-6;
  f.view.set_home({0, most > 0 ? most * 1.02 : 1, false}, {0, 1, false});
  std::vector<LegendItem> legend{entry("first_product", "C, first product", t.data[0]),
                                 entry("second_product", "E, second product", t.data[1]),
                                 entry("product_waits", "Waiting", mix(t.data[1], t.ground, 0.62f))};
  PlotSpec spec;
  auto& info = plot_info("whatif");
  spec.title = w.ok() ? w.headline() : info.says;
  spec.note = info.note;
  spec.x_label = !w.ok() ? "" : w.in_units() ? "units, modelled" : "µs, modelled";
  spec.y_ticks = false;
  spec.x_ticks = w.ok();
  spec.left = px(44);
  spec.legend = &legend;
  size.y = std::max(px(132), size.y - (ImGui::GetCursorPosY() - top));
  const float words = fonts().small->FontSize + px(12), slots = w.ok() ? float(w.what().capacity()) : 1;
  // Where names can be read in the rows of all three policies, they stand below one another on one axis.
  const bool all = w.ok() && size.y - px(92) >= 3 * (words + px(18) * slots);
  // The axis belongs right under the rows and their sentence.
  if (w.ok() && !f.note) size.y = std::min(size.y, px(84) + (all ? 3 : 1) * (words + px(56) * slots));
  PlotArea a;
  if (!plot_begin("whatif", size, spec, a)) return;
  std::vector<std::string> hover;
  a.draw->PopClipRect();
  if (!w.ok())
    text_wrapped_at(a.draw, fonts().ui, {a.min.x - spec.left, a.min.y + px(8)}, t.muted, w.problem(), size.x);
  const float share = a.height() / (all ? 3.0f : 1.0f);
  float y = a.min.y;
  for (WaitPolicy p : all_policies) {
    if (!w.ok() || (!all && p != w.policy)) continue;
    // Rows too thin for names keep the whole height.
    const bool says = all || share - words >= px(10) * slots;
    const PolicyRows rows{w, p, a, y, std::min(px(56), (share - (says ? words : 0)) / slots)};
    a.draw->PushClipRect(a.min, a.max, true);
    if (auto over = rows.draw({{!legend[0].hidden, !legend[1].hidden}, !legend[2].hidden}); !over.empty())
      hover = over;
    a.draw->PopClipRect();
    rows.names();
    if (says)
      words_on_ground(a, rows.bottom() + px(4), p == w.policy ? t.text : t.muted, rows.sentence(a.width()));
    y += share;
  }
  a.draw->PushClipRect(a.min, a.max, true);
  plot_end(a, hover);
}
}  // namespace

std::unique_ptr<PlotDrawing> whatif_plot(Plots& plots) { return std::make_unique<WhatIfPlot>(plots); }

}  // namespace dojo::gui
