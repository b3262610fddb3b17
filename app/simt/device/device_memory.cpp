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
  if (!address) return {cuda_error::invalid_value};
  Region* r = bytes ? memory_.allocate(bytes, owner, std::move(name), std::move(where)) : nullptr;
  const auto& host = model_.host;
  const double megabytes = r ? double(bytes) / 1e6 : 0;  // a refusal costs the call alone
  charge(owner == Owner::pinned ? std::max(host.pinned_malloc_us, megabytes * host.pinned_malloc_mb_us)
                                : host.malloc_us + megabytes * host.malloc_mb_us,
         "allocate");
  if (bytes == 0) {  // as cudaMalloc: success, and a null pointer
    *address = 0;
    return {};
  }
  if (!r) return {cuda_error::memory_allocation};
  // What was never written reads as NaN or -1, so that a wrong program looks wrong. Beyond the limit it reads
  // as zero: touching every page of a huge buffer would cost more than it shows.
  if (bytes <= kPoisonLimit) std::memset(r->data, 0xFF, bytes);
  *address = r->base;
  return {};
}

CudaStatus SimtDevice::release(uint64_t address, SourceLoc where) {
  const Region* r = address ? memory_.find(address) : nullptr;
  const auto& host = model_.host;
  charge(r && r->owner == Owner::pinned
             ? std::max(host.pinned_free_us, double(r->size) / 1e6 * host.pinned_free_mb_us)
             : host.free_us + (r ? double(r->size) / 1e6 * host.free_mb_us : 0),
         "free");
  if (address == 0) return {};
  if (!r || r->base != address || r->freed || r->owner < Owner::pinned || r->owner == Owner::device_global ||
      r->owner == Owner::constant)
    return {cuda_error::invalid_value};
  synchronize();  // cudaFree waits for all work
  return memory_.release(address, std::move(where)) ? CudaStatus{} : CudaStatus{cuda_error::invalid_value};
}

CudaStatus SimtDevice::pin(uint64_t address, uint64_t bytes) {
  pinned_[address] = bytes;
  charge(model_.host.register_us + double(bytes) / 1e6 * model_.host.register_mb_us, "register");
  return {};
}

CudaStatus SimtDevice::unpin(uint64_t address) {
  const auto at = pinned_.find(address);
  if (at == pinned_.end()) return {cuda_error::not_registered};
  charge(model_.host.unregister_us + double(at->second) / 1e6 * model_.host.unregister_mb_us, "unregister");
  pinned_.erase(at);
  return {};
}

bool SimtDevice::pinned(uint64_t address, uint64_t bytes) const {
  auto after = pinned_.upper_bound(address);
  if (after == pinned_.begin()) return false;
  const auto [start, size] = *--after;
  return address - start <= size && bytes <= size - (address - start);
}

void SimtDevice::mark_written(uint64_t address, uint64_t bytes) {
  Region* r = memory_.find(address);
  if (!r) return;
  if (sampler_) repeated_.changed(*r);
  if (r->initialized) return;
  if (address == r->base && bytes >= r->size)
    r->initialized = true;
  else
    mark_initialized(*r, address - r->base, bytes);
}

/// A copy between host and device. A blocking one takes copy_us beside its bytes: until the engine starts, on
/// the engine, and until the host goes on.
void SimtDevice::over_the_link(Work::Kind kind, double bytes, double link_us, bool pinned, uint64_t stream,
                               bool blocking) {
  const auto& host = model_.host;
  const bool up = kind == Work::Kind::up;
  Work w;
  w.kind = kind;
  w.issued_us = clock_.host;
  w.lead_us = host.handover_us;
  w.link_us = link_us;
  const double set_up = up ? host.up_us : host.down_us;
  w.us = set_up + w.link_us;
  w.after = before(stream, &Stream::works);
  WorkSpan span;
  span.kind = up ? WorkSpan::Kind::up : WorkSpan::Kind::down;
  span.label = up ? "host to device" : "device to host";
  span.bytes = bytes;
  span.pinned = pinned;
  Stream* s = find_stream(stream);
  span.stream = s->index;
  const uint32_t number = hand_over(std::move(w), std::move(span));
  s->works = {number};
  if (!blocking) {
    if (!in_graph_) charge(host.copy_call_us, "copy");
    return;
  }
  const double back = std::max(0.0, host.copy_us - host.handover_us - set_up);
  hold_until(engines_.finish(number) + back, "copy");
}

/// Fills and copies within the device are work of it as kernels are: in a graph they take their time between
/// them.
void SimtDevice::inside(uint64_t stream, double us, double bytes, const char* what) {
  if (clock_.first < 0) clock_.first = clock_.device;
  clock_.device += us;
  clock_.last = std::max(clock_.last, clock_.device);
  if (!in_graph_) charge(model_.host.launch_us, what);
  Work w;
  w.kind = Work::Kind::inside;
  w.issued_us = clock_.host;
  w.us = us;
  w.after = before(stream, &Stream::works);
  WorkSpan span;
  span.kind = WorkSpan::Kind::inside;
  span.label = what;
  span.bytes = bytes;
  Stream* s = find_stream(stream);
  span.stream = s->index;
  s->works = {hand_over(std::move(w), std::move(span))};
}

/// A copy within the device beside the L2's misses: what is copied is added to the L2. Of 64 KiB and more,
/// data in the L2 are copied slower than DRAM's rates say, 4 MiB by a tenth (tests/microbench/copies.cu).
/// Copies of rows and of arrays have a lower rate, and a least time per row (array_copies.cu, row_copies.cu).
double SimtDevice::copy_us(const CopyBox& box) {
  uint64_t missed = 0;
  box.each_row([&](uint64_t dst, uint64_t src) {
    missed += hierarchy_.copied(dst, src, box.width);
    return true;
  });
  const double us = double(box.bytes()) * (1 / model_.memory.read_gbps + 1 / model_.memory.write_gbps) / 1e3;
  const auto& c = model_.copies;
  if (box.to.array) return c.into_array_us + us / c.into_array_share;
  if (box.from.array) return c.out_of_array_us + us / c.out_of_array_share;
  const uint64_t rows = box.rows * box.slices;
  if (rows > 1) return c.rows_us + std::max(us / c.rows_share, double(rows) * c.row_ns / 1e3);
  return model_.launch.small_copy_us + us +
         (missed ? (model_.latency.dram - model_.latency.l2) / model_.cycles_per_us() : 0);
}

double SimtDevice::host_move_us(uint64_t bytes) const {
  return double(bytes) / (model_.host.pageable_gbps * 1e3);
}

/// One span for calls that follow each other: a program may move single words.
void SimtDevice::note_host_move(uint64_t bytes) {
  const char* label = "move";
  if (!host_spans_.empty() && host_spans_.back().label == label && host_spans_.back().end_us == clock_.host) {
    host_spans_.back().end_us = clock_.host += host_move_us(bytes);
  } else {
    charge(host_move_us(bytes), label);
  }
}

CudaStatus SimtDevice::copy_box(const CopyBox& box, uint64_t stream, bool blocking) {
  if (broken_) return {cuda_error::launch_failure};
  if (!find_stream(stream)) return {cuda_error::invalid_resource_handle};
  if (box.empty()) return {};
  const uint64_t dst = box.to.base, src = box.from.base, bytes = box.bytes();
  std::byte* to = memory_.copyable(dst, box.span(box.to));
  const std::byte* from = memory_.copyable(src, box.span(box.from));
  if (!to || !from) return {cuda_error::invalid_value};
  const auto owner = [&](uint64_t address) {
    const Region* r = memory_.find(address);
    return r ? r->owner : Owner::host_heap;  // the process's own memory
  };
  const Owner a = owner(dst), b = owner(src);
  // The stream's queued kernels come first. Work of other streams is not ordered with the copy.
  if (queued_before(stream)) flush();
  box.each_row([&](uint64_t d, uint64_t s) {
    std::memmove(to + (d - dst), from + (s - src), box.width);
    mark_written(d, box.width);
    return true;
  });

  const bool host_a = a <= Owner::pinned, host_b = b <= Owner::pinned;
  if (host_a && host_b) {
    charge(host_move_us(bytes), "copy");
  } else if (host_a || host_b) {
    // A copy between the device and pageable memory holds the host until it is staged.
    const bool pinned = (host_a ? a : b) == Owner::pinned ||
                        this->pinned(host_a ? dst : src, box.span(host_a ? box.to : box.from));
    const uint64_t rows = box.rows * box.slices;
    const double rate = (pinned ? model_.host.pinned_gbps : model_.host.pageable_gbps) * 1e3;
    const double least = rows > 1 ? double(rows) * model_.copies.link_row_ns / 1e3 : 0;
    over_the_link(host_b ? Work::Kind::up : Work::Kind::down, double(bytes),
                  std::max(double(bytes) / rate, least), pinned, stream, (blocking || !pinned) && !in_graph_);
  } else {
    inside(stream, copy_us(box), double(bytes), "copy");
  }
  return {};
}

/// Small fills go another way than large ones, and what comes behind them starts later
/// (tests/microbench/fills.cu). Fills of rows go the way of large ones, with a least time per row
/// (fill_rows.cu).
double SimtDevice::fill_us(const FillBox& box) const {
  if (box.rows == 1 && box.width <= 4096) return model_.launch.small_fill_us;
  const double us = double(box.bytes()) / (model_.memory.write_gbps * 1e3);
  const double least = box.rows > 1 ? double(box.rows) * model_.copies.fill_row_ns / 1e3 : 0;
  return model_.launch.empty_us + std::max(us, least);
}

CudaStatus SimtDevice::fill_box(const FillBox& box, uint32_t value, uint64_t stream, bool) {
  if (broken_) return {cuda_error::launch_failure};
  if (!find_stream(stream)) return {cuda_error::invalid_resource_handle};
  if (box.empty()) return {};
  std::byte* to = memory_.at(box.dst, box.span());
  if (!to) return {cuda_error::invalid_value};
  if (queued_before(stream)) flush();
  box.fill(to, value);
  for (uint64_t y = 0; y < box.rows; ++y) mark_written(box.dst + y * box.row, box.width);
  inside(stream, fill_us(box), double(box.bytes()), "fill");
  return {};
}

bool SimtDevice::last_writer(uint64_t address, Dim3* block, Dim3* thread) {
  return simt::last_writer(memory_, address, block, thread);
}

}  // namespace dojo::simt
