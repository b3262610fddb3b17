// Copies beside kernels on the SIMT device: the timeline and the end-to-end time.
#include <algorithm>

#include "core/timeline/work_spans.hpp"
#include "device_fixture.hpp"

#include "../near.hpp"

using namespace dojo;
using dojo::test::Kernels;
using dojo::tolerance::within;
using Kind = WorkSpan::Kind;

namespace {

const char* kSpin = R"(
__global__ void spin(float* x, int n) {
  float v = x[threadIdx.x];
  for (int i = 0; i < n; ++i) v = v * 1.0001f + 1.0f;
  x[threadIdx.x] = v;
}
)";
constexpr uint64_t MiB = 1 << 20;

struct Overlap : Kernels {
  Device& d;
  uint64_t host = 0, page = 0, a, b;
  uint64_t s, t;
  Overlap() : Kernels(kSpin), d(*device), a(buffer(4 * MiB)), b(buffer(4 * MiB)) {
    REQUIRE(d.allocate(&host, 8 * MiB, Owner::pinned, "pinned", {}).ok());
    REQUIRE(d.allocate(&page, 4 * MiB, Owner::host_heap, "page", {}).ok());
    s = d.create_stream(0, true), t = d.create_stream(0, true);
    d.synchronize();
    d.take_launches();
  }
  void up(uint64_t dst, uint64_t stream) { REQUIRE(d.copy(dst, host, 4 * MiB, stream, false).ok()); }
  void down(uint64_t src, uint64_t stream) {
    REQUIRE(d.copy(host + 4 * MiB, src, 4 * MiB, stream, false).ok());
  }
  void work(uint64_t x, uint64_t stream, int n = 40000) {
    LaunchSpec l = spec("spin", {1, 1, 1}, {32, 1, 1}, x, n);
    l.stream = stream;
    REQUIRE(d.launch(l).ok());
  }
  RunReport done() {
    REQUIRE(d.synchronize().ok());
    RunReport r;
    r.end_to_end_us = d.end_to_end_us();
    r.timeline = d.timeline();
    r.launches = d.take_launches();
    return r;
  }
};

const WorkSpan& only(const RunReport& r, Kind k) {
  const auto found = std::find_if(r.timeline.begin(), r.timeline.end(), [&](auto& s) { return s.kind == k; });
  REQUIRE(found != r.timeline.end());
  return *found;
}

}  // namespace

TEST_CASE("an asynchronous copy runs beside a kernel of another stream and behind one of its own") {
  Overlap o;
  o.work(o.a, o.s);
  o.up(o.b, o.t);
  const RunReport beside = o.done();
  CHECK(span_figure(beside, "overlap_us") > 60);
  o.work(o.a, o.s);
  o.up(o.b, o.s);
  const RunReport behind = o.done();
  CHECK(span_figure(behind, "overlap_us") == 0);
  const WorkSpan &k = only(behind, Kind::kernel), &c = only(behind, Kind::up);
  CHECK(c.start_us >= k.end_us);
  CHECK(c.bytes == 4 * MiB);
  CHECK(c.pinned);
  CHECK(c.stream == k.stream);
  CHECK(k.launch == 0);
  CHECK(k.end_us - k.start_us == within(behind.launches[0].time_us));
  CHECK(behind.end_to_end_us > beside.end_to_end_us + 60);
  // 4 MiB at 55.1 GB/s, and what each copy takes beside its bytes.
  CHECK(c.end_us - c.start_us == within(4.0 * MiB / 55.1e3 + 2.5, 1e-6));
}

TEST_CASE("copies up and down overlap, each slower than alone; two up take turns") {
  Overlap o;
  o.up(o.a, o.s), o.down(o.b, o.t);
  const RunReport both = o.done();
  o.up(o.a, o.s), o.up(o.b, o.t);
  const RunReport turns = o.done();
  CHECK(span_figure(both, "both_ways_us") > 0.9 * span_figure(both, "up_us"));
  CHECK(span_figure(both, "up_us") == within(4.0 * MiB / 55.1e3 / 0.88 + 2.5, 0.02));
  CHECK(span_figure(turns, "both_ways_us") == 0);
  CHECK(span_figure(turns, "up_us") == within(2 * (4.0 * MiB / 55.1e3 + 2.5), 1e-6));
}

TEST_CASE("a copy from pageable memory holds the host, at the pageable rate") {
  Overlap o;
  REQUIRE(o.d.copy(o.a, o.page, 4 * MiB, o.s, false).ok());
  const double held = o.d.end_to_end_us();
  CHECK(held > 4.0 * MiB / 10e3);
  const RunReport r = o.done();
  CHECK_FALSE(only(r, Kind::up).pinned);
  CHECK(span_figure(r, "pageable_bytes") == 4 * MiB);
  o.up(o.a, o.s);
  CHECK(o.d.end_to_end_us() < 5);
  CHECK(span_figure(o.done(), "pinned_bytes") == 4 * MiB);
}

TEST_CASE("waiting for an event or a stream leaves the work of other streams running") {
  Overlap o;
  const uint64_t e = o.d.create_event();
  o.work(o.a, o.s, 4000);
  REQUIRE(o.d.record_event(e, o.s).ok());
  o.work(o.b, o.t, 400000);
  REQUIRE(o.d.synchronize_event(e).ok());
  const double at_event = o.d.end_to_end_us();
  const RunReport r = o.done();
  CHECK(at_event < 0.2 * r.end_to_end_us);
  CHECK(span_figure(r, "kernels_together_us") > 0);
}

TEST_CASE("a stream that waits for another's event starts its copy behind that stream's kernel") {
  Overlap o;
  const uint64_t e = o.d.create_event();
  o.work(o.a, o.s);
  REQUIRE(o.d.record_event(e, o.s).ok());
  REQUIRE(o.d.wait_event(o.t, e).ok());
  o.down(o.a, o.t);
  const RunReport r = o.done();
  CHECK(only(r, Kind::down).start_us >= only(r, Kind::kernel).end_us);
}

TEST_CASE("kernels that come of a graph cost the host one launch") {
  Overlap o;
  for (int i = 0; i < 50; ++i) o.work(o.a, o.s, 100);
  const RunReport stream = o.done();
  o.d.note_graph(50);
  const double made = o.d.end_to_end_us();
  CHECK(made > 20);
  o.d.begin_graph(50, true);
  for (int i = 0; i < 50; ++i) o.work(o.a, o.s, 100);
  o.d.end_graph();
  o.done();
  o.d.begin_graph(50, false);
  for (int i = 0; i < 50; ++i) o.work(o.a, o.s, 100);
  o.d.end_graph();
  const RunReport graph = o.done();
  CHECK(graph.end_to_end_us < 0.75 * stream.end_to_end_us);
  CHECK(span_figure(graph, "graph_launches") == 1);
  CHECK(only(graph, Kind::kernel).graph);
  CHECK(worth_showing(graph.timeline));
  CHECK_FALSE(worth_showing(stream.timeline));
}

TEST_CASE("a run that broke off has the spans of what ended") {
  Overlap o;
  o.up(o.a, o.s);
  CHECK(o.d.timeline().size() == 1);  // the host's part; the copy has not ended
  CHECK(o.done().timeline.size() == 3);
}
