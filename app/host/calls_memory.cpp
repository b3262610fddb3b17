// Memory of the CUDA runtime: allocation, copies, fills, symbols.
#include <driver_types.h>

#include "core/collections/rounding.hpp"
#include "host/graphs.hpp"
#include "host/runtime.hpp"
#include "host/state/memory_pool.hpp"
#include "host/state/pinned_memory.hpp"
#include "host/state/unawaited.hpp"

namespace dojo::host {
namespace {

using namespace cuda_error;

/// Allocates and stores the address where parameter 0 points; 0 bytes give a null pointer, as CUDA does.
void allocate_into(Call& c, uint64_t bytes, Owner owner) {
  uint64_t address = 0;
  if (bytes) {
    const CudaStatus s = c.rt.allocate(c, &address, bytes, owner);
    if (!s.ok()) return c.status(s);
  }
  c.store<uint64_t>(c.ptr(0), address);
  c.status(0);
}

/// cudaFree, cudaFreeAsync and cudaFreeHost, with a finding for what they can't free.
void free_device(Call& c) {
  const uint64_t a = c.ptr(0);
  if (!a) return c.status(0);
  Region* r = c.rt.memory().find(a);
  const std::string name = c.callee.name == "cudaFreeHost" ? "cudaFreeHost" : "cudaFree";
  const bool wants_pinned = name == "cudaFreeHost";
  if (!r || r->base != a) {
    c.rt.report(c, Severity::error, FindingKind::host_error,
                name + " of " + c.rt.describe(a) + ", which is not the start of an allocation");
    return c.status(invalid_value);
  }
  if (r->freed) {
    c.rt.report(c, Severity::error, FindingKind::use_after_free,
                name + " of " + named(*r, a) + ", which was freed before" + freed_at(*r) + ".");
    return c.status(invalid_value);
  }
  if (c.rt.graphs().owns(a) && !wants_pinned) return c.status(0);
  const bool pinned = r->owner == Owner::pinned;
  if (pinned != wants_pinned || (!pinned && r->owner != Owner::device && r->owner != Owner::managed)) {
    c.rt.report(c, Severity::error, FindingKind::wrong_space,
                name + " of " + c.rt.describe(a) + ", which is " + to_string(r->owner) + ": use " +
                    (pinned                                                    ? "cudaFreeHost"
                     : host_can_access(r->owner) && r->owner != Owner::managed ? "free"
                                                                               : "cudaFree"));
    return c.status(invalid_value);
  }
  c.status(c.rt.device().release(a, c.where));
}

/// cudaMallocAsync; of a captured stream an allocation node.
void allocate_in_stream(Call& c) {
  uint64_t stream = 0;
  if (!c.stream(2, &stream)) return;
  Graphs& graphs = c.rt.graphs();
  if (!graphs.captures(stream)) {
    allocate_into(c, c.ptr(1), Owner::device);
    if (c.succeeded()) c.rt.memory_pool().note_allocation(c.load<uint64_t>(c.ptr(0)), c.ptr(1));
    return;
  }
  uint64_t address = 0;
  if (const CudaStatus s = c.rt.allocate(c, &address, c.ptr(1), Owner::device); !s.ok()) return c.status(s);
  graphs.own(address, c.ptr(1));
  c.store<uint64_t>(c.ptr(0), address);
  GraphNode n;
  n.kind = GraphNode::Kind::allocation;
  n.where = c.where;
  c.status(graphs.add(stream, std::move(n)));
}
void free_in_capture(Call& c, uint64_t stream) {
  Graphs& graphs = c.rt.graphs();
  if (!graphs.owns(c.ptr(0)))
    return c.status(graphs.refuse(c, graph_error::capture_unsupported,
                                  "cudaFreeAsync: a graph frees only what it has allocated. Free " +
                                      c.rt.describe(c.ptr(0)) + " after the graph's last launch"));
  GraphNode n;
  n.kind = GraphNode::Kind::release;
  n.where = c.where;
  c.status(graphs.add(stream, std::move(n)));
}

void copy_2d(Call& c, uint64_t stream, bool blocking) {
  const uint64_t dst = c.ptr(0), dpitch = c.ptr(1), src = c.ptr(2), spitch = c.ptr(3), width = c.ptr(4),
                 height = c.ptr(5);
  if (width > dpitch || width > spitch) return c.status(cudaErrorInvalidPitchValue);
  c.status(c.rt.copy(c, {{dst, dpitch}, {src, spitch}, width, height}, c.i32(6), stream, blocking));
}

void fill_2d(Call& c, uint64_t stream, bool blocking) {
  const uint64_t dst = c.ptr(0), pitch = c.ptr(1), width = c.ptr(3), height = c.ptr(4);
  if (width > pitch) return c.status(cudaErrorInvalidPitchValue);
  c.status(c.rt.fill(c, {dst, pitch, width, height}, c.i32(2), stream, blocking));
}

/// Slices whose rows are all filled are one box. Else all rows from the first to the last are checked before
/// the first slice is filled, so that the loop is no longer than the allocation, whatever depth is asked for.
void fill_3d(Call& c, uint64_t stream, bool blocking) {
  const auto p = c.arg<cudaPitchedPtr>(0);
  const auto e = c.arg<cudaExtent>(2);
  const uint64_t at = reinterpret_cast<uint64_t>(p.ptr);
  if (e.width > p.pitch || e.height > p.ysize) return c.status(invalid_value);
  FillBox all{at, p.pitch, e.width, e.height};
  if (all.empty() || e.depth == 0) return c.status(0);
  if (__builtin_mul_overflow(uint64_t(p.ysize), uint64_t(e.depth - 1), &all.rows) ||
      __builtin_add_overflow(all.rows, uint64_t(e.height), &all.rows))
    all.rows = ~uint64_t(0);
  if (e.height == p.ysize || e.depth == 1) return c.status(c.rt.fill(c, all, c.i32(1), stream, blocking));
  CudaStatus s = c.rt.check_fill(c, all);
  for (uint64_t z = 0; z < e.depth && s.ok(); ++z)
    s = c.rt.fill(c, {at + z * p.pitch * p.ysize, p.pitch, e.width, e.height}, c.i32(1), stream, blocking);
  c.status(s);
}

/// Of the driver API: rows of elements of 1, 2 or 4 bytes; the width is in bytes. The arguments are those of
/// `cudaMemset2D`, and the bytes of an element.
void fill_elements(Call& c, uint64_t stream, bool blocking) {
  const FillBox box{c.ptr(0), c.ptr(1), c.ptr(3), c.ptr(4), uint32_t(c.i32(5))};
  if (box.width > box.row || box.dst % box.element || box.row % box.element)
    return c.status(cuda_error::invalid_value);
  c.status(c.rt.fill(c, box, c.i32(2), stream, blocking));
}

/// The region of the device variable at &symbol; false, with a finding and a status, if there is none.
bool symbol_region(Call& c, uint64_t address, Region** out) {
  if (NativeProgram* native = c.rt.native())
    if (const uint64_t variable = native->variable(address)) address = variable;
  Region* r = c.rt.memory().find(address);
  if (!r || r->base != address || host_can_access(r->owner) != (r->owner == Owner::managed)) {
    const bool text = r && r->name == constant_name;
    c.rt.report(c, Severity::error, FindingKind::wrong_space,
                text ? c.name() +
                           " gets a text in place of a variable. Pass the variable itself, without "
                           "quotation marks."
                     : c.name() + ": " + c.rt.describe(address) +
                           " is no __device__, __constant__ or __managed__ variable");
    c.status(cudaErrorInvalidSymbol);
    return false;
  }
  *out = r;
  return true;
}

void memcpy_symbol(Call& c) {
  Region* r = nullptr;
  uint64_t stream = 0;
  if (!symbol_region(c, c.ptr(0), &r) || !c.stream(6, &stream)) return;
  const uint64_t other = c.ptr(1), n = c.ptr(2), offset = c.ptr(3);
  const bool to_symbol = c.i32(4) != 0, blocking = c.i32(7) == 0;
  if (offset > r->size || n > r->size - offset) {
    c.rt.report(c, Severity::error, FindingKind::out_of_bounds,
                std::string(to_symbol ? "cudaMemcpyToSymbol writes " : "cudaMemcpyFromSymbol reads ") +
                    std::to_string(n) + " bytes at offset " + std::to_string(offset) + " of " + r->name +
                    ", which has " + std::to_string(r->size));
    return c.status(invalid_value);
  }
  // A number of elements in place of one of bytes: it would cut an element.
  if (n % 4 && (n * 4 == r->size || n * 8 == r->size))
    c.rt.report(c, Severity::warning, FindingKind::host_error,
                c.name() + " copies " + std::to_string(n) + " of the " + std::to_string(r->size) +
                    " bytes of " + r->name +
                    ". Its size is in bytes: multiply the number of elements by sizeof.");
  const uint64_t s = r->base + offset;
  c.status(to_symbol ? c.rt.copy(c, s, other, n, c.i32(5), stream, blocking)
                     : c.rt.copy(c, other, s, n, c.i32(5), stream, blocking));
}

void get_symbol(Call& c) {
  Region* r = nullptr;
  if (!symbol_region(c, c.ptr(0), &r)) return;
  if (c.ptr(1)) c.store<uint64_t>(c.ptr(1), r->base);
  if (c.ptr(2)) c.store<uint64_t>(c.ptr(2), r->size);
  c.status(0);
}

/// cudaMallocPitch: rows start at multiples of 512 bytes, as on GPUs (cudaDeviceProp::textureAlignment).
void malloc_pitch(Call& c) {
  const uint64_t width = c.ptr(2), height = c.ptr(3), pitch = round_up(width, 512);
  if (width > UINT64_MAX - 511 || (height && pitch > UINT64_MAX / height)) return c.status(memory_allocation);
  c.store<uint64_t>(c.ptr(1), pitch);
  allocate_into(c, pitch * height, Owner::device);
}

void pointer_attributes(Call& c) {
  cudaPointerAttributes a{};
  const Region* r = c.rt.memory().find(c.ptr(1));
  a.type = cudaMemoryTypeUnregistered;
  if (r && !r->freed) {
    if (r->owner == Owner::managed)
      a.type = cudaMemoryTypeManaged;
    else if (r->owner == Owner::pinned || c.rt.pinned().holds(c.ptr(1), 1))
      a.type = cudaMemoryTypeHost;
    else if (!host_can_access(r->owner))
      a.type = cudaMemoryTypeDevice;
    if (r->reached(c.ptr(1), 1).size) a.devicePointer = reinterpret_cast<void*>(c.ptr(1));
    if (host_can_access(r->owner)) a.hostPointer = reinterpret_cast<void*>(c.ptr(1));
  }
  c.store(c.ptr(0), a);
  c.status(0);
}

/// cudaHostRegister. In a native program the memory becomes a region: CUDA did not know of it before.
void host_register(Call& c) {
  const uint64_t address = c.ptr(0), bytes = c.ptr(1);
  if (address == 0 || bytes == 0) return c.status(invalid_value);
  if (c.rt.pinned().meets(address, bytes)) {
    c.rt.report(
        c, Severity::error, FindingKind::host_error,
        "cudaHostRegister of " + c.rt.describe(address) +
            ", which is registered: register it once, and call cudaHostUnregister before the next time");
    return c.status(already_registered);
  }
  if (!c.rt.native()) {
    Region* r = c.rt.memory().find(address);
    if (!r || r->freed || r->owner >= Owner::pinned || !r->contains(address, bytes)) {
      c.rt.report(
          c, Severity::error, FindingKind::host_error,
          "cudaHostRegister of " + std::to_string(bytes) + " bytes at " + c.rt.describe(address) +
              ": it pins live host memory of malloc, of a variable or of an array, within its bounds");
      return c.status(invalid_value);
    }
    r->registered.push_back({address, bytes});
    r->initialized = true;  // what host code has written of it is not followed
    c.rt.pinned().registered[address] = bytes;
    return c.status(c.rt.device().pin(address, bytes));
  }
  if (!c.rt.of_process(address)) return c.status(invalid_value);
  c.rt.pinned().registered[address] = bytes;
  c.rt.device().pin(address, bytes);
  Region* r = c.rt.memory().adopt(address, bytes, Owner::pinned,
                                  c.rt.name_at(c.where.line, "memory of cudaHostRegister"), c.where);
  r->data = reinterpret_cast<std::byte*>(address);
  r->initialized = true;
  c.status(0);
}

/// cudaHostGetFlags: all pinned memory is mapped.
void host_flags(Call& c) {
  const Region* r = c.rt.memory().find(c.ptr(1));
  if (!r || r->freed || (r->owner != Owner::pinned && !c.rt.pinned().holds(c.ptr(1), 1)))
    return c.status(invalid_value);
  const auto& flags = c.rt.pinned().flags;
  const auto at = flags.find(r->owner == Owner::pinned ? r->base : c.ptr(1));
  c.store<uint32_t>(c.ptr(0), cudaHostAllocMapped | (at == flags.end() ? 0 : at->second));
  c.status(0);
}

void host_unregister(Call& c) {
  if (!c.rt.pinned().registered.erase(c.ptr(0))) {
    c.rt.report(c, Severity::error, FindingKind::host_error,
                "cudaHostUnregister of " + c.rt.describe(c.ptr(0)) +
                    ", which is no address that cudaHostRegister got and that is still registered");
    return c.status(not_registered);
  }
  const CudaStatus s = c.rt.device().synchronize();
  c.rt.device().unpin(c.ptr(0));
  Region* r = c.rt.memory().find(c.ptr(0));
  if (!c.rt.native()) {
    c.rt.unawaited().clear();
    if (r) std::erase_if(r->registered, [&](const Region::Range& of) { return of.base == c.ptr(0); });
    return c.status(s);
  }
  r->data = nullptr;  // the pages stay the program's
  c.rt.memory().release(r->base, c.where);
  c.status(s);
}

const Entry memory_entries[] = {
    {"__cudaCDP2Malloc", [](Call& c) { allocate_into(c, c.ptr(1), Owner::device); }},
    {"__dojo_MallocAsync", allocate_in_stream},
    {"__dojo_MallocManaged", [](Call& c) { allocate_into(c, c.ptr(1), Owner::managed); }},
    {"__dojo_HostAlloc",
     [](Call& c) {
       allocate_into(c, c.ptr(1), Owner::pinned);
       if (c.succeeded()) c.rt.pinned().flags[c.load<uint64_t>(c.ptr(0))] = unsigned(c.i32(2));
     }},
    {"cudaHostGetFlags", host_flags},
    {"cudaMallocPitch", malloc_pitch},
    {"__cudaCDP2Free",
     [](Call& c) {
       free_device(c);
       if (c.succeeded()) c.rt.memory_pool().note_release(c.ptr(0));
     }},
    {"cudaFreeHost", free_device},
    {"cudaFreeAsync",
     [](Call& c) {
       uint64_t stream = 0;
       if (!c.stream(1, &stream)) return;
       if (c.rt.graphs().captures(stream)) return free_in_capture(c, stream);
       c.rt.device().synchronize_stream(stream);
       free_device(c);
       if (c.succeeded()) c.rt.memory_pool().note_release(c.ptr(0));
     }},
    {"__dojo_HostGetDevicePointer",
     [](Call& c) {
       const Region* r = c.rt.memory().find(c.ptr(1));
       // A real GPU does not have the addresses of memory that is registered here.
       const bool registered =
           c.rt.pinned().holds(c.ptr(1), 1) && c.rt.device().info().kind == DeviceKind::simt;
       if (!r || r->freed || (r->owner != Owner::pinned && !registered)) return c.status(invalid_value);
       c.store<uint64_t>(c.ptr(0), c.ptr(1));
       c.status(0);
     }},
    {"cudaHostRegister", host_register},
    {"cudaHostUnregister", host_unregister},
    {"__dojo_MemPrefetchAsync", [](Call& c) { c.status(0); }},
    {"cudaPointerGetAttributes", pointer_attributes},
    {"cudaMemGetInfo",
     [](Call& c) {
       const uint64_t total = c.rt.device().info().global_bytes, used = c.rt.memory().live_bytes();
       // A modelled GPU's memory is this computer's, which may have less.
       const bool modelled = c.rt.device().info().kind == DeviceKind::simt;
       const uint64_t free = total - std::min(total, used);
       c.store<uint64_t>(c.ptr(0), modelled ? std::min(free, c.rt.memory().free_bytes()) : free);
       c.store<uint64_t>(c.ptr(1), total);
       c.status(0);
     }},
    {"cudaMemcpy", [](Call& c) { c.status(c.rt.copy(c, c.ptr(0), c.ptr(1), c.ptr(2), c.i32(3), 0, true)); }},
    {"__cudaCDP2MemcpyAsync",
     [](Call& c) {
       uint64_t stream = 0;
       if (c.stream(4, &stream))
         c.status(c.rt.copy(c, c.ptr(0), c.ptr(1), c.ptr(2), c.i32(3), stream, false));
     }},
    {"cudaMemcpy2D", [](Call& c) { copy_2d(c, 0, true); }},
    {"__cudaCDP2Memcpy2DAsync",
     [](Call& c) {
       uint64_t stream = 0;
       if (c.stream(7, &stream)) copy_2d(c, stream, false);
     }},
    {"cudaMemset",
     [](Call& c) { c.status(c.rt.fill(c, FillBox::line(c.ptr(0), c.ptr(2)), c.i32(1), 0, true)); }},
    {"__cudaCDP2MemsetAsync",
     [](Call& c) {
       uint64_t stream = 0;
       if (c.stream(3, &stream))
         c.status(c.rt.fill(c, FillBox::line(c.ptr(0), c.ptr(2)), c.i32(1), stream, false));
     }},
    {"cudaMemset2D", [](Call& c) { fill_2d(c, 0, true); }},
    {"__cudaCDP2Memset2DAsync",
     [](Call& c) {
       uint64_t stream = 0;
       if (c.stream(5, &stream)) fill_2d(c, stream, false);
     }},
    {"cudaMemset3D", [](Call& c) { fill_3d(c, 0, true); }},
    {"__cudaCDP2Memset3DAsync",
     [](Call& c) {
       uint64_t stream = 0;
       if (c.stream(3, &stream)) fill_3d(c, stream, false);
     }},
    {"__dojo_MemsetElements", [](Call& c) { fill_elements(c, 0, true); }},
    {"__dojo_MemsetElementsAsync",
     [](Call& c) {
       uint64_t stream = 0;
       if (c.stream(6, &stream)) fill_elements(c, stream, false);
     }},
    {"__dojo_MemcpySymbol", memcpy_symbol},
    {"__dojo_GetSymbol", get_symbol},
};

}  // namespace

bool PinnedMemory::holds(uint64_t address, uint64_t bytes) const {
  auto after = registered.upper_bound(address);
  if (after == registered.begin()) return false;
  const auto [start, size] = *--after;
  return address - start <= size && bytes <= size - (address - start);
}

bool PinnedMemory::meets(uint64_t address, uint64_t bytes) const {
  const auto next = registered.lower_bound(address);
  if (next != registered.end() && next->first - address < bytes) return true;
  return next != registered.begin() && address - std::prev(next)->first < std::prev(next)->second;
}

std::span<const Entry> memory_calls() { return memory_entries; }

}  // namespace dojo::host
