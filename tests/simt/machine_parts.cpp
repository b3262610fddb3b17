// Blocks that make very many accesses: the caches take them in parts, and the traces of those that are not
// simulated are shortened.
#include <algorithm>
#include <fstream>
#include <string>

#include "../near.hpp"
#include "../no_threads.hpp"
#include "machine_rig.hpp"
#include "simt/caches/hierarchy.hpp"
#include "simt/time/model.hpp"
#include "simt/time/progress.hpp"

using namespace dojo;
using dojo::test::Rig;

namespace {

// Each block reads 64 KiB of its own again and again, waits for the block before it, and reads them again.
const char* kChain = R"(
__device__ unsigned stored[16];
__device__ float walk(const float* x, int n, int rounds) {
  float sum = 0;
  for (int r = 0; r < rounds; ++r)
    for (int i = threadIdx.x; i < n; i += blockDim.x) sum += x[i];
  return sum;
}
__global__ void chain(const float* x, float* y, int n, int rounds) {
  x += blockIdx.x * n;
  float sum = walk(x, n, rounds);
  if (threadIdx.x == 0 && blockIdx.x > 0) {
    unsigned seen = 0;
    while (!seen)
      asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(seen) : "l"(&stored[blockIdx.x - 1]) : "memory");
  }
  __syncthreads();
  sum += walk(x, n, rounds);
  y[blockIdx.x * blockDim.x + threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(&stored[blockIdx.x], 1u);
  }
}
__global__ void alone(const float* x, float* y, int n, int rounds) {
  y[blockIdx.x * blockDim.x + threadIdx.x] = walk(x + blockIdx.x * n, n, rounds);
}
)";

struct Run {
  std::vector<float> y;
  simt::LaunchTrace trace;
  simt::CacheHierarchy::Totals totals;
  std::string found;
  double us = 0;
};

Run run(const char* kernel, uint32_t blocks, int rounds, uint64_t most_accesses, uint64_t most_bytes,
        int threads = 1) {
  constexpr int n = 16384;
  Rig rig(kChain);
  const simt::DeviceModel device = simt::device_model("h100");
  simt::CacheHierarchy caches(device);
  rig.config.sms = device.info.sms;
  rig.config.hierarchy = &caches;
  rig.config.most_accesses = most_accesses, rig.config.most_trace_bytes = most_bytes;
  rig.config.control.threads = threads;
  rig.config.trace_block = [](uint32_t, uint64_t) { return true; };
  rig.config.keep_whole = [](uint32_t, uint64_t block) { return block == 0; };
  caches.begin({128 * 1024}, {blocks});
  std::vector<float> x(size_t(n) * blocks);
  for (size_t i = 0; i < x.size(); ++i) x[i] = float(i % 7);
  const uint64_t in = rig.buffer(x), out = rig.blank(blocks * 128 * 4);
  const std::vector<simt::LaunchNode> nodes = {
      rig.launch(kernel, {blocks, 1, 1}, {128, 1, 1}, 0, in, out, n, rounds)};
  auto traces = rig.run();
  const double us = simt::model_time(device, *rig.module, nodes, traces)[0].end_us;
  return {rig.read<float>(out, blocks * 128), std::move(traces[0]), caches.totals(0), rig.found(), us};
}

void same_caches(const Run& a, const Run& b) {
  CHECK(a.y == b.y);
  CHECK(a.found == b.found);
  CHECK(a.totals.l1_lookups == b.totals.l1_lookups);
  CHECK(a.totals.l1_hits == b.totals.l1_hits);
  CHECK(a.totals.l2_lookups == b.totals.l2_lookups);
  CHECK(a.totals.dram_read == b.totals.dram_read);
  REQUIRE(a.trace.blocks.size() == b.trace.blocks.size());
  for (size_t i = 0; i < a.trace.blocks.size(); ++i) {
    CHECK(a.trace.blocks[i].l2_sectors == b.trace.blocks[i].l2_sectors);
    CHECK(a.trace.blocks[i].signature == b.trace.blocks[i].signature);
  }
}

}  // namespace

TEST_CASE("machine: caches that take the accesses of running blocks in parts find what they find at once") {
  constexpr uint64_t all = uint64_t(1) << 40;
  const Run whole = run("chain", 6, 60, all, all), parts = run("chain", 6, 60, 20000, 100000);
  same_caches(whole, parts);
  REQUIRE(whole.trace.detailed.size() == 6);
  REQUIRE(parts.trace.detailed.size() == 6);
  CHECK(whole.trace.spin_coupled);

  const auto& kept = parts.trace.detailed[0];
  CHECK(!kept.shortened);
  for (size_t w = 0; w < 4; ++w) {
    const auto &a = whole.trace.detailed[0].warps[w].events, &b = kept.warps[w].events;
    REQUIRE(a.size() == b.size());
    // All but the addition at the end, which finds the flag in the L2 if another block's look is taken to
    // come before it.
    CHECK(std::equal(a.begin(), a.end() - 1, b.begin(), [](const auto& e, const auto& f) {
      return e.inst == f.inst && e.l1_hit_sectors == f.l1_hit_sectors &&
             e.l2_hit_sectors == f.l2_hit_sectors && e.half_line == f.half_line;
    }));
  }
  Rig rig(kChain);  // for its module
  for (size_t block = 1; block < 6; ++block) {
    const auto &a = whole.trace.detailed[block], &b = parts.trace.detailed[block];
    CHECK(b.shortened);
    CHECK(b.warps[0].passed() == a.warps[0].passed());
    CHECK(b.warps[0].steps.size() < a.warps[0].steps.size() / 2);
    REQUIRE(a.wakes.size() == 1);
    REQUIRE(b.wakes.size() == 1);
    CHECK(b.wakes[0].step == a.wakes[0].step);
    CHECK(b.wakes[0].by_step == a.wakes[0].by_step);
    REQUIRE(b.wakes[0].around.size() == 3);
    CHECK(simt::waits_by_acquire(*rig.module, {b.wakes[0].around, {}}, 1) ==
          simt::waits_by_acquire(*rig.module, a.warps[0], a.wakes[0].step));
    // A wait that came after the trace was shortened for the last time is told by the steps that are left.
    REQUIRE(simt::waits_by_acquire(*rig.module, a.warps[0], a.wakes[0].step));
    auto left = a.warps[0];
    left.left_out = a.wakes[0].step - 1;
    left.steps = {left.steps.begin() + left.left_out, left.steps.begin() + left.left_out + 3};
    CHECK(simt::waits_by_acquire(*rig.module, left, a.wakes[0].step));
  }
  // What waits for what is still known, so that the chain takes as long.
  MESSAGE(whole.us << " us, with shortened traces " << parts.us);
  CHECK(parts.us == dojo::tolerance::within(whole.us, 0.05));
  const Run one = run("chain", 1, 60, all, all);
  CHECK(whole.us > 2.5 * one.us);
}

TEST_CASE(
    "machine: a block with more accesses than may wait is taken in parts, on one thread and on several") {
  constexpr uint64_t all = uint64_t(1) << 40;
  const Run whole = run("alone", 16, 40, all, all);
  same_caches(whole, run("alone", 16, 40, 20000, all));
  same_caches(whole, run("alone", 16, 40, 20000, all, 3));
  // Logs of whole blocks that wait for a block before them, which is another thread's, or the next of the
  // thread's own four.
  same_caches(whole, run("alone", 16, 40, 400000, all, 3));
  same_caches(run("alone", 256, 4, all, all), run("alone", 256, 4, 20000, all, 4));
}

namespace {

/// The most memory that this process had since the peak was reset, in MB; negative where it can't be asked.
double peak_mb(bool reset) {
  if (reset && !(std::ofstream("/proc/self/clear_refs") << "5" << std::flush)) return -1;
  std::ifstream in("/proc/self/status");
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("VmHWM:")) return std::stod(line.substr(6)) / 1024;
  return -1;
}

}  // namespace

TEST_CASE("machine: the floats that a long loop adds do not pile up while its block waits to be taken") {
  // 2^19 additions of a warp are 2^24 of its lanes: 400 MB for each of two blocks if all waited.
  Rig rig(
      "__global__ void adds(float* y) {"
      "  for (int k = 0; k < 1 << 19 && blockIdx.x < 2; ++k) atomicAdd(y + blockIdx.x, 1.0f);"
      "}");
  const simt::DeviceModel device = simt::device_model("h100");
  simt::CacheHierarchy caches(device);
  rig.config.sms = device.info.sms;
  rig.config.hierarchy = &caches;
  rig.config.most_accesses = 1 << 20;
  rig.config.control.threads = 2;
  constexpr uint32_t blocks = 8;  // enough that two threads run them
  caches.begin({128 * 1024}, {blocks});
  const uint64_t y = rig.buffer(std::vector<float>(blocks, 0.0f));
  rig.launch("adds", {blocks, 1, 1}, {32, 1, 1}, 0, y);
  const double before = peak_mb(true);
  if (before < 0) {
    MESSAGE("left out: /proc/self/clear_refs can't be written here");
    return;
  }
  rig.run();
  CHECK(rig.read<float>(y, 2) == std::vector<float>(2, 16777216.0f));
  CHECK(peak_mb(false) - before < 600);  // 330 to 403 were seen, and 805 where all waited
}

TEST_CASE("machine: where the system starts no more threads, one runs all blocks") {
  Rig rig("__global__ void k(float* y) { y[blockIdx.x] = blockIdx.x; }");
  rig.config.control.threads = 4;
  const uint64_t y = rig.blank(64 * 4);
  rig.launch("k", {64, 1, 1}, {1, 1, 1}, 0, y);
  {
    const test::NoThreads none;
    rig.run();
  }
  CHECK(rig.read<float>(y, 64)[63] == 63);
}
