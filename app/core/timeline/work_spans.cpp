#include "core/timeline/work_spans.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

namespace dojo {
namespace {

using Kind = WorkSpan::Kind;
using Interval = std::array<double, 2>;

/// Intervals that overlap or touch become one; by their start.
std::vector<Interval> joined(std::vector<Interval> all) {
  std::sort(all.begin(), all.end());
  std::vector<Interval> out;
  for (const Interval& i : all)
    if (!out.empty() && i[0] <= out.back()[1])
      out.back()[1] = std::max(out.back()[1], i[1]);
    else
      out.push_back(i);
  return out;
}

std::vector<Interval> of_kind(const RunReport& run, Kind k) {
  std::vector<Interval> all;
  for (const WorkSpan& s : run.timeline)
    if (s.kind == k && s.end_us > s.start_us) all.push_back({s.start_us, s.end_us});
  return all;
}

double length(const std::vector<Interval>& all) {
  double sum = 0;
  for (const Interval& i : all) sum += i[1] - i[0];
  return sum;
}

/// Time in which at least `count` of the intervals are open.
double covered(const std::vector<Interval>& all, int count) {
  std::vector<std::pair<double, int>> marks;
  for (const Interval& i : all) marks.push_back({i[0], 1}), marks.push_back({i[1], -1});
  std::sort(marks.begin(), marks.end());  // ends before starts at one time
  double sum = 0;
  int open = 0;
  for (size_t i = 0; i < marks.size(); ++i) {
    if (i && open >= count) sum += marks[i].first - marks[i - 1].first;
    open += marks[i].second;
  }
  return sum;
}

/// Busy intervals of the SMs and of each direction, joined within each.
std::vector<Interval> engines(const RunReport& run) {
  std::vector<Interval> all;
  for (Kind k : {Kind::kernel, Kind::up, Kind::down})
    for (const Interval& i : joined(of_kind(run, k))) all.push_back(i);
  return all;
}

double bytes(const RunReport& run, bool pinned) {
  double sum = 0;
  for (const WorkSpan& s : run.timeline)
    if ((s.kind == Kind::up || s.kind == Kind::down) && s.pinned == pinned) sum += s.bytes;
  return sum;
}

struct Figure {
  const char* name;
  double (*of)(const RunReport&);
};
const Figure figures[] = {
    {"up_us", [](const RunReport& r) { return length(joined(of_kind(r, Kind::up))); }},
    {"down_us", [](const RunReport& r) { return length(joined(of_kind(r, Kind::down))); }},
    {"kernel_us", [](const RunReport& r) { return length(joined(of_kind(r, Kind::kernel))); }},
    {"busy_us", [](const RunReport& r) { return covered(engines(r), 1); }},
    {"overlap_us", [](const RunReport& r) { return covered(engines(r), 2); }},
    {"both_ways_us",
     [](const RunReport& r) {
       std::vector<Interval> both = joined(of_kind(r, Kind::up));
       for (const Interval& i : joined(of_kind(r, Kind::down))) both.push_back(i);
       return covered(both, 2);
     }},
    {"kernels_together_us", [](const RunReport& r) { return covered(of_kind(r, Kind::kernel), 2); }},
    {"copy_gbps",
     [](const RunReport& r) {
       const double us = length(of_kind(r, Kind::up)) + length(of_kind(r, Kind::down));
       return us > 0 ? (bytes(r, true) + bytes(r, false)) / us * 1e-3 : 0;
     }},
    {"pinned_bytes", [](const RunReport& r) { return bytes(r, true); }},
    {"pageable_bytes", [](const RunReport& r) { return bytes(r, false); }},
    {"graph_launches",
     [](const RunReport& r) {
       return double(std::count_if(r.timeline.begin(), r.timeline.end(), [](const WorkSpan& s) {
         return s.kind == Kind::host && s.label == "graph launch";
       }));
     }},
};

}  // namespace

std::span<const char* const> span_figures() {
  static const std::vector<const char*> names = [] {
    std::vector<const char*> all;
    for (const Figure& f : figures) all.push_back(f.name);
    return all;
  }();
  return names;
}

double span_figure(const RunReport& run, const std::string& name) {
  for (const Figure& f : figures)
    if (name == f.name) return f.of(run);
  return 0;
}

bool worth_showing(std::span<const WorkSpan> all) {
  int stream = -1;
  for (const WorkSpan& s : all) {
    if (s.kind == Kind::up || s.kind == Kind::down || s.graph) return true;
    if (s.kind == Kind::host) continue;
    if (stream >= 0 && s.stream != stream) return true;
    stream = s.stream;
  }
  return false;
}

std::vector<SpanLane> lanes(std::span<const WorkSpan> all) {
  std::map<int, SpanLane> rows;  // 0 host, 1 up, 2 down, 3 + stream
  for (size_t i = 0; i < all.size(); ++i) {
    const WorkSpan& s = all[i];
    const bool on_stream = s.kind == Kind::kernel || s.kind == Kind::inside;
    const int at = on_stream ? 3 + s.stream : s.kind == Kind::host ? 0 : s.kind == Kind::up ? 1 : 2;
    SpanLane& lane = rows[at];
    if (lane.name.empty())
      lane.name = on_stream ? "Stream " + std::to_string(s.stream)
                  : at == 0 ? "Host"
                  : at == 1 ? "Copy up"
                            : "Copy down";
    lane.spans.push_back(i);
  }
  std::vector<SpanLane> out;
  for (auto& [at, lane] : rows) {
    std::stable_sort(lane.spans.begin(), lane.spans.end(),
                     [&](size_t a, size_t b) { return all[a].start_us < all[b].start_us; });
    out.push_back(std::move(lane));
  }
  return out;
}

std::string chrome_trace(const RunReport& run) {
  using Json = nlohmann::ordered_json;
  Json events = Json::array();
  int row = 0;
  for (const SpanLane& lane : lanes(run.timeline)) {
    events.push_back(
        {{"ph", "M"}, {"name", "thread_name"}, {"pid", 0}, {"tid", row}, {"args", {{"name", lane.name}}}});
    for (size_t i : lane.spans) {
      const WorkSpan& s = run.timeline[i];
      Json e = {{"ph", "X"},  {"name", s.label},  {"cat", to_string(s.kind)},    {"pid", 0},
                {"tid", row}, {"ts", s.start_us}, {"dur", s.end_us - s.start_us}};
      Json& args = e["args"] = Json::object();
      if (s.kind != Kind::host) args["stream"] = s.stream;
      if (s.bytes > 0) args["bytes"] = s.bytes;
      if (s.kind == Kind::up || s.kind == Kind::down) args["memory"] = s.pinned ? "pinned" : "pageable";
      if (s.graph) args["graph"] = true;
      events.push_back(std::move(e));
    }
    ++row;
  }
  return Json{{"displayTimeUnit", "ns"}, {"traceEvents", std::move(events)}}.dump(
             -1, ' ', false, Json::error_handler_t::replace) +
         "\n";
}

}  // namespace dojo
