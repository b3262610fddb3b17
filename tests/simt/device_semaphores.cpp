#include "../near.hpp"
#include "device_fixture.hpp"
#include "microbench.hpp"

#include <cmath>

using namespace dojo;
using dojo::test::Kernels;

namespace {

struct Pair {
  Kernels k;
  uint64_t x, y, rows, a, b;
  explicit Pair(const char* device) : k(dojo::test::kernel_source("tiles.cu"), device) {
    k.control.blocks = true;
    k.device->set_control(k.control);
    x = k.buffer_of(std::vector<float>(256, 1.0f));
    y = k.buffer_of(std::vector<float>(256, 1.0f));
    rows = k.buffer_of(std::vector<unsigned>(8, 0u));
    a = k.device->create_stream(0, true);
    b = k.device->create_stream(0, true);
  }
  std::vector<LaunchReport> run(bool together, bool consumer_first = false) {
    const int n = 2000;
    LaunchSpec p = k.spec("produce", {6, 1, 1}, {32, 1, 1}, x, rows, n);
    LaunchSpec c = k.spec("consume", {6, 1, 1}, {32, 1, 1}, y, x, rows, n, together ? 1 : 0);
    p.stream = a;
    c.stream = together ? b : a;
    if (consumer_first) REQUIRE(k.device->launch(c).ok());
    REQUIRE(k.device->launch(p).ok());
    if (!consumer_first) REQUIRE(k.device->launch(c).ok());
    k.device->synchronize();
    return k.device->take_launches();
  }
};

}  // namespace

TEST_CASE("row semaphores turn four waves into three on a GPU of four SMs") {
  Pair plain("simt:toy4"), coupled("simt:toy4");
  const auto s = plain.run(false), t = coupled.run(true);
  const double unit = s[0].time_us / 2;
  const double in_order = s[1].start_us + s[1].time_us;
  const double together = std::max(t[0].start_us + t[0].time_us, t[1].start_us + t[1].time_us);
  CHECK(in_order == dojo::tolerance::within(4 * unit, 0.02));
  CHECK(together == dojo::tolerance::within(3 * unit, 0.02));
}

TEST_CASE("a block that waits holds its SM and shows when it waited") {
  // Eight SMs: all six producers and two consumers start together; those two wait a whole unit.
  Pair pair("simt:toy8");
  const auto t = pair.run(true);
  const double unit = t[0].time_us;
  const auto& blocks = t[1].blocks;
  REQUIRE(blocks.size() == 6);
  REQUIRE(blocks[0].waiting.size() == 1);
  CHECK(blocks[0].start_us == dojo::tolerance::near(0));
  CHECK(blocks[0].waiting[0][1] - blocks[0].waiting[0][0] == dojo::tolerance::within(unit, 0.05));
  CHECK(blocks[5].waiting.empty());
  CHECK(t[1].start_us + t[1].time_us == dojo::tolerance::within(2 * unit, 0.05));
}

TEST_CASE("consumers that take every SM before their producers deadlock, and the finding says so") {
  Pair pair("simt:toy4");
  try {
    pair.run(true, true);
    FAIL("no deadlock");
  } catch (const RunStopped& stop) {
    CHECK(stop.status == Status::finding);
    CHECK(stop.why.kind == FindingKind::deadlock);
    CHECK(stop.why.where.line > 0);
    CHECK(stop.why.message.starts_with("Deadlock: thread 0 of block 0 waits for "));
  }
}

TEST_CASE(
    "a launch behind a wait kernel starts when that one ends, beside the producer, and waits for its tiles") {
  Pair p("simt:toy8");
  const int n = 2000;
  LaunchSpec produce = p.k.spec("produce_and_say", {6, 1, 1}, {32, 1, 1}, p.x, p.rows, n);
  LaunchSpec wait = p.k.spec("wait_for_start", {1, 1, 1}, {32, 1, 1}, p.rows);
  LaunchSpec consume = p.k.spec("consume", {6, 1, 1}, {32, 1, 1}, p.y, p.x, p.rows, n, 1);
  produce.stream = p.a;
  wait.stream = consume.stream = p.b;
  for (const LaunchSpec* l : {&produce, &wait, &consume}) REQUIRE(p.k.device->launch(*l).ok());
  p.k.device->synchronize();
  const auto t = p.k.device->take_launches();
  REQUIRE(t.size() == 3);
  const double unit = t[0].time_us;
  CHECK(t[2].start_us < 0.1 * unit);
  REQUIRE(t[2].blocks.size() == 6);
  REQUIRE(t[2].blocks[0].waiting.size() == 1);
  CHECK(t[2].blocks[0].waiting[0][1] == dojo::tolerance::within(unit, 0.05));
  CHECK(t[2].start_us + t[2].time_us == dojo::tolerance::within(2 * unit, 0.05));
}

TEST_CASE("a programmatic launch starts when its predecessor lets it, and waits where it asks to") {
  Kernels k(R"(
__global__ void first(float* x, int n) {
  asm volatile("griddepcontrol.launch_dependents;");
  float v = x[threadIdx.x];
  for (int i = 0; i < n; ++i) v = v * 1.001f + 1.0f;
  x[threadIdx.x] = v;
}
__global__ void second(float* y, const float* x, int n) {
  float v = y[threadIdx.x];
  for (int i = 0; i < n; ++i) v = v * 1.001f + 1.0f;
  asm volatile("griddepcontrol.wait;" ::: "memory");
  y[threadIdx.x] = v + x[threadIdx.x];
}
)");
  const uint64_t x = k.buffer_of(std::vector<float>(32, 1.0f)), y = k.buffer_of(std::vector<float>(32, 1.0f));
  double end[2];
  for (int programmatic = 0; programmatic < 2; ++programmatic) {
    LaunchSpec a = k.spec("first", {1, 1, 1}, {32, 1, 1}, x, 4000),
               b = k.spec("second", {1, 1, 1}, {32, 1, 1}, y, x, 4000);
    b.programmatic = programmatic == 1;
    REQUIRE(k.device->launch(a).ok());
    REQUIRE(k.device->launch(b).ok());
    REQUIRE(k.device->synchronize().ok());
    const auto r = k.device->take_launches();
    end[programmatic] = r[1].start_us + r[1].time_us;
    if (programmatic)
      CHECK(r[1].start_us < r[0].start_us + r[0].time_us);
    else
      CHECK(r[1].start_us >= r[0].start_us + r[0].time_us);
  }
  CHECK(end[1] < 0.7 * end[0]);
}

TEST_CASE("a programmatic launch needs no wait behind a kernel that lets no launch start early") {
  Kernels k(R"(
__global__ void quiet(int* x) { x[threadIdx.x] = 1; }
__global__ void early(int* x) {
  asm volatile("griddepcontrol.launch_dependents;");
  x[threadIdx.x] = 1;
}
__global__ void reader(int* y, const int* x) { y[threadIdx.x] = x[31 - threadIdx.x]; }
)");
  const uint64_t x = k.buffer(32 * 4), y = k.buffer(32 * 4);
  for (const std::string first : {"quiet", "early"}) {
    CAPTURE(first);
    LaunchSpec reader = k.spec("reader", {1, 1, 1}, {32, 1, 1}, y, x);
    reader.programmatic = true;
    REQUIRE(k.device->launch(k.spec(first, {1, 1, 1}, {32, 1, 1}, x)).ok());
    REQUIRE(k.device->launch(reader).ok());
    REQUIRE(k.device->synchronize().ok());
    const auto findings = k.device->take_findings();
    CHECK(findings.size() == (first == "early" ? 1 : 0));
    for (const Diagnostic& d : findings) CHECK(d.kind == FindingKind::race);
  }
}

TEST_CASE("at a barrier of all blocks each waits for the last arrival of its own round") {
  // In the functional run a block arrives at the next barrier before others have left this one. If they
  // waited for that arrival, 64 blocks would leave one after another: 80 us per barrier.
  Kernels k(dojo::test::kernel_source("barriers.cu"), "simt:h100");
  const auto time_us = [&](int rounds) {
    const uint64_t arrived = k.buffer_of(std::vector<unsigned>(1, 0u));
    return k.run(k.spec("barriers", {64, 1, 1}, {128, 1, 1}, arrived, rounds)).time_us;
  };
  const double one = time_us(1), two = time_us(2), four = time_us(4);
  CHECK(two - one > 0.5);
  CHECK(two - one < 4);
  CHECK((four - two) / 2 == dojo::tolerance::within(two - one, 0.3));
}

TEST_CASE("blocks that take tickets from a counter share the work") {
  // One after another, the first block would take all tickets, and the modelled time would be one block's.
  Kernels k(dojo::test::kernel_source("tickets.cu"), "simt:h100");
  const unsigned count = 800, blocks = 40;
  const uint64_t next = k.buffer_of(std::vector<unsigned>(1, 0u));
  const uint64_t taken_by = k.buffer_of(std::vector<unsigned>(count, 0u));
  k.run(k.spec("tickets", {blocks, 1, 1}, {64, 1, 1}, next, taken_by, count));
  std::vector<unsigned> tickets(blocks, 0);
  for (unsigned block : k.read<unsigned>(taken_by, count)) ++tickets.at(block);
  for (unsigned n : tickets) CHECK(std::abs(int(n) - int(count / blocks)) <= 2);
}
