// Bank map and address map of an adjustable access pattern.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gui/panels/motion/slow_motion_parts.hpp"
#include "gui/panels/plots/memory_map.hpp"
#include "gui/panels/widgets.hpp"

namespace dojo::gui {

namespace {
// In a low window the plots' panel scrolls to what has no room.
constexpr float least_pattern = 160;  ///< height of a map with its title, legend and lanes

void choice(const char* id, const char* label, int* value,
            std::initializer_list<std::pair<int, const char*>> all) {
  ImGui::AlignTextToFramePadding();
  text_in(fonts().small, theme().muted, label);
  ImGui::SameLine(0, px(4));
  std::string now = std::to_string(*value);
  for (auto& [v, name] : all)
    if (v == *value) now = name;
  if (begin_combo(id, now, text_size(fonts().ui, now).x + px(46))) {
    for (auto& [v, name] : all)
      if (ImGui::Selectable(name, v == *value)) *value = v;
    ImGui::EndCombo();
  }
}

/// Have the lanes' numbers room in cells of this width? On slides letters are larger than elsewhere.
bool numbers_fit(float cell) { return text_size(fonts().mono_small, "31").x <= cell - px(5); }

class BankPatternPlot : public MemoryMap {
 public:
  explicit BankPatternPlot(Plots& plots) : MemoryMap(plots, true) {}
  void draw(ImVec2) override;
  Table table() override { return pattern_table(banks_); }

 private:
  void choices();

  BankPattern banks_;
};

class AddressPatternPlot : public MemoryMap {
 public:
  explicit AddressPatternPlot(Plots& plots) : MemoryMap(plots, false) {}
  void draw(ImVec2) override;
  Table table() override { return pattern_table(addresses_); }

 private:
  AddressPattern addresses_;
};

void BankPatternPlot::choices() {
  choice("##stride", "Stride", &banks_.stride,
         {{0, "0"},
          {1, "1"},
          {2, "2"},
          {3, "3"},
          {4, "4"},
          {5, "5"},
          {8, "8"},
          {16, "16"},
          {17, "17"},
          {31, "31"},
          {32, "32"},
          {33, "33"}});
  wrap_next(px(140));
  choice("##width", "Bytes", &banks_.width, {{4, "4"}, {8, "8"}, {16, "16"}});
  wrap_next(px(150));
  choice("##pad", "Padding", &banks_.pad_every, {{0, "none"}, {32, "1 in 32"}, {16, "1 in 16"}});
  wrap_next(px(100));
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + px(2));
  if (pill("XOR swizzle", banks_.swizzle)) banks_.swizzle = !banks_.swizzle;
  tip("Swizzle: the column is XORed with the row (rows of 32 elements)");
}

std::string bank_title(const BankMap& m) {
  return fmt::format("{} wavefront{} per access{}", m.wavefronts, m.wavefronts == 1 ? "" : "s",
                     m.wavefronts <= m.ideal_wavefronts
                         ? ": no conflict"
                         : fmt::format(", {} more than needed", m.wavefronts - m.ideal_wavefronts));
}

/// The lanes of each bank, the first one at the bottom. Returns what the mouse over a bank is told.
std::vector<std::string> draw_bank_lanes(PlotArea& a, const BankMap& m, bool one_word, bool first,
                                         bool more) {
  auto& t = theme();
  std::vector<std::string> hover;
  const float w = a.x(1) - a.x(0);
  int most = 1;
  for (auto& l : m.lanes_of_bank) most = std::max(most, int(l.size()));
  const float h = std::min(std::max(px(22), a.height() / 12), a.height() / float(std::max(4, most)));
  for (int b = 0; b < 32; ++b) {
    const float x = a.x(b);
    auto& lanes = m.lanes_of_bank[size_t(b)];
    a.draw->AddRectFilled({x, a.min.y}, {x + w - 1, a.max.y},
                          b & 1 ? fade(t.raised, 0.55f) : fade(t.raised, 0.9f));
    for (size_t k = 0; k < lanes.size(); ++k) {
      const bool in_first = one_word || k < size_t(m.ideal_wavefronts);
      if (in_first ? !first : !more) continue;
      const float y = a.max.y - h * float(k + 1);
      const ImU32 c = wavefront_colour(in_first ? 0 : int(k), in_first ? 1 : m.ideal_wavefronts);
      a.draw->AddRectFilled({x + 1, y + 1}, {x + w - 2, y + h}, c, px(2));
      if (!numbers_fit(w) || h <= px(11)) continue;
      const std::string n = std::to_string(lanes[k]);
      const ImVec2 words = text_size(fonts().mono_small, n);
      const ImVec2 at{x + (w - 1 - words.x) / 2, y + (h - words.y) / 2};
      text_at(a.draw, fonts().mono_small, at, text_on(c), n);
      a.offer.values.push_back({n, {at.x, at.y, at.x + words.x, at.y + words.y}});
    }
    if (!a.hovered || a.mouse.x < x || a.mouse.x >= x + w) continue;
    std::string list;
    for (int l : lanes) list += (list.empty() ? "" : ", ") + std::to_string(l);
    hover = {fmt::format("Bank {}", b),
             lanes.empty() ? "no lane" : (lanes.size() == 1 ? "lane " : "lanes ") + list};
  }
  return hover;
}

/// Below the banks, as many of their numbers as have room left of the axis's name.
void number_banks(const PlotArea& a, const std::string& name) {
  const float w = a.x(1) - a.x(0), end = a.frame_max.x - text_size(fonts().small, name).x - px(10);
  const int every = every_number(w, text_size(fonts().small, "30").x, px(4));
  for (int b = 0; b < 32; b += every) {
    const std::string n = std::to_string(b);
    const float x = a.x(b + 0.5), half = text_size(fonts().small, n).x / 2;
    if (x > a.min.x && x + half < end)
      text_at(a.draw, fonts().small, {std::max(a.min.x, x - half), a.max.y + px(3)}, theme().faint, n);
  }
}

void BankPatternPlot::draw(ImVec2 size) {
  auto& f = frame("bankpattern");
  choices();
  const float table = line_table_height(size);
  PlotSpec spec;
  BankMap m = bank_map(banks_);
  spec.title = bank_title(m);
  spec.note = plot_info("bankpattern").note;
  spec.x_ticks = spec.y_ticks = spec.grid = false;
  spec.bottom = fonts().small->FontSize + px(4);
  spec.x_label = "bank";
  f.view.keep_y = true;
  f.view.min_span = 2;
  f.view.set_home({0, 32, false}, {0, 1, false});
  std::vector<LegendItem> legend{entry("first_wavefront", "First wavefront", theme().data[0]),
                                 entry("excess_wavefronts", "Excess wavefronts", theme().bad)};
  const bool first = !legend[0].hidden, more = !legend[1].hidden;
  spec.legend = &legend;
  ImVec2 room = ImGui::GetContentRegionAvail();
  PlotArea a;
  if (!plot_begin("bankpattern", {size.x, std::max(room.y - table, px(least_pattern))}, spec, a)) return;
  const auto hover = draw_bank_lanes(a, m, banks_.stride == 0, first, more);
  a.draw->PopClipRect();
  number_banks(a, spec.x_label);
  a.draw->PushClipRect(a.min, a.max, true);
  plot_end(a, hover);
  line_table();
}

/// Lanes above, the sectors from the first to the last touched below, and lines between them. A third of the
/// height each for lanes and sectors at most: the lines need the rest.
struct AddressDrawing {
  PlotArea& a;
  const AddressPattern& pattern;
  const AddressMap& m;
  bool lanes, sectors;  ///< the series that are shown
  float left = a.x(0), wide = a.x(1) - left, lane_w = wide / 32, words = fonts().small->FontSize + px(4),
        third = std::max(px(6), (a.height() - 2 * words) / 3), top = a.min.y + words,
        lane_h = std::min(px(20), third), sector_h = std::min(px(24), third), bottom = a.max.y - words;
  int first = m.sectors.front(), count = m.sectors.back() - first + 1;
  /// Sectors that are far apart are drawn smaller.
  float sector_w = std::min(wide / float(std::max(4, count)), px(70) * wide / a.width());

  bool touched(int s) const { return std::binary_search(m.sectors.begin(), m.sectors.end(), first + s); }

  void draw_sectors() const {
    auto& t = theme();
    text_at(a.draw, fonts().small, {a.min.x, bottom + px(2)}, t.faint,
            fmt::format("{} sectors of 32 bytes: {} touched", count, m.sectors.size()));
    for (int s = 0; s < count; ++s)
      a.draw->AddRectFilled({left + sector_w * float(s) + (sector_w > 4 ? 1 : 0), bottom - sector_h},
                            {left + sector_w * float(s + 1), bottom},
                            touched(s) && sectors ? t.data[1] : t.raised, sector_w > 8 ? px(3) : 0);
  }

  /// Returns what the mouse over a lane is told.
  std::vector<std::string> draw_lanes() const {
    auto& t = theme();
    std::vector<std::string> hover;
    text_at(a.draw, fonts().small, {a.min.x, a.min.y}, t.faint, "32 lanes");
    for (int lane = 0; lane < 32; ++lane) {
      const float x = left + lane_w * float(lane);
      const int byte = pattern.offset + lane * pattern.stride * pattern.width;
      const float sx = left + sector_w * float(byte / 32 - first) + sector_w * float(byte % 32) / 32;
      const bool here =
          a.hovered && a.mouse.y < bottom - sector_h && a.mouse.x >= x && a.mouse.x < x + lane_w;
      if (lanes)
        a.draw->AddLine({x + lane_w / 2, top + lane_h},
                        {sx + sector_w * float(pattern.width) / 64, bottom - sector_h},
                        fade(here ? t.text : t.data[0], here ? 1.0f : 0.5f), here ? px(2) : px(1));
      a.draw->AddRectFilled({x + 1, top}, {x + lane_w - 1, top + lane_h}, lanes ? t.data[0] : t.raised,
                            px(3));
      if (numbers_fit(lane_w) && lane_h > px(12)) {
        const std::string n = std::to_string(lane);
        text_at(a.draw, fonts().mono_small,
                {x + (lane_w - text_size(fonts().mono_small, n).x) / 2,
                 top + (lane_h - fonts().mono_small->FontSize) / 2},
                lanes ? text_on(t.data[0]) : t.faint, n);
      }
      if (here) hover = {fmt::format("Lane {}", lane), fmt::format("byte {}, sector {}", byte, byte / 32)};
    }
    return hover;
  }

  /// What the mouse over a sector is told.
  std::vector<std::string> under_mouse() const {
    if (!a.hovered || a.mouse.y < bottom - sector_h || a.mouse.y >= bottom) return {};
    const int s = int((a.mouse.x - left) / sector_w);
    if (s < 0 || s >= count) return {};
    const auto lanes = std::count(m.sector_of_lane.begin(), m.sector_of_lane.end(), first + s);
    return {fmt::format("Sector {}", first + s),
            touched(s) ? fmt::format("{} {} in it", lanes, lanes == 1 ? "lane begins" : "lanes begin")
                       : "not touched"};
  }
};

void AddressPatternPlot::draw(ImVec2 size) {
  auto& t = theme();
  auto& f = frame("addresspattern");
  choice("##stride", "Stride", &addresses_.stride,
         {{0, "0"}, {1, "1"}, {2, "2"}, {3, "3"}, {4, "4"}, {8, "8"}, {16, "16"}, {32, "32"}});
  wrap_next(px(140));
  choice("##width", "Bytes", &addresses_.width, {{1, "1"}, {2, "2"}, {4, "4"}, {8, "8"}, {16, "16"}});
  wrap_next(px(150));
  choice("##offset", "Start", &addresses_.offset, {{0, "aligned"}, {4, "+4"}, {8, "+8"}, {16, "+16"}});
  const float table = line_table_height(size);
  AddressMap m = address_map(addresses_);
  PlotSpec spec;
  auto& info = plot_info("addresspattern");
  spec.title = fmt::format("{} sector{} per request, {:.0f} % of bytes used", m.sectors.size(),
                           m.sectors.size() == 1 ? "" : "s", 100 * m.used_share);
  spec.note = info.note;
  spec.x_ticks = spec.y_ticks = spec.grid = false;
  spec.units = "sectors of 32 bytes";
  // Lanes above and sectors below share the vertical axis from 0 to 1.
  f.view.keep_y = true;
  f.view.min_span = 0.02;
  f.view.set_home({0, 1, false}, {0, 1, false});
  std::vector<LegendItem> legend{entry("lanes", "Lanes", t.data[0]), entry("sectors", "Sectors", t.data[1])};
  const bool lanes = !legend[0].hidden, sectors = !legend[1].hidden;
  spec.legend = &legend;
  ImVec2 room = ImGui::GetContentRegionAvail();
  PlotArea a;
  if (!plot_begin("addresspattern", {size.x, std::max(room.y - table, px(least_pattern))}, spec, a)) return;
  const AddressDrawing drawing{a, addresses_, m, lanes, sectors};
  drawing.draw_sectors();
  auto hover = drawing.draw_lanes();
  if (auto sector = drawing.under_mouse(); !sector.empty()) hover = std::move(sector);
  plot_end(a, hover);
  line_table();
}
}  // namespace

std::unique_ptr<PlotDrawing> bankpattern_plot(Plots& plots) {
  return std::make_unique<BankPatternPlot>(plots);
}
std::unique_ptr<PlotDrawing> addresspattern_plot(Plots& plots) {
  return std::make_unique<AddressPatternPlot>(plots);
}

}  // namespace dojo::gui
