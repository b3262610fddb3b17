// Allocations, copies and fills of the SIMT device, and what they cost the host.
#include <algorithm>
#include <cstring>

#include "simt/checks/shadow.hpp"
#include "simt/device/device_simt.hpp"

namespace dojo::simt {
namespace {
constexpr uint64_t kPoisonLimit = uint64_t(256) << 20;
}

CudaStatus SimtDevice::allocate(uint64_t* address, uint64_t bytes, Owner owner, std::string name,
                                SourceLoc where) {
  clock_.host += model_.host.malloc_us;
  if (!address) return {cuda_error::invalid_value};
  if (bytes == 0) {  // as cudaMalloc: success, and a null pointer
    *address = 0;
    return {};
  }
  Region* r = memory_.allocate(bytes, owner, std::move(name), std::move(where));
  if (!r) return {cuda_error::memory_allocation};
  // What was never written reads as NaN or -1, so that a wrong program looks wrong. Beyond the limit it reads
  // as zero: touching every page of a huge buffer would cost more than it shows.
  if (bytes <= kPoisonLimit) std::memset(r->data, 0xFF, bytes);
  *address = r->base;
  return {};
}

CudaStatus SimtDevice::release(uint64_t address, SourceLoc where) {
  clock_.host += model_.host.free_us;
  if (address == 0) return {};
  const Region* r = memory_.find(address);
  if (!r || r->base != address || r->freed || r->owner < Owner::pinned || r->owner == Owner::device_global ||
      r->owner == Owner::constant)
    return {cuda_error::invalid_value};
  synchronize();  // cudaFree waits for all work
  return memory_.release(address, std::move(where)) ? CudaStatus{} : CudaStatus{cuda_error::invalid_value};
}

void SimtDevice::mark_written(uint64_t address, uint64_t bytes) {
  Region* r = memory_.find(address);
  if (!r || r->initialized) return;
  if (address == r->base && bytes >= r->size)
    r->initialized = true;
  else
    mark_initialized(*r, address - r->base, bytes);
}

void SimtDevice::transfer(uint64_t stream, double us, bool blocking) {
  const double end = std::max(clock_.host, ready_at(stream)) + us;
  if (Stream* s = find_stream(stream)) s->free_at = end;
  if (blocking) clock_.host = end;
}

CudaStatus SimtDevice::copy(uint64_t dst, uint64_t src, uint64_t bytes, uint64_t stream, bool blocking) {
  if (broken_) return {cuda_error::launch_failure};
  if (!find_stream(stream)) return {cuda_error::invalid_resource_handle};
  if (bytes == 0) return {};
  std::byte* to = memory_.copyable(dst, bytes);
  const std::byte* from = memory_.copyable(src, bytes);
  if (!to || !from) return {cuda_error::invalid_value};
  const auto owner = [&](uint64_t address) {
    const Region* r = memory_.find(address);
    return r ? r->owner : Owner::host_heap;  // the process's own memory
  };
  const Owner a = owner(dst), b = owner(src);
  // The stream's queued kernels come first. Work of other streams is not ordered with the copy.
  if (!before(stream).empty()) flush();
  std::memmove(to, from, bytes);
  mark_written(dst, bytes);

  const bool host_a = a <= Owner::pinned, host_b = b <= Owner::pinned;
  if (host_a && host_b) {
    clock_.host += double(bytes) / (model_.host.pageable_gbps * 1e3);
  } else if (host_a || host_b) {
    const bool pinned = (host_a ? a : b) == Owner::pinned;
    const double gbps = pinned ? model_.host.pinned_gbps : model_.host.pageable_gbps;
    // A copy between the device and pageable memory holds the host until it is staged.
    transfer(stream, model_.host.copy_us + double(bytes) / (gbps * 1e3), blocking || !pinned);
  } else {
    // (tests/microbench/copies.cu; of 64 KiB and more what is in the L2 is copied slower than DRAM's rates
    // say, 4 MiB by a tenth.)
    const uint64_t missed = hierarchy_.copied(dst, src, bytes);
    const double us = model_.launch.small_copy_us +
                      (missed ? (model_.latency.dram - model_.latency.l2) / model_.cycles_per_us() : 0) +
                      double(bytes) * (1 / model_.memory.read_gbps + 1 / model_.memory.write_gbps) / 1e3;
    clock_.host += model_.host.launch_us;
    on_device(us);
    transfer(stream, us, false);
  }
  return {};
}

/// Fills and copies within the device are work of it as kernels are: in a graph they take their time between
/// them.
void SimtDevice::on_device(double us) {
  if (clock_.first < 0) clock_.first = clock_.device;
  clock_.device += us;
  clock_.last = std::max(clock_.last, clock_.device);
}

CudaStatus SimtDevice::fill(uint64_t dst, uint8_t value, uint64_t bytes, uint64_t stream, bool) {
  if (broken_) return {cuda_error::launch_failure};
  if (!find_stream(stream)) return {cuda_error::invalid_resource_handle};
  if (bytes == 0) return {};
  std::byte* to = memory_.at(dst, bytes);
  if (!to) return {cuda_error::invalid_value};
  if (!before(stream).empty()) flush();
  std::memset(to, value, bytes);
  mark_written(dst, bytes);
  // Small fills go another way than large ones, and what comes behind them starts later
  // (tests/microbench/fills.cu).
  const double us = bytes <= 4096 ? model_.launch.small_fill_us
                                  : model_.launch.empty_us + double(bytes) / (model_.memory.write_gbps * 1e3);
  clock_.host += model_.host.launch_us;
  on_device(us);
  transfer(stream, us, false);
  return {};
}

bool SimtDevice::last_writer(uint64_t address, Dim3* block, Dim3* thread) {
  return simt::last_writer(memory_, address, block, thread);
}

}  // namespace dojo::simt
