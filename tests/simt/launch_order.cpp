// What orders launches is what the program says: streams and events, not the order in which the machine runs
// them.
#include "simt/machine/launch_order.hpp"

#include "device_fixture.hpp"

using namespace dojo;
using dojo::simt::LaunchNode;
using dojo::simt::LaunchOrder;
using dojo::test::Kernels;

namespace {

LaunchNode node(std::vector<uint32_t> after, std::vector<uint32_t> after_start = {}) {
  LaunchNode n;
  n.after = std::move(after);
  n.after_start = std::move(after_start);
  return n;
}

const char* kKernels = R"(
__global__ void nothing(int* z) { z[blockIdx.x * blockDim.x + threadIdx.x] += 1; }
__global__ void make(int* x) { x[blockIdx.x * blockDim.x + threadIdx.x] = 7; }
__global__ void use(const int* x, int* y) { int i = blockIdx.x * blockDim.x + threadIdx.x; y[i] = x[i]; }
__global__ void make_and_post(int* x, int* flag) {
  x[threadIdx.x] = 7;
  __syncthreads();
  if (threadIdx.x == 0) { __threadfence(); atomicExch(flag, 1); }
}
__global__ void started(int* word) { if (threadIdx.x == 0) atomicExch(word, 1); }
__global__ void wait_for(int* flag) { while (atomicAdd(flag, 0) == 0) {} }
__global__ void wait_and_use(int* flag, const int* x, int* y) {
  if (threadIdx.x == 0) while (atomicAdd(flag, 0) == 0) {}
  __syncthreads();
  __threadfence();
  y[threadIdx.x] = x[threadIdx.x];
}
)";

struct TwoStreams : Kernels {
  uint64_t a, b;
  TwoStreams() : Kernels(kKernels), a(device->create_stream(0, true)), b(device->create_stream(0, true)) {}
  uint64_t words(int n) { return buffer_of(std::vector<int>(size_t(n), 0)); }
  template <class... Args>
  void launch(uint64_t stream, const char* kernel, unsigned blocks, unsigned threads, Args... args) {
    LaunchSpec s = spec(kernel, {blocks, 1, 1}, {threads, 1, 1}, args...);
    s.stream = stream;
    REQUIRE(device->launch(s).ok());
  }
  /// Kinds of the findings of all that was launched.
  std::vector<std::string> findings() {
    std::vector<std::string> kinds;
    try {
      (void)device->synchronize();
    } catch (const RunStopped& e) {
      kinds.push_back(to_string(e.why.kind));
    }
    for (const Diagnostic& d : device->take_findings()) kinds.push_back(to_string(d.kind));
    return kinds;
  }
};

}  // namespace

TEST_CASE("launch order: streams, events and programmatic dependence") {
  const std::vector<LaunchNode> line{node({}), node({0}), node({1})};
  const auto all_early = [](uint32_t) { return true; };
  CHECK(LaunchOrder(line, all_early).chain());
  CHECK(LaunchOrder(line, all_early).before(0, 2));
  // 0 and 2 in one stream, 1 and 3 in another, 4 behind both; 5 programmatically behind 4, and 6 behind 5.
  const std::vector<LaunchNode> two{node({}),     node({}),      node({0}), node({1}),
                                    node({2, 3}), node({}, {4}), node({5})};
  const LaunchOrder o(two, all_early);
  CHECK_FALSE(o.chain());
  CHECK(o.before(0, 2));
  CHECK_FALSE(o.before(1, 2));
  CHECK_FALSE(o.before(0, 3));
  for (uint32_t i = 0; i < 4; ++i) CHECK(o.before(i, 4));
  CHECK(o.before(3, 5));
  CHECK_FALSE(o.before(4, 5));
  CHECK(o.before(4, 5, true));
  CHECK(o.before(4, 6));
  CHECK_FALSE(o.before(6, 4));
  // Launch 4 lets nothing start early: 5 needs no wait.
  const LaunchOrder late(two, [](uint32_t launch) { return launch != 4; });
  CHECK(late.before(4, 5));
  CHECK(late.before(3, 5));
}

TEST_CASE("launch order: a race with a kernel that ran earlier in another stream is found") {
  for (const unsigned blocks : {1u, 300u}) {  // of one host thread and of several
    CAPTURE(blocks);
    const int n = int(blocks) * 64;
    TwoStreams k;
    const uint64_t x = k.words(n), y = k.words(n), z = k.words(n);
    k.launch(k.a, "nothing", blocks, 64, z);
    k.launch(k.b, "make", blocks, 64, x);
    k.launch(k.a, "use", blocks, 64, x, y);
    CHECK(k.findings() == std::vector<std::string>{"race"});
    // Ordered by an event: nothing.
    k.launch(k.a, "nothing", blocks, 64, z);
    k.launch(k.b, "make", blocks, 64, x);
    const uint64_t e = k.device->create_event();
    REQUIRE(k.device->record_event(e, k.b).ok());
    REQUIRE(k.device->wait_event(k.a, e).ok());
    k.launch(k.a, "use", blocks, 64, x, y);
    CHECK(k.findings().empty());
  }
}

TEST_CASE("launch order: a read that a later kernel of another stream overwrites is a race") {
  TwoStreams k;
  const uint64_t x = k.words(64), y = k.words(64), z = k.words(64);
  k.launch(k.a, "nothing", 1, 64, z);
  k.launch(k.b, "use", 1, 64, x, y);
  k.launch(k.a, "make", 1, 64, x);
  CHECK(k.findings() == std::vector<std::string>{"race"});
}

// A consumer behind a kernel that waits until its producer has *started* passed for ordered: the two ran one
// after the other.
TEST_CASE("launch order: behind a wait kernel the flags still have to order what is read") {
  for (const bool waits : {true, false}) {
    CAPTURE(waits);
    TwoStreams k;
    const uint64_t x = k.words(64), y = k.words(64), flag = k.words(1), begun = k.words(1);
    k.launch(k.a, "started", 1, 32, begun);
    k.launch(k.a, "make_and_post", 1, 64, x, flag);
    k.launch(k.b, "wait_for", 1, 1, begun);
    if (waits)
      k.launch(k.b, "wait_and_use", 1, 64, flag, x, y);
    else
      k.launch(k.b, "use", 1, 64, x, y);
    CHECK(k.findings() == (waits ? std::vector<std::string>{} : std::vector<std::string>{"race"}));
  }
}

TEST_CASE("launch order: who waits for a kernel that is second in its stream is no deadlock") {
  TwoStreams k;
  const uint64_t z = k.words(64), flag = k.words(1);
  k.launch(k.a, "wait_for", 1, 1, flag);
  k.launch(k.b, "nothing", 1, 64, z);
  k.launch(k.b, "nothing", 1, 64, z);
  k.launch(k.b, "started", 1, 32, flag);
  CHECK(k.findings().empty());
  // Behind itself it is one.
  TwoStreams same;
  const uint64_t word = same.words(1);
  same.launch(same.a, "wait_for", 1, 1, word);
  same.launch(same.a, "started", 1, 32, word);
  CHECK(same.findings() == std::vector<std::string>{"deadlock"});
}
