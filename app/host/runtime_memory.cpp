// Memory as host code sees it: reads and writes, allocations, copies and fills, each checked against the
// regions that the device knows.
#include <algorithm>

#include "core/error.hpp"
#include "core/text/numbers.hpp"
#include "host/graphs.hpp"
#include "host/runtime.hpp"
#include "host/state/pinned_memory.hpp"
#include "host/state/unawaited.hpp"
#include "simt/checks/host_view.hpp"
#include "simt/textures/image.hpp"

namespace dojo::host {

std::string named(const Region& r, uint64_t address) {
  const std::string name = r.name.empty() ? to_string(r.owner) : r.name;
  return address == r.base ? name : name + " + " + std::to_string(address - r.base);
}

std::string freed_at(const Region& r) {
  return r.released.line ? " at line " + std::to_string(r.released.line) : std::string();
}

std::byte* Runtime::bytes(const Call& c, uint64_t address, uint64_t n, bool write) {
  static std::byte nothing[16];
  if (n == 0) return nothing;
  if (of_process(address)) return reinterpret_cast<std::byte*>(address);
  Region* r = memory().find(address);
  const std::string what = c.name() + (write ? " writes " : " reads ");
  if (!r || address - r->base >= r->size)
    stop(c, FindingKind::out_of_bounds,
         what + grouped(double(n)) + " bytes at " + describe(address) + ", which is no live allocation");
  if (r->freed)
    stop(c, FindingKind::use_after_free,
         what + named(*r, address) + ", which was freed" + freed_at(*r) + ".");
  if (!host_can_access(r->owner))
    stop(c, FindingKind::wrong_space,
         what + describe(address) + ", which is " + to_string(r->owner) +
             ": host code can't reach it, copy it with cudaMemcpy first");
  if (!r->contains(address, n))
    stop(c, FindingKind::out_of_bounds,
         what + grouped(double(n)) + " bytes at " + describe(address) + ", past the end of its " +
             grouped(double(r->size)) + " bytes");
  std::byte* p = memory().at(address, n);
  if (!p) stop(c, FindingKind::wrong_space, what + describe(address) + ", which lives on the GPU");
  if (r->owner >= Owner::pinned || !r->registered.empty()) {
    if (!write) work_.mapped_reads += int64_t(n);
    if (const simt::InFlight* f = simt::host_touch(*r, address, n, write))
      stop(c, FindingKind::race, simt::too_early(describe(address), *f, write));
  }
  return p;
}

std::string Runtime::name_at(int line, const char* otherwise) const {
  auto it = allocation_names_.find(line);
  return it != allocation_names_.end() && !it->second.empty()
             ? it->second
             : std::string(otherwise) + (line ? " at line " + std::to_string(line) : "");
}

CudaStatus Runtime::allocate(const Call& c, uint64_t* address, uint64_t n, Owner owner) {
  const char* otherwise = owner == Owner::managed  ? "cudaMallocManaged"
                          : owner == Owner::pinned ? "cudaMallocHost"
                                                   : "cudaMalloc";
  std::string name = native_ ? native_->allocated_at(c.where) : std::string();
  if (name.empty()) name = name_at(c.where.line, otherwise);
  const CudaStatus s = device_.allocate(address, n, owner, std::move(name), c.where);
  if (!s.ok()) return s;
  if (native_ && owner != Owner::device) {
    // Native code writes here unseen: nothing can be said of what it left unwritten.
    Region* r = memory().find(*address);
    std::memset(r->data, 0, n);
    r->initialized = true;
  }
  allocations_.insert(*address);
  return s;
}

uint64_t Runtime::host_allocate(const Call& c, uint64_t n, bool zero) {
  Region* r = memory().allocate(n, Owner::host_heap, name_at(c.where.line, "malloc"), c.where);
  if (!r) return 0;
  if (zero) {
    std::memset(r->data, 0, n);
    r->initialized = true;
  }
  return r->base;
}

void Runtime::host_free(const Call& c, uint64_t address) {
  if (!address) return;
  Region* r = memory().find(address);
  if (r && r->base == address && r->owner == Owner::host_heap && !r->freed) {
    const auto& registered = pinned().registered;
    const auto inside = registered.lower_bound(address);
    if (!r->registered.empty() && inside != registered.end() && inside->first < address + r->size)
      report(c, Severity::error, FindingKind::host_error,
             "free() of " + r->name + ", which is still registered: call cudaHostUnregister() first");
    memory().release(address, c.where);
    return;
  }
  if (r && r->freed)
    stop(c, FindingKind::use_after_free,
         "free() of " + named(*r, address) + ", which was freed before" + freed_at(*r) + ".");
  if (r && r->owner >= Owner::pinned)
    stop(c, FindingKind::wrong_space,
         "free() of " + std::string(to_string(r->owner)) + " (" + describe(address) + "): use " +
             (r->owner == Owner::pinned ? "cudaFreeHost" : "cudaFree"));
  stop(c, FindingKind::host_error, "free() of " + describe(address) + ", which malloc did not return");
}

namespace {
/// What memory that a copy's direction calls device (else host) memory is, and what to do: "is host memory,
/// but cudaMemcpyHostToDevice says device memory. ...".
std::string wrong_direction(const std::string& call, int kind, bool device) {
  static const char* const names[] = {"cudaMemcpyHostToHost", "cudaMemcpyHostToDevice",
                                      "cudaMemcpyDeviceToHost", "cudaMemcpyDeviceToDevice"};
  std::string says = names[kind], advice = "Check the direction and the order of the pointers.";
  // A copy to or from a symbol may leave the direction out.
  const bool to = call.starts_with("cudaMemcpyToSymbol"), from = call.starts_with("cudaMemcpyFromSymbol");
  if ((to && kind == 1) || (from && kind == 2)) {
    says += " (the default)";
    advice = "Pass cudaMemcpyDeviceToDevice.";
  }
  return std::string(" is ") + (device ? "host" : "device") + " memory, but " + says + " says " +
         (device ? "device" : "host") + " memory. " + advice;
}
}  // namespace

CudaStatus Runtime::copy(Call& c, const CopyBox& box, int kind, uint64_t stream, bool blocking) {
  if (box.empty()) return {};
  if (const CudaStatus s = check_copy(c, box, kind); !s.ok()) return s;
  if (const int refused = graphs().refuse_default_stream(c, stream)) return {refused};
  if (!graphs().captures(stream)) return copy_checked(c, box, stream, blocking);
  GraphNode node;
  node.kind = GraphNode::Kind::copy;
  node.box = box;
  node.where = c.where;
  return graphs().add(stream, std::move(node));
}

CudaStatus Runtime::check_copy(const Call& c, const CopyBox& box, int kind) {
  if (box.empty()) return {};
  const CudaStatus s = check_copy_side(c, box.to.base, box.span(box.to), kind, true, &box);
  return s.ok() ? check_copy_side(c, box.from.base, box.span(box.from), kind, false, &box) : s;
}

CudaStatus Runtime::check_copy_side(const Call& c, uint64_t address, uint64_t n, int kind, bool destination,
                                    const CopyBox* rows) {
  if (n == 0) return {};
  if (kind < 0 || kind > 4) return {cuda_error::invalid_memcpy_direction};
  const bool device = kind == 3 || kind == (destination ? 1 : 2);  // by the direction
  const bool checked = kind != 4;
  Region* r = memory().find(address);
  const std::string what = c.name() + ": its " + (destination ? "destination " : "source ");
  if (of_process(address)) {
    if (!checked || !device) return {};
    report(c, Severity::error, FindingKind::wrong_space,
           what.substr(0, what.size() - 1) + wrong_direction(c.name(), kind, device));
    return {cuda_error::invalid_value};
  }
  if (!r || (address - r->base >= r->size)) {
    if (checked && !device)
      stop(c, FindingKind::out_of_bounds, what + describe(address) + " is no live allocation");
    report(c, Severity::error, FindingKind::out_of_bounds,
           what + describe(address) + " is no live allocation");
    return {cuda_error::invalid_value};
  }
  if (r->freed) {
    const std::string words =
        what + named(*r, address) + " was freed" + freed_at(*r) + ". Free it after its last use.";
    if (checked && !device) stop(c, FindingKind::use_after_free, words);
    report(c, Severity::error, FindingKind::use_after_free, words);
    return {cuda_error::invalid_value};
  }
  const bool either = r->owner == Owner::managed || r->owner == Owner::pinned;
  if (checked && !either && host_can_access(r->owner) == device) {
    report(c, Severity::error, FindingKind::wrong_space,
           what + named(*r, address) + wrong_direction(c.name(), kind, device));
    return {cuda_error::invalid_value};
  }
  if (!r->contains(address, n)) {
    std::string what = grouped(double(n)) + " bytes";
    if (rows && rows->rows * rows->slices != 1) {
      const CopyBox::Side& side = destination ? rows->to : rows->from;
      what = grouped(double(rows->rows)) + " rows of " + grouped(double(rows->width)) + " bytes, " +
             grouped(double(side.row)) + " apart, in " + std::to_string(rows->slices) + " slices";
      if (rows->slices == 1) what.resize(what.rfind(", in"));
    }
    const std::string words = c.name() + (destination ? " writes " : " reads ") + what + " at " +
                              describe(address) + ", which has " +
                              grouped(double(r->size - (address - r->base))) + " bytes left";
    if (host_can_access(r->owner)) stop(c, FindingKind::out_of_bounds, words);
    report(c, Severity::error, FindingKind::out_of_bounds, words);
    return {cuda_error::invalid_value};
  }
  return {};
}

CudaStatus Runtime::copy_checked(Call& c, const CopyBox& box, uint64_t stream, bool blocking) {
  if (box.empty()) return {};
  unawaited().note_copy(c, box, stream, blocking);
  work_.copied_bytes += int64_t(box.bytes());
  if (!native_) {
    const std::array<uint64_t, 2> ends = {memory().find(box.to.base)->base,
                                          memory().find(box.from.base)->base};
    if (std::find(work_.copied.begin(), work_.copied.end(), ends) == work_.copied.end() &&
        work_.copied.size() < 4096)
      work_.copied.push_back(ends);
  }
  const CudaStatus s = device_.copy_box(box.joined(), stream, blocking);
  if (blocking) unawaited().clear();
  return s;
}

CudaStatus Runtime::fill(Call& c, const FillBox& box, int value, uint64_t stream, bool blocking) {
  if (box.empty()) return {};
  if (const CudaStatus s = check_fill(c, box); !s.ok()) return s;
  if (const int refused = graphs().refuse_default_stream(c, stream)) return {refused};
  const uint32_t pattern = box.element == 1 ? uint8_t(value) : uint32_t(value);
  if (!graphs().captures(stream)) return device_.fill_box(box.joined(), pattern, stream, blocking);
  GraphNode node;
  node.kind = GraphNode::Kind::fill;
  node.filled = box.joined(), node.value = pattern;
  node.where = c.where;
  return graphs().add(stream, std::move(node));
}

CudaStatus Runtime::check_fill(const Call& c, const FillBox& box) {
  if (box.empty()) return {};
  const uint64_t dst = box.dst;
  Region* r = memory().find(dst);
  const std::string name = c.name();
  if (of_process(dst)) {
    report(c, Severity::error, FindingKind::wrong_space,
           name + " of a host pointer: for host memory use memset");
    return {cuda_error::invalid_value};
  }
  if (!r || r->freed || dst - r->base >= r->size) {
    report(c, Severity::error, r && r->freed ? FindingKind::use_after_free : FindingKind::out_of_bounds,
           name + " of " + describe(dst) + ", which is no live allocation");
    return {cuda_error::invalid_value};
  }
  if (!device_can_access(r->owner)) {
    report(
        c, Severity::error, FindingKind::wrong_space,
        name + " of " + describe(dst) + ", which is " + to_string(r->owner) + ": for host memory use memset");
    return {cuda_error::invalid_value};
  }
  if (!r->contains(dst, box.span())) {
    std::string what = grouped(double(box.width)) + " bytes";
    if (box.rows > 1)
      what = grouped(double(box.rows)) + " rows of " + what + ", " + grouped(double(box.row)) + " apart,";
    report(c, Severity::error, FindingKind::out_of_bounds,
           name + " writes " + what + " at " + describe(dst) + ", which has " +
               grouped(double(r->size - (dst - r->base))) + " left");
    return {cuda_error::invalid_value};
  }
  return {};
}

}  // namespace dojo::host
