// Plots of one recorded block: the banks and sectors that its lines accessed.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "core/text/lines.hpp"
#include "gui/look.hpp"
#include "gui/panels/focus.hpp"
#include "gui/panels/motion/slow_motion.hpp"
#include "gui/panels/plots/memory_map.hpp"
#include "gui/panels/widgets.hpp"
#include "gui/plot/axis.hpp"

namespace dojo::gui {

namespace {
constexpr float least_map =
    116;  ///< height in which lanes, lines and sectors, or rows of banks, can be told apart

const char* operation(const StepTrace::Access& access) {
  return access.atomic ? "atomic" : access.store ? "store" : "load";
}

/// The line with the most waste (excess wavefronts, unused bytes of sectors), else with the most traffic.
const LineAccesses& costliest_line(const std::vector<LineAccesses>& lines, const StepTrace& trace,
                                   bool shared) {
  const auto lost = [&](const LineAccesses& l) {
    auto& a = trace.accesses[l.all[l.worst].access];
    if (shared) return 1e6 * double(a.wavefronts - a.fewest_wavefronts) + double(a.wavefronts);
    const SectorView view = sector_view(trace, a);
    return (wasteful(view, a) ? 1e6 * (1 - view.used_share) : 0) + double(a.sectors);
  };
  return *std::max_element(lines.begin(), lines.end(), [&](auto& a, auto& b) { return lost(a) < lost(b); });
}

/// A map of what the lines of block 0 accessed.
class AccessMap : public MemoryMap {
 public:
  AccessMap(Plots& plots, StepTrace::Space of)
      : MemoryMap(plots, of == StepTrace::Space::shared), space(of) {}
  /// Draws a recorded access, else the pattern to play with.
  void draw(ImVec2 size) override {
    if (!real_access(size)) plots_.plot(shared ? "bankpattern" : "addresspattern", size);
  }
  Table table() override { return access_table(*s_.recorder.sample(), *drawn_); }
  void open_at(int line) override { line_ = line, nth_ = -1; }

 private:
  bool real_access(ImVec2 size);
  LineAccesses::One chosen_access(const std::vector<LineAccesses>&, const StepTrace&);
  void head(const StepTrace::Access&, const LineAccesses::One&);
  void map(const StepTrace::Access&, ImVec2 size);

  const StepTrace::Space space;
  const StepTrace::Access* drawn_ = nullptr;  // the access that CSV lists
  int line_ = 0, nth_ = -1;                   // nth_: of the line's accesses; -1: the costliest
};

/// True when it drew a recorded access.
bool AccessMap::real_access(ImVec2 size) {
  auto& t = theme();
  auto* v = s_.view();
  if (v && v->has_report && !for_print()) {
    if (pill(is_yours() && !s_.ui.lecture ? "Your lines" : "The lines", !s_.ui.pattern))
      s_.ui.pattern = false;
    tip("What block 0 of the kernel really does, line by line");
    ImGui::SameLine(0, px(2));
    if (pill("A pattern", s_.ui.pattern)) s_.ui.pattern = true;
    tip("A stride, a width and a padding to play with");
  }
  if (s_.ui.pattern || !v || !v->has_report) return false;
  const StepTrace* trace = s_.recorder.sample();
  if (!trace) {
    auto* run = student_run(v->report);
    const std::string why = no_sample();
    text_wrapped_in(fonts().small, t.muted,
                    !why.empty()         ? why
                    : v->text.modified() ? "Save and run to see your lines."
                    : run && run->status == Status::timeout
                        ? "The run was stopped at its time limit, so block 0 was not recorded. Fix the loop "
                          "and run again."
                        : "Run it (F5) to record the accesses of block 0.");
    return true;
  }
  const auto lines = line_accesses(*trace, space, s_.step()->file);
  if (lines.empty()) {
    text_in(fonts().small, t.muted,
            shared ? "Block 0 of this kernel touches no shared memory."
                   : "Block 0 of this kernel touches no global memory.");
    return true;
  }
  const LineAccesses::One one = chosen_access(lines, *trace);
  head(trace->accesses[one.access], one);
  map(trace->accesses[one.access], size);
  return true;
}

/// Lets the user choose a line and one of its accesses.
LineAccesses::One AccessMap::chosen_access(const std::vector<LineAccesses>& lines, const StepTrace& trace) {
  int &line = line_, &nth = nth_;
  const LineAccesses* now = nullptr;
  for (auto& l : lines)
    if (l.line == line) now = &l;
  if (!now) {
    now = &costliest_line(lines, trace, shared);
    line = now->line;
    nth = -1;
  }
  wrap_next(px(112));
  if (begin_combo("##line", fmt::format("line {}", now->line), px(104))) {
    for (auto& l : lines) {
      auto& worst = trace.accesses[l.all[l.worst].access];
      const std::string what = shared
                                   ? fmt::format("line {}:  {} wavefronts at most", l.line, worst.wavefronts)
                                   : fmt::format("line {}:  {} sectors at most", l.line, worst.sectors);
      if (ImGui::Selectable(what.c_str(), l.line == now->line)) line = l.line, nth = -1;
    }
    ImGui::EndCombo();
  }
  int at = nth < 0 ? int(now->worst) : std::min(nth, int(now->all.size()) - 1);
  if (now->all.size() > 1) {
    const std::string which = fmt::format("{} of {}", at + 1, now->all.size());
    const float w = text_size(fonts().small, which).x;
    wrap_next(px(76) + w);
    ImGui::SetNextItemWidth(std::clamp(ImGui::GetContentRegionAvail().x - w - px(14), px(60), px(150)));
    if (!for_print()) {
      if (as_stop(ImGui::SliderInt("##access", &at, 0, int(now->all.size()) - 1, ""))) nth = at;
      tip("Which of the line's accesses in block 0; it opens at the costliest line");
      ImGui::SameLine(0, px(6));
    }
    ImGui::AlignTextToFramePadding();
    text_in(fonts().small, theme().muted, which);
  }
  return now->all[size_t(at)];
}

/// Which warp did what, and the way to it in slow motion.
void AccessMap::head(const StepTrace::Access& access, const LineAccesses::One& one) {
  gap(2);
  text_in(fonts().small, theme().muted,
          fmt::format("warp {}, {} of 32 lanes, {} of {} bytes each", one.warp, std::popcount(access.mask),
                      operation(access), access.bytes));
  if (for_print()) return;
  ImGui::PushFont(fonts().small);
  // In a narrow panel the short words, and below the text where they would leave it.
  const float left = ImGui::GetItemRectMax().x + px(12);
  const float right = ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x;
  const auto fits = [&](const char* words) { return left + ImGui::CalcTextSize(words).x <= right; };
  const char* watch = fits("Watch it in slow motion") ? "Watch it in slow motion" : "Slow motion";
  if (fits(watch)) ImGui::SameLine(0, px(12));
  if (link(watch)) {
    s_.ui.motion = true;
    s_.motion.to_step(one.step);
  }
  ImGui::PopFont();
}

/// The map first; the table of lines where it leaves room for one.
void AccessMap::map(const StepTrace::Access& access, ImVec2 size) {
  auto& t = theme();
  const ImVec2 from = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  float table = std::min(size.y * 0.26f, px(110));
  if (room.y - table < px(135)) table = 0;
  const char* key = shared ? "bankmap" : "addresses";
  PlotSpec spec;
  const SlowMotionPanel::AccessWords words = motion_.access_words(access);
  spec.title = words.brief;
  if (words.bad) spec.title_colour = shared ? t.bad : t.warn;
  spec.note = plot_info(key).note;
  spec.x_ticks = spec.y_ticks = spec.grid = false;
  spec.units = shared ? "bank" : "sectors of 32 bytes";  // said in the map itself
  auto& f = frame(key);
  f.view.keep_y = true;
  f.view.min_span = 0.02;
  f.view.set_home({0, 1, false}, {0, 1, false});
  const char* names[] = {shared ? "First wavefront" : "Lanes", shared ? "Excess wavefronts" : "Sectors"};
  const char* keys[] = {shared ? "first_wavefront" : "lanes", shared ? "excess_wavefronts" : "sectors"};
  std::vector<LegendItem> legend{entry(keys[0], names[0], t.data[0]),
                                 entry(keys[1], names[1], shared ? t.bad : t.data[1])};
  const bool one_shown = !legend[0].hidden, two_shown = !legend[1].hidden;
  spec.legend = &legend;
  const float h = std::clamp(room.y - table, px(least_map), px(f.note ? 430 : 320));
  drawn_ = &access;
  PlotArea a;
  if (plot_begin(key, {room.x, h}, spec, a)) {
    // The map is drawn as wide as the view has zoomed in; the area shows its part.
    const ImVec2 at0 = {a.x(0), a.min.y + px(3)}, extent = {a.x(1) - a.x(0), a.height() - px(3)};
    const std::string says = shared ? motion_.draw_banks(access, at0, extent, one_shown, two_shown)
                                    : motion_.draw_sectors(access, at0, extent, one_shown, two_shown);
    const auto lines = lines_of(a.hovered ? std::string_view(says) : "");
    plot_end(a, {lines.begin(), lines.end()});
  }
  ImGui::SetCursorScreenPos({from.x, from.y + h + px(4)});
  if (table > 0) line_table();
}
}  // namespace

std::unique_ptr<PlotDrawing> bankmap_plot(Plots& plots) {
  return std::make_unique<AccessMap>(plots, StepTrace::Space::shared);
}
std::unique_ptr<PlotDrawing> addresses_plot(Plots& plots) {
  return std::make_unique<AccessMap>(plots, StepTrace::Space::global);
}

}  // namespace dojo::gui
