// What a stream was made with, and attributes of streams. The answers for streams that nothing was set of are
// those of an H200 on 2026-11-29 (CUDA 13.0, driver 580).
#include <driver_types.h>

#include <algorithm>

#include "host/runtime.hpp"
#include "host/state/streams.hpp"

namespace dojo::host {
namespace {

using namespace cuda_error;

using StreamValue = std::array<std::byte, 64>;
static_assert(sizeof(cudaLaunchAttributeValue) == sizeof(StreamValue));

int stream_priority(const Streams& streams, uint64_t own) {
  const auto at = streams.settings.find(own);
  return at == streams.settings.end() ? 0 : at->second.priority;
}

void set_stream_priority(Streams& streams, uint64_t own, int priority) {
  StreamSettings& s = streams.settings[own];
  s.priority = clamped_priority(priority);
  s.priority_changed = true;
}

/// Bytes of an attribute that streams have; 0: they have it not.
size_t attribute_bytes(int id) {
  switch (id) {
    case cudaLaunchAttributeAccessPolicyWindow:
      return sizeof(cudaAccessPolicyWindow);
    case cudaLaunchAttributeSynchronizationPolicy:
    case cudaLaunchAttributePriority:
    case cudaLaunchAttributeMemSyncDomain:
      return 4;
    case cudaLaunchAttributeMemSyncDomainMap:
      return sizeof(cudaLaunchMemSyncDomainMap);
    default:
      return 0;
  }
}

void get_stream_priority(Call& c) {
  uint64_t own = 0;
  if (!c.stream(0, &own)) return;
  c.store<int32_t>(c.ptr(1), stream_priority(c.rt.streams(), own));
  c.status(0);
}

void get_stream_flags(Call& c) {
  uint64_t own = 0;
  if (!c.stream(0, &own)) return;
  c.store<uint32_t>(c.ptr(1),
                    c.rt.streams().non_blocking.contains(own) ? cudaStreamNonBlocking : cudaStreamDefault);
  c.status(0);
}

/// A number of its own for each stream of the program.
void get_stream_id(Call& c) {
  uint64_t own = 0;
  if (!c.stream(0, &own)) return;
  c.store<uint64_t>(c.ptr(1), own + 1);
  c.status(0);
}

void get_stream_device(Call& c) {
  uint64_t own = 0;
  if (!c.stream(0, &own)) return;
  c.store<int32_t>(c.ptr(1), 0);
  c.status(0);
}

void get_stream_attribute(Call& c) {
  uint64_t own = 0;
  if (!c.stream(0, &own)) return;
  const int id = c.i32(1);
  const size_t bytes = attribute_bytes(id);
  if (!bytes) return c.status(invalid_value);
  StreamValue value{};
  if (id == cudaLaunchAttributeSynchronizationPolicy) std::fill_n(value.begin(), 4, std::byte{0xff});
  if (id == cudaLaunchAttributeMemSyncDomainMap) value[1] = std::byte{1};
  if (const auto at = c.rt.streams().settings.find(own); at != c.rt.streams().settings.end())
    if (const auto set = at->second.attributes.find(id); set != at->second.attributes.end())
      value = set->second;
  const int32_t priority = stream_priority(c.rt.streams(), own);
  if (id == cudaLaunchAttributePriority) std::memcpy(value.data(), &priority, sizeof priority);
  std::memcpy(c.write(c.ptr(2), bytes), value.data(), bytes);
  c.status(0);
}

/// Policies for the L2 cache and for waiting are taken, and not modelled.
void set_stream_attribute(Call& c) {
  uint64_t own = 0;
  if (!c.stream(0, &own)) return;
  const int id = c.i32(1);
  const size_t bytes = attribute_bytes(id);
  if (!bytes) return c.status(invalid_value);
  if (id == cudaLaunchAttributePriority) {
    set_stream_priority(c.rt.streams(), own, c.load<int32_t>(c.ptr(2)));
    return c.status(0);
  }
  StreamValue value{};
  std::memcpy(value.data(), c.read(c.ptr(2), bytes), bytes);
  c.rt.streams().settings[own].attributes[id] = value;
  c.status(0);
}

/// cudaStreamCopyAttributes(to, from).
void copy_stream_attributes(Call& c) {
  uint64_t to = 0, from = 0;
  if (!c.stream(0, &to) || !c.stream(1, &from)) return;
  if (to != from) {
    c.rt.streams().settings[to].attributes = c.rt.streams().settings[from].attributes;
    set_stream_priority(c.rt.streams(), to, stream_priority(c.rt.streams(), from));
  }
  c.status(0);
}

/// cudaStreamAttachMemAsync. Managed memory may be used on both sides at once here, so that nothing follows.
void attach_memory(Call& c) {
  uint64_t own = 0;
  if (!c.stream(0, &own)) return;
  const uint64_t at = c.ptr(1), bytes = c.ptr(2);
  const unsigned flags = unsigned(c.i32(3));
  const Region* r = c.rt.memory().find(at);
  const bool whole =
      r && !r->freed && r->owner == Owner::managed && r->base == at && (bytes == 0 || bytes == r->size);
  const bool to_one = flags == cudaMemAttachSingle;
  const bool known = to_one || flags == cudaMemAttachGlobal || flags == cudaMemAttachHost;
  c.status(whole && known && (!to_one || own != 0) ? 0 : invalid_value);
}

const Entry stream_attribute_entries[] = {
    {"cudaStreamGetPriority", get_stream_priority},
    {"cudaStreamGetFlags", get_stream_flags},
    {"cudaStreamGetId", get_stream_id},
    {"cudaStreamGetDevice", get_stream_device},
    {"cudaStreamGetAttribute", get_stream_attribute},
    {"cudaStreamSetAttribute", set_stream_attribute},
    {"cudaStreamCopyAttributes", copy_stream_attributes},
    {"__dojo_StreamAttachMemAsync", attach_memory},
};

}  // namespace

std::span<const Entry> stream_attribute_calls() { return stream_attribute_entries; }

}  // namespace dojo::host
