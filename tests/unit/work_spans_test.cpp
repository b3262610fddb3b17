#include "core/timeline/work_spans.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

using namespace dojo;
using Kind = WorkSpan::Kind;

namespace {
WorkSpan span(Kind k, double from, double to, int stream = 0, double bytes = 0, bool pinned = true) {
  WorkSpan s;
  s.kind = k, s.label = k == Kind::kernel ? "work" : "copy", s.stream = stream;
  s.start_us = from, s.end_us = to, s.bytes = bytes, s.pinned = pinned;
  return s;
}
RunReport timeline_of(std::vector<WorkSpan> all) {
  RunReport r;
  r.timeline = std::move(all);
  return r;
}
}  // namespace

TEST_CASE("figures of a timeline: busy engines, and what overlaps") {
  const RunReport r = timeline_of({span(Kind::up, 0, 80, 1, 4e6), span(Kind::kernel, 60, 100, 2),
                                   span(Kind::kernel, 90, 120, 1), span(Kind::down, 70, 90, 2, 1e6, false),
                                   span(Kind::host, 0, 500)});
  CHECK(span_figure(r, "up_us") == 80);
  CHECK(span_figure(r, "down_us") == 20);
  CHECK(span_figure(r, "kernel_us") == 60);
  CHECK(span_figure(r, "busy_us") == 120);
  CHECK(span_figure(r, "overlap_us") == 30);  // 60 to 90
  CHECK(span_figure(r, "both_ways_us") == 10);
  CHECK(span_figure(r, "kernels_together_us") == 10);
  CHECK(span_figure(r, "copy_gbps") == 50);
  CHECK(span_figure(r, "pinned_bytes") == 4e6);
  CHECK(span_figure(r, "pageable_bytes") == 1e6);
  CHECK(span_figure(r, "no such figure") == 0);
  for (const char* name : span_figures()) CHECK(span_figure({}, name) == 0);
}

TEST_CASE("a timeline is worth showing with a copy over the link or a second stream") {
  CHECK_FALSE(worth_showing(timeline_of({}).timeline));
  CHECK_FALSE(worth_showing(
      timeline_of({span(Kind::kernel, 0, 1), span(Kind::host, 0, 9), span(Kind::inside, 1, 2)}).timeline));
  CHECK(worth_showing(timeline_of({span(Kind::kernel, 0, 1), span(Kind::kernel, 0, 1, 3)}).timeline));
  CHECK(worth_showing(timeline_of({span(Kind::down, 0, 1)}).timeline));
}

TEST_CASE("lanes: the host, a copy lane per direction, a lane per stream, each by start") {
  const RunReport r =
      timeline_of({span(Kind::kernel, 5, 6, 2), span(Kind::down, 7, 8, 2), span(Kind::kernel, 1, 2, 2),
                   span(Kind::up, 0, 1, 1), span(Kind::host, 0, 1)});
  const auto all = lanes(r.timeline);
  REQUIRE(all.size() == 4);
  CHECK(all[0].name == "Host");
  CHECK(all[1].name == "Copy up");
  CHECK(all[2].name == "Copy down");
  CHECK(all[3].name == "Stream 2");
  CHECK(all[3].spans == std::vector<size_t>{2, 0});
}

TEST_CASE("the timeline in Chrome's format names its lanes and keeps times in microseconds") {
  const auto j = nlohmann::json::parse(chrome_trace(timeline_of({span(Kind::up, 2.5, 10, 1, 64, false)})));
  const auto& events = j.at("traceEvents");
  REQUIRE(events.size() == 2);
  CHECK(events[0].at("args").at("name") == "Copy up");
  CHECK(events[1].at("ph") == "X");
  CHECK(events[1].at("ts") == 2.5);
  CHECK(events[1].at("dur") == 7.5);
  CHECK(events[1].at("args").at("memory") == "pageable");
}

TEST_CASE("a report keeps its timeline in JSON") {
  Report report;
  report.runs.push_back(timeline_of({span(Kind::up, 0, 1, 3, 128, false), span(Kind::kernel, 1, 2)}));
  report.runs[0].timeline[1].graph = true;
  report.runs[0].timeline[1].launch = 4;
  const Report back = report_from_json(to_json(report));
  REQUIRE(back.runs[0].timeline.size() == 2);
  const WorkSpan &a = back.runs[0].timeline[0], &b = back.runs[0].timeline[1];
  CHECK(a.kind == Kind::up);
  CHECK(a.stream == 3);
  CHECK(a.bytes == 128);
  CHECK_FALSE(a.pinned);
  CHECK(b.graph);
  CHECK(b.launch == 4);
  CHECK(to_json(report).find("timeline") != std::string::npos);
  CHECK(to_json(Report{}).find("timeline") == std::string::npos);
}
