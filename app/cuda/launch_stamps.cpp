// What a report says of each launch on a real GPU. The work runs once more with the instrumented twins of its
// kernels (timeline_ptx.hpp), whose blocks stamp where and when they ran.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "core/error.hpp"
#include "cuda/cuda_device_impl.hpp"
#include "cuda/timeline_ptx.hpp"
#include "ptx/module.hpp"

namespace dojo::cuda {

std::vector<LaunchReport> CudaDevice::describe_launches() {
  std::vector<LaunchReport> reports;
  for (const Work& w : work_) {
    if (w.kind != Work::launch) continue;
    const LaunchSpec& s = w.spec;
    LaunchReport r;
    r.kernel = ptx::base_name(s.kernel);
    r.grid = s.grid, r.block = s.block;
    r.dynamic_smem = s.dynamic_smem;
    KernelResources k = kernel_resources(s.kernel);
    r.static_smem = uint32_t(k.static_smem);
    r.registers = uint32_t(k.registers);
    r.stream = int(s.stream);
    r.source = Source::measured;
    r.blocks_per_sm = max_active_blocks(s.kernel, uint32_t(s.block.count()), s.dynamic_smem);
    const double warps = std::ceil(s.block.count() / 32.0), blocks = double(s.grid.count());
    const double capacity = double(r.blocks_per_sm) * info_.sms;
    if (capacity > 0) {
      r.occupancy = warps * r.blocks_per_sm / info_.warps_per_sm;
      r.waves = blocks / capacity;
      r.wave_utilization = blocks / (std::ceil(r.waves) * capacity);
    }
    r.counters["launch__waves_per_multiprocessor"] = r.waves;
    r.counters["launch__registers_per_thread"] = r.registers;
    reports.push_back(std::move(r));
  }
  return reports;
}

/// Loads the kernels' twins on first use; false: the driver refuses them.
bool CudaDevice::load_twins() {
  if (twin_) return true;
  const std::string text = add_block_stamps(stripped_);
  if (d_.cuModuleLoadDataEx(&twin_, text.c_str(), 0, nullptr, nullptr) != CUDA_SUCCESS) {
    twin_ = nullptr;
    return false;
  }
  // The twins have variables of their own: give them the values of the original's.
  for (const auto& [name, place] : symbols_) {
    CUdeviceptr p = 0;
    size_t bytes = 0;
    if (d_.cuModuleGetGlobal(&p, &bytes, twin_, name.c_str()) == CUDA_SUCCESS)
      d_.cuMemcpyDtoD(p, place.first, std::min<size_t>(bytes, place.second));
  }
  for (const auto& [name, bytes] : allowed_smem_)
    if (CUfunction f = function(name, true))
      d_.cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, bytes);
  return true;
}

/// Issues the recorded work with the twins. Their blocks write to `stamps`, launch after launch.
void CudaDevice::issue_twins(CUdeviceptr stamps) {
  uint64_t at = 0;
  for (const Work& w : work_) {
    switch (w.kind) {
      case Work::launch:
        issue(w.spec, stream(w.stream), true, stamps + at * sizeof(BlockStamp));
        at += w.spec.grid.count();
        break;
      case Work::copy:
        d_.cuMemcpyDtoDAsync(w.dst, w.src, w.bytes, stream(w.stream));
        break;
      case Work::box:
        d_.cuMemcpy3DAsync(&w.area, stream(w.stream));
        break;
      case Work::fill:
        issue_fill(w.filled, w.value, stream(w.stream));
        break;
      case Work::record:
        d_.cuEventRecord(events_[w.event].event, stream(w.stream));
        break;
      case Work::wait:
        d_.cuStreamWaitEvent(stream(w.stream), events_[w.event].event, CU_EVENT_WAIT_DEFAULT);
        break;
      case Work::host_waited:
        wait_for_all();
        break;
    }
  }
}

/// Runs the work once more with the twins; empty when that failed.
std::vector<BlockStamp> CudaDevice::block_stamps(uint64_t blocks) {
  std::vector<BlockStamp> host(blocks);
  CUdeviceptr stamps = 0;
  if (d_.cuMemAlloc(&stamps, blocks * sizeof(BlockStamp)) != CUDA_SUCCESS) return {};
  const Owned<CUdeviceptr> memory(stamps, d_.cuMemFree);
  cold_caches();
  d_.cuMemsetD8Async(stamps, 0, blocks * sizeof(BlockStamp), nullptr);
  d_.cuCtxSynchronize();
  issue_twins(stamps);
  wait_for_all();
  capture_stdout([&] { d_.cuCtxSynchronize(); });  // what the kernels print was shown by the first run
  const CUresult r = d_.cuMemcpyDtoH(host.data(), stamps, blocks * sizeof(BlockStamp));
  return r == CUDA_SUCCESS ? host : std::vector<BlockStamp>();
}

namespace {

using Span = std::pair<uint64_t, uint64_t>;  // begin and end, in ns

/// Time that is in at least one of the spans.
uint64_t covered_ns(std::vector<Span> spans) {
  std::sort(spans.begin(), spans.end());
  uint64_t all = 0;
  auto [from, to] = spans[0];
  for (auto [begin, end] : spans) {
    if (begin > to) {
      all += to - from;
      from = begin;
    }
    to = std::max(to, end);
  }
  return all + (to - from);
}

}  // namespace

/// Fills start, time, idle share and the blocks' timeline of each launch.
void CudaDevice::stamp_launches(std::vector<LaunchReport>& reports) {
  uint64_t blocks = 0;
  for (const auto& r : reports) blocks += r.grid.count();
  constexpr uint64_t most_blocks = uint64_t(1) << 24;
  if (!load_twins() || blocks == 0 || blocks > most_blocks) return;
  const std::vector<BlockStamp> stamps = block_stamps(blocks);
  uint64_t origin = ~uint64_t(0);
  for (const BlockStamp& s : stamps)
    if (s.start) origin = std::min(origin, s.start);
  for (size_t at = 0; auto& report : reports) {
    const uint64_t n = report.grid.count();
    if (at + n > stamps.size()) return;
    uint64_t first = ~uint64_t(0), last = 0;
    std::map<uint32_t, std::vector<Span>> by_sm;
    for (uint64_t i = 0; i < n; ++i) {
      const BlockStamp& s = stamps[at + i];
      if (!s.start) continue;
      first = std::min(first, s.start);
      last = std::max(last, s.end);
      by_sm[s.sm].push_back({s.start, s.end});
      if (control_.blocks)
        report.blocks.push_back({i, int(s.sm), (s.start - origin) * 1e-3, (s.end - origin) * 1e-3, {}});
    }
    at += n;
    if (last <= first) continue;
    double busy = 0;
    for (const auto& [sm, spans] : by_sm) busy += double(covered_ns(spans));
    report.start_us = (first - origin) * 1e-3;
    report.time_us = (last - first) * 1e-3;
    report.tail_idle = 1.0 - busy / (double(last - first) * info_.sms);
    report.counters["gpu__time_duration.sum"] = double(last - first);
  }
}

}  // namespace dojo::cuda
