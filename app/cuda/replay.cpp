// Timing on a real GPU: the recorded work as a CUDA graph, replayed from a cold L2. (Its block timeline:
// launch_stamps.cpp.)
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "core/collections/statistics.hpp"
#include "core/error.hpp"
#include "cuda/cuda_device_impl.hpp"
#include "ptx/module.hpp"

namespace dojo::cuda {
namespace {

constexpr int kWarmUps = 3, kPasses = 8, kReplays = 25, kMostReplays = 60;
constexpr double kSpread = 0.01;  // go on until the middle half lies within 1 % of the median

// Reads 16 bytes a thread and stores only if it finds what isn't there: after
// it the L2 holds these lines and, unlike after a fill, has nothing to write back while the next kernel is
// timed.
constexpr const char* kTouch = R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry dojo_touch(.param .u64 first) {
  .reg .b64 %p, %i;
  .reg .b32 %b, %n, %t, %x, %y, %z, %w;
  .reg .pred %found;
  ld.param.u64 %p, [first];
  mov.u32 %b, %ctaid.x;
  mov.u32 %n, %ntid.x;
  mov.u32 %t, %tid.x;
  mad.lo.u32 %t, %b, %n, %t;
  mul.wide.u32 %i, %t, 16;
  add.u64 %p, %p, %i;
  ld.global.v4.u32 {%x, %y, %z, %w}, [%p];
  or.b32 %x, %x, %y;
  or.b32 %z, %z, %w;
  or.b32 %x, %x, %z;
  setp.ne.u32 %found, %x, 0;
  @%found st.global.u32 [%p], 0;
  ret;
}
)";

}  // namespace

void CudaDevice::cold_caches() { empty_l2(nullptr); }

/// Reads a buffer of three times the L2, so that nothing of the last run is left in it.
void CudaDevice::empty_l2(CUstream on) {
  constexpr unsigned kThreads = 256;
  const size_t bytes =
      std::max<size_t>(3 * info_.l2_bytes, size_t(64) << 20) / (16 * kThreads) * (16 * kThreads);
  if (!own_module_ && d_.cuModuleLoadDataEx(&own_module_, kTouch, 0, nullptr, nullptr) != CUDA_SUCCESS)
    return;
  CUfunction touch = nullptr;
  d_.cuModuleGetFunction(&touch, own_module_, "dojo_touch");
  if (!flush_) {
    if (d_.cuMemAlloc(&flush_, bytes) != CUDA_SUCCESS) return;
    d_.cuMemsetD32Async(flush_, 0, bytes / 4, nullptr);
  }
  void* parameters[] = {&flush_};
  CUlaunchConfig c{};
  c.gridDimX = unsigned(bytes / (16 * kThreads)), c.blockDimX = kThreads;
  c.gridDimY = c.gridDimZ = c.blockDimY = c.blockDimZ = 1;
  c.hStream = on;
  d_.cuLaunchKernelEx(&c, touch, parameters, nullptr);
}

bool CudaDevice::issue_work(CUstream origin) {
  std::map<uint64_t, CUstream> forked{{0, origin}};
  std::vector<CUevent> used;
  auto event = [&] {
    CUevent e = nullptr;
    d_.cuEventCreate(&e, CU_EVENT_DISABLE_TIMING);
    used.push_back(e);
    return e;
  };
  auto join = [&](CUstream from, CUstream to) {
    CUevent e = event();
    d_.cuEventRecord(e, from);
    d_.cuStreamWaitEvent(to, e, CU_EVENT_WAIT_DEFAULT);
  };
  auto on = [&](uint64_t handle) {
    auto it = forked.find(handle);
    if (it != forked.end()) return it->second;
    CUstream s = nullptr;
    const auto asked = priorities_.find(handle);
    d_.cuStreamCreateWithPriority(&s, CU_STREAM_NON_BLOCKING, asked == priorities_.end() ? 0 : asked->second);
    join(origin, s);
    return forked[handle] = s;
  };
  for (const Work& w : work_)  // every stream forks from the start, not from where it is first used
    on(w.stream);
  const auto join_all = [&](bool only_blocking, bool to_origin) {
    for (auto& [handle, s] : forked)
      if (s != origin && (!only_blocking || blocking_.count(handle)))
        to_origin ? join(s, origin) : join(origin, s);
  };
  CUresult bad = CUDA_SUCCESS;
  std::map<uint64_t, CUevent> recorded;
  for (const Work& w : work_) {
    CUresult r = CUDA_SUCCESS;
    // Work of the default stream comes after all that blocking streams got before, and before what they get
    // later.
    const bool barrier = w.stream == 0 && (w.kind == Work::launch || w.kind == Work::copy ||
                                           w.kind == Work::box || w.kind == Work::fill);
    if (barrier) join_all(true, true);
    switch (w.kind) {
      case Work::launch:
        r = issue(w.spec, on(w.stream), false, 0);
        break;
      case Work::copy:
        r = d_.cuMemcpyDtoDAsync(w.dst, w.src, w.bytes, on(w.stream));
        break;
      case Work::box:
        r = d_.cuMemcpy3DAsync(&w.area, on(w.stream));
        break;
      case Work::fill:
        r = issue_fill(w.filled, w.value, on(w.stream));
        break;
      case Work::record:
        recorded[w.event] = event();
        r = d_.cuEventRecord(recorded[w.event], on(w.stream));
        break;
      case Work::wait:
        if (recorded.count(w.event))
          r = d_.cuStreamWaitEvent(on(w.stream), recorded[w.event], CU_EVENT_WAIT_DEFAULT);
        break;
      case Work::host_waited:
        if (&w == &work_.back()) break;
        join_all(false, true);
        join_all(false, false);
        break;
    }
    if (barrier) join_all(true, false);
    if (r != CUDA_SUCCESS) bad = r;
  }
  join_all(false, true);
  for (CUevent e : used) d_.cuEventDestroy(e);
  for (auto& [handle, s] : forked)
    if (s != origin) d_.cuStreamDestroy(s);
  return bad == CUDA_SUCCESS;
}

/// What is issued to the stream, between two events, in microseconds.
double CudaDevice::between_events_us(CUstream on, const std::function<void()>& issue) {
  if (!begin_) must(d_.cuEventCreate(&begin_, CU_EVENT_DEFAULT), "cuEventCreate");
  if (!end_) must(d_.cuEventCreate(&end_, CU_EVENT_DEFAULT), "cuEventCreate");
  d_.cuEventRecord(begin_, on);
  issue();
  d_.cuEventRecord(end_, on);
  if (CUresult r = wait([&] { return d_.cuEventQuery(end_); }); r != CUDA_SUCCESS) stop(r);
  float ms = 0;
  d_.cuEventElapsedTime(&ms, begin_, end_);
  return double(ms) * 1e3;
}

/// One replay of a graph.
double CudaDevice::replay_us(CUgraphExec what) {
  return between_events_us(nullptr, [&] { d_.cuGraphLaunch(what, nullptr); });
}

/// The same of work that no graph takes, as a driver does with cooperative launches: it is issued to a
/// stream. Emptying the L2 takes longer than a call, so the calls are made while the GPU is still at work.
/// -1: a call failed.
double CudaDevice::issue_us(const std::function<bool(CUstream)>& passes) {
  const Owned<CUstream> s = own_stream();
  bool good = false;
  const double us = between_events_us(s.get(), [&] { good = passes(s.get()); });
  return good ? us : -1;
}

Owned<CUstream> CudaDevice::own_stream() {
  CUstream s = nullptr;
  must(d_.cuStreamCreateWithPriority(&s, CU_STREAM_NON_BLOCKING, 0), "cuStreamCreate");
  return {s, d_.cuStreamDestroy};
}

/// Times a body of work by two graphs: passes of (empty the L2, work) and one more emptying, and as many
/// emptyings alone. The difference is what the work adds to a chain of launches when none of its data is in
/// the L2, with what it leaves there for others to write back: of the last pass too, which without the
/// emptying at the end the other graph would write back, so that a kernel that stores 4 MiB seemed 0.5 us
/// faster than it is. Neither the events nor the first launch are in it. Work that can't be captured is
/// issued anew for each sample. n = 0: it can't be issued either.
Timing CudaDevice::time_body(const std::function<bool(CUstream)>& body) {
  const auto passes_of = [&](int passes, bool with_work) {
    return [&, passes, with_work](CUstream s) {
      bool good = true;
      for (int i = 0; i < passes; ++i) {
        empty_l2(s);
        if (with_work) good = body(s) && good;
      }
      empty_l2(s);
      return good;
    };
  };
  Timing t;
  t.source = Source::measured;
  int passes = 1;
  Owned<CUgraphExec> work = capture(passes_of(1, true)), flush;
  if (work) flush = capture(passes_of(1, false));
  const bool captured = work && flush;
  if (!captured && issue_us(passes_of(1, true)) < 0) return t;
  const auto work_us = [&] { return captured ? replay_us(work.get()) : issue_us(passes_of(passes, true)); };
  const auto flush_us = [&] {
    return captured ? replay_us(flush.get()) : issue_us(passes_of(passes, false));
  };
  for (int i = 0; i < kWarmUps; ++i) flush_us(), work_us();
  const double once = work_us() - flush_us();
  passes = once > 2000 ? 1 : once > 500 ? 3 : kPasses;
  if (passes > 1) {
    if (captured) {
      work = {}, flush = {};
      work = capture(passes_of(passes, true)), flush = capture(passes_of(passes, false));
      if (!work || !flush) return t;
    }
    flush_us(), work_us();
  }
  std::vector<double> us;
  while (int(us.size()) < kMostReplays) {
    const double alone = flush_us();
    us.push_back(std::max(0.0, (work_us() - alone) / passes));
    if (int(us.size()) < kReplays) continue;
    std::vector<double> sorted = us;
    std::sort(sorted.begin(), sorted.end());
    const double middle = sorted[sorted.size() * 3 / 4] - sorted[sorted.size() / 4];
    if (middle <= kSpread * sorted[sorted.size() / 2]) break;
    if (control_.cancelled && control_.cancelled()) break;
  }
  t.n = int(us.size());
  t.value = median(us);
  t.min = *std::min_element(us.begin(), us.end());
  t.max = *std::max_element(us.begin(), us.end());
  return t;
}

Owned<CUgraphExec> CudaDevice::capture(const std::function<bool(CUstream)>& body) {
  const Owned<CUstream> s = own_stream();
  must(d_.cuStreamBeginCapture(s.get(), CU_STREAM_CAPTURE_MODE_RELAXED), "cuStreamBeginCapture");
  const bool good = body(s.get());
  CUgraph captured = nullptr;
  const CUresult ended = d_.cuStreamEndCapture(s.get(), &captured);
  const Owned<CUgraph> graph(captured, d_.cuGraphDestroy);
  CUgraphExec exec = nullptr;
  if (ended == CUDA_SUCCESS && graph && good) d_.cuGraphInstantiate(&exec, graph.get(), 0);
  return {exec, d_.cuGraphExecDestroy};
}

void CudaDevice::upload(uint64_t address, std::span<const std::byte> from) {
  must(d_.cuMemcpyHtoD(address, from.data(), from.size()), "cuMemcpyHtoD");
}

void CudaDevice::download(std::span<std::byte> to, uint64_t address) {
  must(d_.cuMemcpyDtoH(to.data(), address, to.size()), "cuMemcpyDtoH");
}

Timing CudaDevice::time_external(const std::function<bool(CUstream)>& body) {
  cold_caches();  // makes its kernel and buffer, outside of a capture
  return time_body(body);
}

void CudaDevice::measure() {
  if (is_measured_) return;
  is_measured_ = true;
  measured_ = describe_launches();
  time_ = {};
  time_.source = Source::measured;
  if (measured_.empty() || !control_.timing || stopped_) return;  // a stopped context takes no more work
  cold_caches();  // makes its kernel and buffer, outside of a capture
  time_ = time_body([&](CUstream s) { return issue_work(s); });
  stamp_launches(measured_);
  // The replays' time is the better one where there is a single launch: the twin's stores cost a little.
  if (measured_.size() == 1 && time_.n) {
    measured_[0].time_us = time_.value;
    measured_[0].counters["gpu__time_duration.sum"] = time_.value * 1e3;
  }
}

Timing CudaDevice::device_time() const {
  const_cast<CudaDevice*>(this)->measure();
  return time_;
}

std::vector<LaunchReport> CudaDevice::take_launches() {
  measure();
  is_measured_ = false;
  work_.clear();
  release_deferred();
  return std::exchange(measured_, {});
}

CUresult CudaDevice::issue_fill(const FillBox& box, uint32_t value, CUstream s) {
  const uint64_t n = box.width / box.element;
  if (box.element == 4)
    return box.rows == 1 ? d_.cuMemsetD32Async(box.dst, value, n, s)
                         : d_.cuMemsetD2D32Async(box.dst, box.row, value, n, box.rows, s);
  if (box.element == 2)
    return box.rows == 1 ? d_.cuMemsetD16Async(box.dst, uint16_t(value), n, s)
                         : d_.cuMemsetD2D16Async(box.dst, box.row, uint16_t(value), n, box.rows, s);
  return box.rows == 1 ? d_.cuMemsetD8Async(box.dst, uint8_t(value), n, s)
                       : d_.cuMemsetD2D8Async(box.dst, box.row, uint8_t(value), n, box.rows, s);
}

}  // namespace dojo::cuda
