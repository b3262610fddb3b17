// Streams and events of the SIMT device, with the legacy default stream's rule: its work waits for all
// earlier work of blocking streams, and their later work waits for it.
#include <algorithm>

#include "simt/device/device_simt.hpp"

namespace dojo::simt {
namespace {
// Handles that the runtime gives a meaning: cudaStreamLegacy is the default stream; a program of one host
// thread can't tell cudaStreamPerThread from it but by its order with other streams, which is taken as the
// default stream's.
constexpr uint64_t kLegacy = 1, kPerThread = 2;
uint64_t plain(uint64_t stream) { return stream == kLegacy || stream == kPerThread ? 0 : stream; }
constexpr double kEventCost =
    1.0;  // microseconds of the host a record takes (event pair around nothing: 1.3)

void join(std::vector<uint32_t>& to, const std::vector<uint32_t>& more) {
  to.insert(to.end(), more.begin(), more.end());
  std::sort(to.begin(), to.end());
  to.erase(std::unique(to.begin(), to.end()), to.end());
}
}  // namespace

SimtDevice::Stream* SimtDevice::find_stream(uint64_t id) {
  auto s = streams_.find(plain(id));
  return s == streams_.end() ? nullptr : &s->second;
}

std::vector<uint32_t> SimtDevice::before(uint64_t stream) {
  Stream* own = find_stream(stream);
  std::vector<uint32_t> after = own->tail;
  if (own == &streams_[0]) {
    for (auto& [id, s] : streams_)
      if (!s.non_blocking) join(after, s.tail);
  } else if (!own->non_blocking) {
    join(after, streams_[0].tail);
  }
  return after;
}

double SimtDevice::ready_at(uint64_t stream) const {
  const auto own = streams_.find(plain(stream));
  double t = own->second.free_at;
  for (const auto& [id, s] : streams_)
    if (!s.non_blocking && !own->second.non_blocking && (own->first == 0 || id == 0))
      t = std::max(t, s.free_at);
  return t;
}

uint64_t SimtDevice::create_stream(int priority, bool non_blocking) {
  const uint64_t id = 0x100 + next_handle_ * 0x10;
  Stream s;
  s.index = int(next_handle_);
  s.priority = priority;
  s.non_blocking = non_blocking;
  ++next_handle_;
  streams_[id] = s;
  return id;
}

CudaStatus SimtDevice::destroy_stream(uint64_t id) {
  if (plain(id) == 0 || !streams_.count(id)) return {cuda_error::invalid_resource_handle};
  if (!streams_[id].tail.empty()) flush();  // its work still runs; nothing can be added to it
  streams_.erase(id);
  return {};
}

uint64_t SimtDevice::create_event() {
  const uint64_t id = 0x100000 + next_handle_++ * 0x10;
  events_[id] = {};
  return id;
}

CudaStatus SimtDevice::record_event(uint64_t event, uint64_t stream) {
  auto e = events_.find(event);
  if (e == events_.end() || !find_stream(stream)) return {cuda_error::invalid_resource_handle};
  e->second.recorded = true;
  e->second.after = before(stream);
  e->second.time = std::max(clock_.host, ready_at(stream));
  clock_.host += kEventCost;
  return {};
}

CudaStatus SimtDevice::wait_event(uint64_t stream, uint64_t event) {
  auto e = events_.find(event);
  Stream* s = find_stream(stream);
  if (e == events_.end() || !s) return {cuda_error::invalid_resource_handle};
  join(s->tail, e->second.after);
  s->free_at = std::max(s->free_at, e->second.time);
  return {};
}

CudaStatus SimtDevice::elapsed(float* ms, uint64_t start, uint64_t stop) {
  auto a = events_.find(start), b = events_.find(stop);
  if (a == events_.end() || b == events_.end() || !a->second.recorded || !b->second.recorded)
    return {cuda_error::invalid_resource_handle};
  if (!a->second.after.empty() || !b->second.after.empty()) return {cuda_error::not_ready};
  *ms = float((b->second.time - a->second.time) / 1e3);
  return {};
}

CudaStatus SimtDevice::synchronize() {
  if (broken_) return {cuda_error::launch_failure};
  flush();
  for (const auto& [id, s] : streams_) clock_.host = std::max(clock_.host, s.free_at);
  clock_.host += model_.host.sync_us;
  return {};
}

CudaStatus SimtDevice::synchronize_stream(uint64_t id) {
  if (broken_) return {cuda_error::launch_failure};
  Stream* s = find_stream(id);
  if (!s) return {cuda_error::invalid_resource_handle};
  if (!before(id).empty()) flush();
  clock_.host = std::max(clock_.host, ready_at(id)) + model_.host.sync_us;
  return {};
}

}  // namespace dojo::simt
