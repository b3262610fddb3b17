// Streams, events, and waiting.
#include "host/graphs.hpp"
#include "host/runtime.hpp"
#include "host/state/streams.hpp"
#include "host/state/unawaited.hpp"

namespace dojo::host {
namespace {

using namespace cuda_error;
using namespace graph_error;

void create_stream(Call& c, unsigned flags, int priority) {
  const uint64_t own = c.rt.device().create_stream(clamped_priority(priority), (flags & 1) != 0),
                 handle = own + Streams::handle_base;
  if (flags & 1) c.rt.streams().non_blocking.insert(own);
  if (priority) c.rt.streams().settings[own].priority = clamped_priority(priority);
  c.rt.streams().live.insert(handle);
  c.store<uint64_t>(c.ptr(0), handle);
  c.status(0);
}

void create_event(Call& c) {
  const uint64_t handle = c.rt.device().create_event() + Streams::handle_base;
  c.rt.streams().events.insert(handle);
  c.store<uint64_t>(c.ptr(0), handle);
  c.status(0);
}

/// The device's handle of the event that parameter i names. False: there is none, and the call has failed.
bool event_arg(Call& c, size_t i, uint64_t* event) {
  *event = c.ptr(i) - Streams::handle_base;
  if (c.rt.streams().events.count(c.ptr(i))) return true;
  c.status(invalid_resource_handle);
  return false;
}

void wait_stream(Call& c) {
  uint64_t stream = 0;
  if (!c.stream(0, &stream)) return;
  Graphs& g = c.rt.graphs();
  if (g.captures(stream))
    return c.status(g.refuse(c, capture_unsupported,
                             c.name() +
                                 " of a captured stream: nothing runs while it is captured. Wait after "
                                 "cudaGraphLaunch()"));
  c.status(c.rt.device().synchronize_stream(stream));
  c.rt.unawaited().note_end(stream);
}

void wait_event(Call& c) {
  uint64_t event = 0;
  if (!event_arg(c, 0, &event)) return;
  Graphs& g = c.rt.graphs();
  if (g.captured_event(c.ptr(0)))
    return c.status(g.refuse(c, captured_event,
                             c.name() +
                                 " of an event that was recorded in a captured stream: it is a place in the "
                                 "graph, not a point in time"));
  c.status(c.rt.device().synchronize_event(event));
}

void record(Call& c) {
  uint64_t event = 0, stream = 0;
  if (!event_arg(c, 0, &event) || !c.stream(1, &stream)) return;
  if (c.rt.graphs().captures(stream)) {
    c.rt.streams().recorded.erase(c.ptr(0));
    c.rt.graphs().record(c.ptr(0), stream);
    return c.status(0);
  }
  c.rt.streams().recorded.insert(c.ptr(0));
  c.status(c.rt.device().record_event(event, stream));
}

void elapsed(Call& c) {
  uint64_t start = 0, stop = 0;
  if (!event_arg(c, 1, &start) || !event_arg(c, 2, &stop)) return;
  if (!c.rt.streams().recorded.count(c.ptr(1)) || !c.rt.streams().recorded.count(c.ptr(2))) {
    c.rt.report(c, Severity::warning, FindingKind::host_error,
                "cudaEventElapsedTime of an event that was never recorded");
    return c.status(invalid_resource_handle);
  }
  float ms = 0;
  const CudaStatus s = c.rt.device().elapsed(&ms, start, stop);
  if (s.ok()) c.store<float>(c.ptr(0), ms);
  c.status(s);
}

const Entry streams_entries[] = {
    {"cudaStreamCreate", [](Call& c) { create_stream(c, 0, 0); }},
    {"__cudaCDP2StreamCreateWithFlags", [](Call& c) { create_stream(c, unsigned(c.i32(1)), 0); }},
    {"cudaStreamCreateWithPriority", [](Call& c) { create_stream(c, unsigned(c.i32(1)), c.i32(2)); }},
    {"__cudaCDP2StreamDestroy",
     [](Call& c) {
       uint64_t stream = 0;
       if (!c.stream(0, &stream)) return;
       if (!c.rt.streams().live.erase(c.ptr(0))) return c.status(invalid_resource_handle);
       c.rt.streams().settings.erase(stream);
       c.status(c.rt.device().destroy_stream(stream));
     }},
    {"cudaStreamSynchronize", wait_stream},
    {"cudaStreamQuery", wait_stream},
    {"__cudaCDP2StreamWaitEvent",
     [](Call& c) {
       uint64_t stream = 0, event = 0;
       if (!c.stream(0, &stream) || !event_arg(c, 1, &event)) return;
       Graphs& g = c.rt.graphs();
       if (g.captures(stream) || g.captured_event(c.ptr(1))) return c.status(g.wait(c, stream, c.ptr(1)));
       c.rt.unawaited().note_wait(stream);
       c.status(c.rt.device().wait_event(stream, event));
     }},
    {"cudaLaunchHostFunc",
     [](Call& c) {
       uint64_t stream = 0;
       if (!c.stream(0, &stream)) return;
       Graphs& g = c.rt.graphs();
       if (g.captures(stream)) {
         GraphNode node;
         node.kind = GraphNode::Kind::host;
         node.where = c.where;
         node.dst = c.ptr(1), node.src = c.ptr(2);
         return c.status(g.add(stream, std::move(node)));
       }
       c.status(c.rt.host_function(stream, c.ptr(1), c.ptr(2)));
     }},
    {"__dojo_EventCreate", create_event},
    {"__cudaCDP2EventCreateWithFlags", create_event},
    {"__cudaCDP2EventDestroy",
     [](Call& c) {
       uint64_t event = 0;
       if (!event_arg(c, 0, &event)) return;
       c.rt.streams().events.erase(c.ptr(0));
       c.status(0);
     }},
    {"__cudaCDP2EventRecord", record},
    {"__cudaCDP2EventRecordWithFlags", record},
    {"cudaEventSynchronize", wait_event},
    {"cudaEventQuery", wait_event},
    {"cudaEventElapsedTime", elapsed},
    {"cudaDeviceSynchronize", [](Call& c) { c.status(c.rt.device().synchronize()); }},
    {"cudaThreadSynchronize", [](Call& c) { c.status(c.rt.device().synchronize()); }},
    {"cudaDeviceReset", [](Call& c) { c.status(c.rt.device().synchronize()); }},
    {"cudaProfilerStart", [](Call& c) { c.status(0); }},
    {"cudaProfilerStop", [](Call& c) { c.status(0); }},
};

}  // namespace

bool Streams::find(Device& device, uint64_t handle, uint64_t* device_handle) {
  constexpr uint64_t per_thread = 2;  // cudaStreamPerThread; 0 and cudaStreamLegacy are the default stream
  if (handle == 0 && default_is_per_thread) handle = per_thread;
  if (handle < per_thread) {
    *device_handle = 0;
    return true;
  }
  if (handle == per_thread) {  // a stream as cudaStreamCreate makes them, which is always there
    const auto [own, fresh] = per_thread_.try_emplace(std::this_thread::get_id(), 0);
    if (fresh) own->second = device.create_stream(0, false);
    *device_handle = own->second;
    return true;
  }
  *device_handle = handle - handle_base;
  return live.contains(handle);
}

bool Call::stream(size_t i, uint64_t* device_handle) {
  if (rt.streams().find(rt.device(), ptr(i), device_handle)) return true;
  status(cuda_error::invalid_resource_handle);
  return false;
}

std::span<const Entry> stream_calls() { return streams_entries; }

}  // namespace dojo::host
