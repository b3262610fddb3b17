#include "../near.hpp"
#include "device_fixture.hpp"

#include <cmath>
#include <numeric>

using namespace dojo;
using dojo::test::Kernels;

namespace {
const char* kSaxpy = R"(
__global__ void saxpy(float a, const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
)";
}

TEST_CASE("a kernel runs end to end, with its counters and its time") {
  Kernels k(kSaxpy);
  const int n = 100000;
  std::vector<float> x(n), y(n);
  std::iota(x.begin(), x.end(), 0.0f);
  std::iota(y.begin(), y.end(), 1.0f);
  const uint64_t dx = k.buffer_of(x, "x"), dy = k.buffer_of(y, "y");
  k.device->cold_caches();
  LaunchReport r = k.run(k.spec("saxpy", {391, 1, 1}, {256, 1, 1}, 2.0f, dx, dy, n));
  const auto got = k.read<float>(dy, n);
  bool right = true;
  for (int i = 0; i < n; ++i) right = right && got[size_t(i)] == 2 * x[size_t(i)] + y[size_t(i)];
  CHECK(right);
  CHECK(r.kernel == "saxpy");
  auto& c = r.counters;
  CHECK(c["l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"] == 2 * 3125);
  CHECK(c["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"] == 2 * 12500);
  CHECK(c["l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"] == 12500);
  CHECK(c["dojo__lane_bytes_global_op_ld.sum"] == 800000);
  CHECK(c["dram__bytes_read.sum"] == dojo::tolerance::within(800000, 0.001));
  CHECK(c["smsp__inst_executed.sum"] > 3125 * 8);
  CHECK(r.time_us > 1);
  CHECK(r.time_us < 20);
  CHECK(r.waves == dojo::tolerance::within(391.0 / 1056));
  CHECK(k.device->take_findings().empty());
}

TEST_CASE("the same run gives the same report to the bit, whatever the host threads") {
  double time[2], stalls[2];
  for (int t = 0; t < 2; ++t) {
    Kernels k(kSaxpy);
    k.control.threads = t == 0 ? 1 : 4;
    k.device->set_control(k.control);
    const int n = 50000;
    const uint64_t dx = k.buffer_of(std::vector<float>(n, 1.0f)),
                   dy = k.buffer_of(std::vector<float>(n, 2.0f));
    LaunchReport r = k.run(k.spec("saxpy", {196, 1, 1}, {256, 1, 1}, 2.0f, dx, dy, n));
    time[t] = r.time_us;
    stalls[t] = r.counters["smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio"];
  }
  CHECK(time[0] == time[1]);
  CHECK(stalls[0] == stalls[1]);
  CHECK(stalls[0] > 0);
}

TEST_CASE("a launch that a real runtime refuses gets its error number") {
  Kernels k(std::string(kSaxpy) + R"(
__global__ void uses_shared(float* out) {
  extern __shared__ float s[];
  s[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x ^ 1];
}
__global__ void __launch_bounds__(128) bounded(float* out) { out[threadIdx.x] = 1; }
)");
  Device& d = *k.device;
  const uint64_t out = k.buffer(1 << 20);
  const auto code = [&](LaunchSpec s) { return d.launch(s).code; };
  CHECK(code(k.spec("saxpy", {1, 1, 1}, {1025, 1, 1}, 1.0f, out, out, 0)) ==
        cuda_error::invalid_configuration);
  CHECK(code(k.spec("saxpy", {0, 1, 1}, {32, 1, 1}, 1.0f, out, out, 0)) == cuda_error::invalid_configuration);
  CHECK(code(k.spec("saxpy", {1, 1, 1}, {0, 1, 1}, 1.0f, out, out, 0)) == cuda_error::invalid_configuration);
  CHECK(code(k.spec("saxpy", {1, 65536, 1}, {32, 1, 1}, 1.0f, out, out, 0)) ==
        cuda_error::invalid_configuration);
  CHECK(code(k.spec("saxpy", {1, 1, 1}, {1, 1, 65}, 1.0f, out, out, 0)) == cuda_error::invalid_configuration);
  LaunchSpec s = k.spec("uses_shared", {1, 1, 1}, {32, 1, 1}, out);
  s.dynamic_smem = 49153;
  CHECK(code(s) == cuda_error::invalid_value);
  CHECK(d.allow_dynamic_smem(s.kernel, 232449).code == cuda_error::invalid_value);
  CHECK(d.allow_dynamic_smem(s.kernel, 100000).ok());
  CHECK(code(s) == 0);
  CHECK(code(k.spec("bounded", {1, 1, 1}, {256, 1, 1}, out)) == cuda_error::invalid_value);
  s = k.spec("saxpy", {2000, 1, 1}, {256, 1, 1}, 1.0f, out, out, 0);
  s.cooperative = true;
  CHECK(code(s) == cuda_error::cooperative_launch_too_large);
  s.kernel = "nothing";
  CHECK(code(s) == cuda_error::invalid_device_function);
  s = k.spec("saxpy", {1, 1, 1}, {32, 1, 1}, 1.0f, out, out, 0);
  s.stream = 12345;
  CHECK(code(s) == cuda_error::invalid_resource_handle);
}

TEST_CASE("streams run side by side, the default stream in between, and events mark times") {
  Kernels k(R"(
__global__ void spin(float* x, int n) {
  float v = x[threadIdx.x];
  for (int i = 0; i < n; ++i) v = v * 1.0001f + 1.0f;
  x[threadIdx.x] = v;
}
)");
  Device& d = *k.device;
  const uint64_t x = k.buffer_of(std::vector<float>(1024, 1.0f));
  const uint64_t a = d.create_stream(0, false), b = d.create_stream(0, false);
  LaunchSpec s = k.spec("spin", {1, 1, 1}, {128, 1, 1}, x, 4000);
  LaunchSpec t = k.spec("spin", {1, 1, 1}, {128, 1, 1}, x + 1024, 4000);
  const uint64_t e0 = d.create_event(), e1 = d.create_event();
  REQUIRE(d.record_event(e0, a).ok());
  s.stream = a;
  t.stream = b;
  REQUIRE(d.launch(s).ok());
  REQUIRE(d.launch(t).ok());
  REQUIRE(d.record_event(e1, a).ok());
  float ms = 0;
  CHECK(d.elapsed(&ms, e0, e1).code == cuda_error::not_ready);
  REQUIRE(d.synchronize().ok());
  auto r = d.take_launches();
  REQUIRE(r.size() == 2);
  CHECK(r[1].start_us < r[0].start_us + r[0].time_us);  // together
  CHECK(r[0].stream != r[1].stream);
  CHECK(d.elapsed(&ms, e0, e1).ok());
  CHECK(ms * 1e3 >= r[0].time_us);
  // The default stream waits for both, and the next in a stream waits for the default stream.
  LaunchSpec mid = s;
  mid.stream = 0;
  REQUIRE(d.launch(s).ok());
  REQUIRE(d.launch(mid).ok());
  REQUIRE(d.launch(t).ok());
  REQUIRE(d.synchronize().ok());
  r = d.take_launches();
  REQUIRE(r.size() == 3);
  CHECK(r[1].start_us >= r[0].start_us + r[0].time_us);
  CHECK(r[2].start_us >= r[1].start_us + r[1].time_us);
  CHECK(d.device_time().value == 0);
  // The runtime gives cudaStreamPerThread, 2, a stream of its own; the device knows only what it has created.
  CHECK(d.synchronize_stream(2).code == cuda_error::invalid_resource_handle);
  CHECK(d.destroy_stream(1).code == cuda_error::invalid_resource_handle);
  CHECK(d.destroy_stream(a).ok());
  CHECK(d.synchronize_stream(a).code == cuda_error::invalid_resource_handle);
}

TEST_CASE("copies and fills keep the stream's order and cost the host time") {
  Kernels k(kSaxpy);
  Device& d = *k.device;
  const int n = 1 << 20;
  const uint64_t x = k.buffer(4 * n), y = k.buffer(4 * n);
  REQUIRE(d.fill(x, 0, 4 * n, 0, false).ok());
  REQUIRE(d.fill(y, 0, 4 * n, 0, false).ok());
  REQUIRE(d.launch(k.spec("saxpy", {n / 256, 1, 1}, {256, 1, 1}, 1.0f, x, y, n)).ok());
  REQUIRE(d.fill(y, 1, 4, 0, false).ok());  // after the kernel
  REQUIRE(d.synchronize().ok());
  CHECK(k.read<uint32_t>(y, 2) == std::vector<uint32_t>{0x01010101, 0});
  d.take_launches();
  const double before = d.end_to_end_us();
  uint64_t h = 0;
  REQUIRE(d.allocate(&h, 4 * n, Owner::host_heap, "h", {}).ok());
  const double allocated = d.end_to_end_us();
  REQUIRE(d.copy(h, y, 4 * n, 0, true).ok());
  CHECK(allocated > before);
  CHECK(d.end_to_end_us() - allocated > 4e6 / 60e3);  // not faster than PCIe
  CHECK(d.copy(y + 4 * n - 4, x, 8, 0, true).code == cuda_error::invalid_value);
  CHECK(d.release(x + 4, {}).code == cuda_error::invalid_value);
  CHECK(d.release(x, {}).ok());
  CHECK(d.release(x, {}).code == cuda_error::invalid_value);
}

TEST_CASE("a wait costs the host less when all work has ended") {
  Kernels k(kSaxpy);
  Device& d = *k.device;
  const uint64_t x = k.buffer(4096), y = k.buffer(4096);
  REQUIRE(d.synchronize().ok());
  REQUIRE(d.launch(k.spec("saxpy", {4, 1, 1}, {256, 1, 1}, 1.0f, x, y, 1024)).ok());
  const double queued = d.end_to_end_us();
  REQUIRE(d.synchronize().ok());
  const double waited = d.end_to_end_us();
  CHECK(waited - queued > 5);
  REQUIRE(d.synchronize().ok());
  // assets/recordings/h100-overlap.txt, "synchronize idle".
  CHECK(d.end_to_end_us() - waited == dojo::tolerance::within(0.57, 0.01));
}

TEST_CASE("module variables are placed, found by name and keep their initial values") {
  Kernels k(R"(
__constant__ float factors[4] = {1, 2, 3, 4};
__device__ int counter = 7;
__device__ int* pointer = &counter;
__global__ void use(float* out) {
  out[threadIdx.x] = factors[threadIdx.x] + *pointer;
  if (threadIdx.x == 0) counter = 9;
}
)");
  uint64_t bytes = 0;
  const uint64_t counter = k.device->symbol("counter", &bytes);
  CHECK(bytes == 4);
  CHECK(k.read<int>(counter, 1)[0] == 7);
  const uint64_t out = k.buffer(16);
  k.run(k.spec("use", {1, 1, 1}, {4, 1, 1}, out));
  CHECK(k.read<float>(out, 4) == std::vector<float>{8, 9, 10, 11});
  CHECK(k.read<int>(counter, 1)[0] == 9);
  CHECK(k.device->symbol("none", nullptr) == 0);
}

TEST_CASE("on a toy GPU blocks take as long as they have instructions, and fill it wave by wave") {
  Kernels k(R"(
__global__ void work(float* out) { out[blockIdx.x * 32 + threadIdx.x] = 1; }
)",
            "simt:toy8");
  k.control.blocks = true;
  k.device->set_control(k.control);
  const uint64_t out = k.buffer(64 * 128);
  const LaunchReport one = k.run(k.spec("work", {8, 1, 1}, {32, 1, 1}, out));
  const LaunchReport two = k.run(k.spec("work", {12, 1, 1}, {32, 1, 1}, out));
  CHECK(two.time_us == dojo::tolerance::within(2 * one.time_us));
  CHECK(one.time_us == std::floor(one.time_us));
  CHECK(two.wave_utilization == 0.75);
  CHECK(two.tail_idle == dojo::tolerance::within(0.25));
  CHECK(one.tail_idle == dojo::tolerance::near(0));
  CHECK(two.blocks.size() == 12);
}

TEST_CASE(
    "kernels apart find empty caches, and their machine code in none of them; otherwise the L2 stays warm") {
  for (const bool apart : {false, true}) {
    Kernels k(kSaxpy);
    k.control.apart = apart;
    k.device->set_control(k.control);
    const int n = 100000;
    const uint64_t dx = k.buffer_of(std::vector<float>(n, 1.0f)),
                   dy = k.buffer_of(std::vector<float>(n, 2.0f));
    const LaunchSpec saxpy = k.spec("saxpy", {391, 1, 1}, {256, 1, 1}, 2.0f, dx, dy, n);
    k.device->cold_caches();
    k.device->take_launches();
    for (int i = 0; i < 2; ++i) REQUIRE(k.device->launch(saxpy).ok());
    REQUIRE(k.device->synchronize().ok());
    auto all = k.device->take_launches();
    REQUIRE(all.size() == 2);
    auto read = [&](size_t i) { return all[i].counters["dram__bytes_read.sum"]; };
    CHECK(read(0) >= 800000);
    CHECK(read(0) < 802000);
    CHECK(read(1) == (apart ? read(0) : 0));
    CHECK((read(0) > 800000) == apart);
    const auto y = k.read<float>(dy, n);
    CHECK(y[0] == 6);
    CHECK(y[size_t(n) - 1] == 6);
    // y is stored where it was loaded: a third of the accesses hit.
    CHECK(all[0].counters["l1tex__t_sector_hit_rate.pct"] == dojo::tolerance::within(100.0 / 3));
  }
}
