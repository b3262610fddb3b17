// Calls of the device while its launches run on another thread (HostBeside). Copies and queries of streams
// that have no part in what runs go on; what comes after it, or would change the module, waits.
#include <algorithm>
#include <cstring>

#include "simt/device/device_simt.hpp"

namespace dojo::simt {

void SimtDevice::wait_until_idle() {
  if (!running_) return;
  if (!host_->wait_for_kernels([this] { return !running_; })) {
    running_ = nullptr;
    broken_ = true;
    Diagnostic d;
    d.kind = FindingKind::host_error;
    d.message =
        "A process that was made by fork() while a kernel waited for host code can't make CUDA calls: fork "
        "before the first CUDA call.";
    stop_ = RunStopped(Status::finding, std::move(d));
  }
  if (broken_) throw RunStopped(stop_);
}

bool SimtDevice::runs_before(uint64_t stream) {
  if (!running_) return false;
  const auto runs = [this](uint64_t id) { return running_->tails.count(id) > 0; };
  if (runs(stream)) return true;
  if (stream == 0)
    return std::any_of(running_->tails.begin(), running_->tails.end(), [this](const auto& t) {
      const Stream* s = find_stream(t.first);
      return !s || !s->non_blocking;
    });
  const Stream* own = find_stream(stream);
  return own && !own->non_blocking && runs(0);
}

bool SimtDevice::event_runs(uint64_t event) const {
  const auto e = events_.find(event);
  return running_ && e != events_.end() && e->second.waits;
}

PendingWork SimtDevice::pending_work() const {
  if (queue_.empty() && held_.empty()) return PendingWork::none;
  const auto seen = [this](const Queued& q) {
    const std::vector<std::byte>& params = q.node.spec.params;
    for (size_t o = 0; o + 8 <= params.size(); o += 8) {
      uint64_t address = 0;
      std::memcpy(&address, params.data() + o, 8);
      const Region* r = const_cast<AddressSpace&>(memory_).find(address);
      if (r && r->on_both()) return true;
    }
    return false;
  };
  bool host_sees = std::any_of(queue_.begin(), queue_.end(), seen);
  for (const Held& h : held_) host_sees |= std::any_of(h.queue.begin(), h.queue.end(), seen);
  return host_sees ? PendingWork::host_sees : PendingWork::some;
}

PendingWork pending_work(const Device& device) {
  const auto* machine = dynamic_cast<const SimtDevice*>(&device);
  return machine ? machine->pending_work() : PendingWork::none;
}

void run_beside(Device& device, HostBeside* host) {
  if (auto* machine = dynamic_cast<SimtDevice*>(&device)) machine->run_beside(host);
}

void run_queued(Device& device) {
  if (auto* machine = dynamic_cast<SimtDevice*>(&device)) machine->run_queued();
}

uint64_t repeated_launches(const Device& device) {
  const auto* machine = dynamic_cast<const SimtDevice*>(&device);
  return machine ? machine->repeated_launches() : 0;
}

bool may_wait(Device& device, const ptx::Function& kernel) {
  auto* machine = dynamic_cast<SimtDevice*>(&device);
  return machine && machine->may_wait(kernel);
}

bool kernels_run(const Device& device) {
  const auto* machine = dynamic_cast<const SimtDevice*>(&device);
  return machine && machine->runs();
}

bool stream_runs(Device& device, uint64_t stream) {
  auto* machine = dynamic_cast<SimtDevice*>(&device);
  return machine && machine->stream_runs(stream);
}

bool event_runs(Device& device, uint64_t event) {
  const auto* machine = dynamic_cast<const SimtDevice*>(&device);
  return machine && machine->event_runs(event);
}

}  // namespace dojo::simt
