// The run on the host's clock: host, copies by direction, and streams. Student above, reference below.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/timeline/work_spans.hpp"
#include "gui/look.hpp"
#include "gui/model/plots/no_figures.hpp"
#include "gui/panels/plots/alternate.hpp"
#include "gui/panels/plots/drawing.hpp"
#include "gui/panels/widgets.hpp"

namespace dojo::gui {

namespace {

using Kind = WorkSpan::Kind;

const char* kind_name(Kind k) {
  switch (k) {
    case Kind::host:
      return "Host";
    case Kind::up:
      return "Copy up";
    case Kind::down:
      return "Copy down";
    case Kind::inside:
      return "Fill, copy on the device";
    case Kind::kernel:
      return "Kernel";
  }
  return "";
}

ImU32 kind_colour(Kind k) {
  auto& t = theme();
  switch (k) {
    case Kind::host:
      return t.faint;
    case Kind::up:
      return t.data[1];
    case Kind::down:
      return t.data[2];
    case Kind::inside:
      return t.data[3];
    case Kind::kernel:
      return t.data[0];
  }
  return t.text;
}

std::vector<std::string> span_words(const WorkSpan& s, const ReportDevice& device) {
  std::vector<std::string> out{s.kind == Kind::host ? "Host: " + s.label : s.label};
  out.push_back(fmt::format("{} to {} ({})", time_on(device, s.start_us), time_on(device, s.end_us),
                            time_on(device, s.end_us - s.start_us)));
  const double us = s.end_us - s.start_us;
  if (s.kind == Kind::up || s.kind == Kind::down)
    out.push_back(bytes_text(s.bytes) + (s.pinned ? ", pinned" : ", pageable") +
                  (in_units(device) || !(us > 0) ? "" : fmt::format(", {:.1f} GB/s", s.bytes / us * 1e-3)));
  if (s.kind != Kind::host)
    out.push_back(fmt::format("stream {}{}", s.stream, s.graph ? ", of a graph" : ""));
  return out;
}

/// Bars of one lane between y0 and y1, at whole pixels: a filled rectangle that covers no pixel's centre
/// draws nothing. Spans too short to be told apart become one bar; those of a pixel stand above their
/// neighbours.
void draw_lane(const std::vector<WorkSpan>& all, const SpanLane& lane, const PlotArea& a, float y0, float y1,
               const std::function<bool(Kind)>& hidden) {
  struct Bar {
    float l, r;
    ImU32 colour;
  };
  std::vector<Bar> short_bars;
  float right[5] = {-1e9f, -1e9f, -1e9f, -1e9f, -1e9f};  // by kind: right end of what is drawn
  size_t nth = 0;
  for (size_t i : lane.spans) {
    const WorkSpan& s = all[i];
    if (hidden(s.kind)) continue;
    const float from = std::max(a.min.x, a.x(s.start_us)), end = std::min(a.max.x, a.x(s.end_us));
    float& drawn = right[size_t(s.kind)];
    ++nth;
    if (end < a.min.x || from > a.max.x || end <= drawn) continue;
    const float l = std::min(std::floor(from + 0.5f), std::floor(a.max.x) - 1),
                r = std::max(std::floor(end + 0.5f), l + 1);
    if (r <= drawn) continue;
    const ImU32 c = nth % 2 ? kind_colour(s.kind) : alternate(kind_colour(s.kind));
    const Bar bar{std::max(l, drawn), r, c};
    drawn = r;
    if (r - l <= 1) {
      short_bars.push_back(bar);
      continue;
    }
    a.draw->AddRectFilled({bar.l, y0}, {r, y1}, c);
    const float w = text_size(fonts().small, s.label).x;
    if (r - l > w + px(8) && y1 - y0 > fonts().small->FontSize)
      text_at(a.draw, fonts().small, {(l + r - w) / 2, (y0 + y1 - fonts().small->FontSize) / 2}, text_on(c),
              s.label);
  }
  for (auto& bar : short_bars) a.draw->AddRectFilled({bar.l, y0}, {bar.r, y1}, bar.colour);
}

/// One run's rows: the host, the copies, its streams.
struct Half {
  const RunReport* run;
  Series series;
  std::string who;
  std::vector<SpanLane> rows;
  bool folded = false;  ///< its words alone: there is no room for rows that can be read
};

/// Rows of two runs that would be too low for their names: then the reference is folded, and yours have the
/// room. Returns the number of rows that are drawn.
float fold_low_rows(std::vector<Half>& halves, float height) {
  const auto drawn = [&] {
    float rows = 0;
    for (auto& h : halves) rows += h.folded ? 0 : float(h.rows.size());
    return rows;
  };
  const float least = std::ceil(fonts().small->FontSize * 0.8f);
  if (halves.size() == 2 && height / drawn() < least) halves[1].folded = true;
  return drawn();
}

/// The run's length and overlap in one line of at most `width` pixels.
std::string streams_words(const Half& h, const ReportDevice& device, float width) {
  const auto fits = [&](const std::string& s) { return text_size(fonts().small, s).x <= width; };
  const std::string whole = fmt::format("{}: {} end to end", h.who, time_on(device, h.run->end_to_end_us));
  // Kernels count as one engine beside the copies; without copies, what overlaps are kernels.
  const bool copies = span_figure(*h.run, "up_us") + span_figure(*h.run, "down_us") > 0;
  const double busy = span_figure(*h.run, "busy_us"),
               both = span_figure(*h.run, copies ? "overlap_us" : "kernels_together_us");
  const std::string says =
      whole + fmt::format("; {} {}, of which {} overlap", copies ? "copies and kernels" : "kernels",
                          time_on(device, busy), time_on(device, both));
  const std::string brief = whole + ", " + time_on(device, both) + " overlapped";
  if (h.folded) return folded_streams_words(whole, time_on(device, both), width);
  return fits(says) ? says : brief;
}

/// Draws a run's words at y and its rows below them. Returns what the mouse is on.
std::vector<std::string> draw_half(const Half& h, const PlotArea& a, float y, float label, float row,
                                   const ReportDevice& device, const std::function<bool(Kind)>& hidden) {
  auto& t = theme();
  ImFont* font = fonts().small;
  const float y0 = y + label;
  const size_t count = h.folded ? 0 : h.rows.size();
  for (size_t k = 0; k < count; ++k) {
    const float top = y0 + row * float(k), bottom = top + row - std::min(px(3), row * 0.2f);
    a.draw->AddRectFilled({a.min.x, top}, {a.max.x, bottom}, fade(t.panel, 0.5f));
    draw_lane(h.run->timeline, h.rows[k], a, top, bottom, hidden);
  }
  a.draw->PopClipRect();
  const float mark = px(8), mark_y = y + px(1) + (font->FontSize - mark) / 2, says_x = a.frame_min.x + px(14);
  // No line of the grid crosses the words.
  a.draw->AddRectFilled({a.frame_min.x, y}, {a.max.x + px(1), y0}, t.panel);
  a.draw->AddRectFilled({a.frame_min.x, mark_y}, {a.frame_min.x + mark, mark_y + mark}, t.of(h.series),
                        px(2));
  text_at(a.draw, font, {says_x, y + px(1)}, t.muted, streams_words(h, device, a.max.x - says_x),
          a.max.x - says_x);
  // Low rows are named at a distance that letters need.
  const size_t every = std::max<size_t>(1, size_t(std::ceil(font->FontSize * 0.8f / row)));
  for (size_t k = 0; k < count; k += every)
    text_at(a.draw, font,
            {a.min.x - px(6) - text_size(font, h.rows[k].name).x,
             y0 + row * (float(k) + 0.5f) - font->FontSize / 2},
            t.faint, h.rows[k].name);
  a.draw->PushClipRect(a.min, a.max, true);
  if (!a.hovered || a.mouse.y < y0 || a.mouse.y >= y0 + row * float(count)) return {};
  const size_t k = std::min(size_t((a.mouse.y - y0) / row), count - 1);
  const double us = a.at_x(a.mouse.x);
  std::vector<std::string> hover = {h.rows[k].name + ": idle", time_on(device, us)};
  for (size_t n : h.rows[k].spans) {
    const WorkSpan& s = h.run->timeline[n];
    if (us >= s.start_us && us <= s.end_us && !hidden(s.kind)) hover = span_words(s, device);
  }
  return hover;
}

}  // namespace

std::string folded_streams_words(const std::string& whole, const std::string& overlapped, float width) {
  const std::string brief = whole + ", " + overlapped + " overlapped";
  for (const std::string& words : {brief + " (F6 shows its rows)", brief + " (F6: its rows)"})
    if (text_size(fonts().small, words).x <= width) return words;
  return whole + " (F6: its rows)";
}

namespace {
class StreamsPlot : public PlotDrawing {
 public:
  using PlotDrawing::PlotDrawing;
  void draw(ImVec2) override;
  Table table() override { return streams_table(report_for("streams")); }
};

void StreamsPlot::draw(ImVec2 size) {
  auto& t = theme();
  auto* v = s_.view();
  const ReportDevice& device = v->report.device;
  auto& f = frame("streams");
  std::vector<Half> halves;
  std::vector<LegendItem> legend;
  const auto add = [&](const RunReport* r, Series series) {
    if (!r || r->timeline.empty()) return;
    legend.push_back(entry(series));
    if (!hidden(series)) halves.push_back({r, series, side(series), lanes(r->timeline)});
  };
  if (v->has_report)
    add(student_run(v->report), Series::student), add(reference_run(v->report), Series::reference);
  double end = 0;
  bool there[5] = {};
  for (auto& h : halves)
    for (auto& s : h.run->timeline) end = std::max(end, s.end_us), there[size_t(s.kind)] = true;
  const auto kind_key = [](Kind k) { return std::string("work_") + to_string(k); };
  const auto kind_hidden = [&](Kind k) { return hidden(kind_key(k)); };
  for (Kind k : {Kind::host, Kind::up, Kind::down, Kind::kernel, Kind::inside})
    if (there[size_t(k)]) legend.push_back(entry(kind_key(k), kind_name(k), kind_colour(k)));
  f.view.keep_y = true;
  f.view.min_span = 1e-3;
  f.view.set_home({0, end > 0 ? end * 1.02 : 1, false}, {0, 1, false});
  PlotSpec spec;
  auto& info = plot_info("streams");
  spec.title = info.says;
  spec.note = info.note;
  spec.x_label = halves.empty() ? "" : time_unit(device);
  spec.y_ticks = false;
  spec.x_ticks = !halves.empty();
  spec.left = px(76);
  spec.legend = &legend;
  const float label = fonts().small->FontSize + px(8), between = px(8);
  float rows = 0;
  for (auto& h : halves) rows += float(h.rows.size());
  const float words = (label + between) * float(halves.size());
  // The axis belongs right under the rows.
  if (rows > 0 && !f.note) size.y = std::min(size.y, px(84) + words + px(64) * rows);
  PlotArea a;
  if (!plot_begin("streams", size, spec, a)) return;
  std::vector<std::string> hover;
  if (halves.empty()) {
    a.draw->PopClipRect();
    text_wrapped_at(a.draw, fonts().ui, {a.min.x - spec.left, a.min.y + px(8)}, t.muted,
                    no_figures(*v, is_yours(), "its copies and streams",
                               "This run copies nothing and uses one stream: there is nothing to overlap."),
                    size.x);
    a.draw->PushClipRect(a.min, a.max, true);
  }
  if (rows > 0) rows = fold_low_rows(halves, a.height() - words);
  const float row = rows > 0 ? std::min(px(64), (a.height() - words) / rows) : 0;
  float y = a.min.y;
  for (auto& h : halves) {
    const float height = h.folded ? 0 : row * float(h.rows.size());
    if (!h.folded && height < 8) continue;
    if (auto over = draw_half(h, a, y, label, row, device, kind_hidden); !over.empty()) hover = over;
    window_.layout.push_back(
        {h.folded ? "streams folded" : "streams rows", {a.min.x, y + label, a.max.x, y + label + height}});
    y += label + height + between;
  }
  if (a.hovered && !halves.empty() && !f.boxing) {
    a.draw->AddLine({a.mouse.x, a.min.y}, {a.mouse.x, a.max.y}, fade(t.text, 0.35f));
    if (hover.empty()) hover = {time_on(device, a.at_x(a.mouse.x))};
  }
  plot_end(a, hover);
}
}  // namespace

std::unique_ptr<PlotDrawing> streams_plot(Plots& plots) { return std::make_unique<StreamsPlot>(plots); }

}  // namespace dojo::gui
