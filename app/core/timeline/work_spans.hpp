#pragma once
// Figures of a run's timeline (RunReport::timeline): how long each engine was busy, and what overlapped.
//
// Example: a copy up from 0 to 80 us and a kernel from 60 to 100 us give up_us 80, kernel_us 40,
// overlap_us 20.
#include <span>
#include <string>
#include <vector>

#include "core/report.hpp"

namespace dojo {

/// Names that span_figure() answers, for gates: "up_us", "down_us", "kernel_us", "busy_us", "overlap_us",
/// "both_ways_us", "kernels_together_us", "copy_gbps", "pinned_bytes", "pageable_bytes", "graph_launches".
std::span<const char* const> span_figures();
/// Microseconds unless the name says otherwise; 0 without a timeline.
double span_figure(const RunReport&, const std::string& name);

/// Is there anything to overlap: a copy over the link, a second stream, or a graph?
bool worth_showing(std::span<const WorkSpan>);

/// One row of a drawing: "Host", "Copy up", "Copy down", "Stream 0", ... with the spans on it, by their
/// start.
struct SpanLane {
  std::string name;
  std::vector<size_t> spans;  ///< indices into the timeline
};
std::vector<SpanLane> lanes(std::span<const WorkSpan>);

/// The timeline in Chrome's trace event format, which Perfetto and chrome://tracing open.
std::string chrome_trace(const RunReport&);

}  // namespace dojo
