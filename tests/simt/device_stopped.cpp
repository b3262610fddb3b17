// A run that is stopped before its end still says which blocks ran when, which wait, and which never began.
#include <algorithm>

#include "device_fixture.hpp"

using namespace dojo;
using dojo::test::Kernels;

namespace {

/// Runs the launch until it is stopped; its report.
LaunchReport stopped(Kernels& k, const LaunchSpec& spec, Status status, std::string* says = nullptr) {
  k.control.blocks = true;
  k.device->set_control(k.control);
  REQUIRE(k.device->launch(spec).ok());
  try {
    k.device->synchronize();
    FAIL("it was not stopped");
  } catch (const RunStopped& stop) {
    CHECK(stop.status == status);
    if (says) *says = stop.why.message;
  }
  auto all = k.device->take_launches();
  REQUIRE(all.size() == 1);
  return all[0];
}

bool waits(const BlockSpan& b) {
  return !b.waiting.empty() && b.waiting.back()[1] >= b.end_us && b.waiting.back()[0] < b.end_us;
}
bool runs(const BlockSpan& b) { return !b.waiting.empty() && b.waiting.back()[0] >= b.end_us; }

const char* flags = R"(
extern "C" __global__ void turns(volatile int* flag, float* out) {
  if (threadIdx.x == 0 && blockIdx.x == 3)
    while (flag[0] == 0) {}
  __syncthreads();
  float v = threadIdx.x;
  for (int k = 0; k < 50; ++k) v = v * 1.5f + 1;
  out[blockIdx.x * blockDim.x + threadIdx.x] = v;
}
extern "C" __global__ void endless(volatile int* flag, float* out) {
  float v = threadIdx.x;
  if (blockIdx.x == 2)
    for (unsigned k = 0; k != 1 || flag[0] == 0; k += 2) v += out[k % 64];
  out[blockIdx.x * blockDim.x + threadIdx.x] = v;
}
extern "C" __global__ void beyond(float* out, int n) {
  out[blockIdx.x == 1 ? (1 << 26) : threadIdx.x] = n;
}
)";

}  // namespace

TEST_CASE("stopped: a deadlocked block waits from where it began to wait, and the others have ended") {
  Kernels k(flags);
  const LaunchReport r = stopped(
      k, k.spec("turns", {8, 1, 1}, {64, 1, 1}, k.buffer_of(std::vector<int>(4, 0)), k.buffer(8 * 64 * 4)),
      Status::finding);
  CHECK(r.counters.empty());  // counts are not whole
  REQUIRE(r.blocks.size() == 8);
  for (const BlockSpan& b : r.blocks) {
    INFO(b.block);
    CHECK(waits(b) == (b.block == 3));
    CHECK_FALSE(runs(b));
    CHECK(b.end_us > b.start_us);
  }
  const BlockSpan& stuck = r.blocks[3];
  CHECK(stuck.waiting.back()[0] >= stuck.start_us);
  for (const BlockSpan& b : r.blocks) CHECK(b.end_us <= stuck.end_us);
}

TEST_CASE("stopped: blocks that hold every slot wait, and those that found none never began") {
  Kernels k(R"(
extern "C" __global__ void all_wait(volatile int* flag) {
  if (blockIdx.x + 1 == gridDim.x) flag[0] = 1;
  while (flag[0] == 0) {}
})",
            "simt:toy4");
  std::string says;
  const LaunchReport r =
      stopped(k, k.spec("all_wait", {6, 1, 1}, {32, 1, 1}, k.buffer_of(std::vector<int>(1, 0))),
              Status::finding, &says);
  CHECK_MESSAGE(says.find("(it holds 0)") != std::string::npos, says);
  CHECK_MESSAGE(says.find("4 resident blocks hold every slot of the GPU; not started: 2 blocks of") !=
                    std::string::npos,
                says);
  CHECK(r.grid.count() == 6);
  REQUIRE(r.blocks.size() == 4);
  CHECK(std::all_of(r.blocks.begin(), r.blocks.end(), waits));
}

TEST_CASE("stopped: the block of an endless loop still runs, and blocks behind it have not begun") {
  Kernels k(flags);
  k.control.max_warp_instructions = 200000;
  const LaunchReport r = stopped(k,
                                 k.spec("endless", {6, 1, 1}, {32, 1, 1}, k.buffer_of(std::vector<int>(4, 0)),
                                        k.buffer_of(std::vector<float>(6 * 32, 0.0f))),
                                 Status::timeout);
  REQUIRE(r.blocks.size() == 3);
  CHECK_FALSE(runs(r.blocks[0]));
  CHECK_FALSE(runs(r.blocks[1]));
  CHECK(runs(r.blocks[2]));
  CHECK_FALSE(waits(r.blocks[2]));
}

TEST_CASE("stopped: an endless loop whose instructions have no line of the source names the nearest one") {
  Kernels k(R"(
extern "C" __global__ void halve(float* out, int n) {
  __shared__ float s[64];
  const unsigned tid = threadIdx.x;
  s[tid] = out[tid];
  __syncthreads();
  for (unsigned stride = 1; stride < blockDim.x; stride *= 1) {
    if (tid % (2 * stride) == 0) s[tid] += s[(tid + stride) % 64];
    __syncthreads();
  }
  out[tid] = s[0];
})");
  k.control.max_warp_instructions = 100000;
  k.device->set_control(k.control);
  REQUIRE(
      k.device->launch(k.spec("halve", {4, 1, 1}, {64, 1, 1}, k.buffer_of(std::vector<float>(64, 1.0f)), 64))
          .ok());
  try {
    k.device->synchronize();
    FAIL("it was not stopped");
  } catch (const RunStopped& stop) {
    CHECK(stop.status == Status::timeout);
    CHECK(stop.why.where.line >= 7);
    CHECK(stop.why.where.line <= 10);
    CHECK(stop.why.message.find("Block 0 is still at line ") != std::string::npos);
  }
}

TEST_CASE("stopped: a launch before the one that was stopped keeps its counts") {
  Kernels k(flags);
  k.control.blocks = true;
  k.device->set_control(k.control);
  const uint64_t flag = k.buffer_of(std::vector<int>(4, 1)), out = k.buffer(8 * 64 * 4);
  REQUIRE(k.device->launch(k.spec("turns", {8, 1, 1}, {64, 1, 1}, flag, out)).ok());
  REQUIRE(k.device->launch(k.spec("beyond", {2, 1, 1}, {64, 1, 1}, out, 5)).ok());
  CHECK_THROWS_AS(k.device->synchronize(), RunStopped);
  const auto all = k.device->take_launches();
  REQUIRE(all.size() == 2);
  CHECK(all[0].counters.at("smsp__inst_executed.sum") > 0);
  CHECK(all[0].blocks.size() == 8);
  CHECK(all[1].counters.empty());
  CHECK(all[1].time_us == 0);
}

TEST_CASE("stopped: without a timeline asked for, a stopped launch has no report") {
  Kernels k(flags);
  REQUIRE(k.device
              ->launch(k.spec("turns", {8, 1, 1}, {64, 1, 1}, k.buffer_of(std::vector<int>(4, 0)),
                              k.buffer(8 * 64 * 4)))
              .ok());
  CHECK_THROWS_AS(k.device->synchronize(), RunStopped);
  CHECK(k.device->take_launches().empty());
}
