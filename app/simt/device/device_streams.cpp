// Streams and events of the SIMT device, with the legacy default stream's rule: its work waits for all
// earlier work of blocking streams, and their later work waits for it.
#include <algorithm>

#include "core/collections/sorted.hpp"
#include "simt/device/device_simt.hpp"

namespace dojo::simt {
namespace {
constexpr double kEventCost =
    1.0;  // microseconds of the host a record takes (event pair around nothing: 1.3)
}  // namespace

SimtDevice::Stream* SimtDevice::find_stream(uint64_t id) {
  auto s = streams_.find(id);
  return s == streams_.end() ? nullptr : &s->second;
}

std::vector<uint32_t> SimtDevice::before(uint64_t stream, std::vector<uint32_t> Stream::*of) {
  Stream* own = find_stream(stream);
  std::vector<uint32_t> after = own->*of;
  if (own == &streams_[0]) {
    for (auto& [id, s] : streams_)
      if (!s.non_blocking) unite(after, s.*of);
  } else if (!own->non_blocking) {
    unite(after, streams_[0].*of);
  }
  return after;
}

std::vector<uint32_t> SimtDevice::running_before(uint64_t stream) {
  std::vector<uint32_t> after;
  const Stream* own = find_stream(stream);
  for (const auto& [id, tail] : running_->tails) {
    const Stream* s = find_stream(id);  // null: destroyed meanwhile
    const bool blocking = own && !own->non_blocking && (!s || !s->non_blocking);
    if (id == stream || (blocking && (id == 0 || stream == 0))) unite(after, tail);
  }
  return after;
}

double SimtDevice::finish(const std::vector<uint32_t>& works) {
  double last = 0;
  for (uint32_t w : works) last = std::max(last, engines_.finish(w));
  return last;
}

void SimtDevice::charge(double us, const char* what) { hold_until(clock_.host + us, what); }

void SimtDevice::hold_until(double at, const char* what) {
  if (at <= clock_.host) return;
  WorkSpan s;
  s.kind = WorkSpan::Kind::host;
  s.label = what;
  s.start_us = clock_.host, s.end_us = at;
  host_spans_.push_back(std::move(s));
  clock_.host = at;
}

void SimtDevice::wait_for(double done) {
  const auto& host = model_.host;
  hold_until(done > clock_.host ? done + host.sync_us : clock_.host + host.sync_idle_us, "wait");
}

uint32_t SimtDevice::hand_over(Work work, WorkSpan span) {
  span.graph = in_graph_ || span.graph;
  spans_.push_back(std::move(span));
  return engines_.add(std::move(work));
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
  if (id == 0 || !streams_.count(id)) return {cuda_error::invalid_resource_handle};
  if (queued_before(id)) flush();  // its work still runs; nothing can be added to it
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
  ++e->second.record;
  e->second.waits = !held_.empty();
  if (runs_before(stream)) {
    e->second.waits = true;
    running_->events[event] = {e->second.record, running_before(stream)};
  }
  e->second.after = before(stream);
  e->second.works = before(stream, &Stream::works);
  e->second.issued = clock_.host;
  if (!in_graph_) charge(kEventCost, "event");
  return {};
}

CudaStatus SimtDevice::wait_event(uint64_t stream, uint64_t event) {
  auto e = events_.find(event);
  Stream* s = find_stream(stream);
  if (e == events_.end() || !s) return {cuda_error::invalid_resource_handle};
  unite(s->tail, e->second.after);
  unite(s->works, e->second.works);
  // Of launches that run now: what comes next on this stream waits for them, too.
  if (!event_runs(event)) return {};
  const auto recorded = running_->events.find(event);
  if (recorded != running_->events.end() && !recorded->second.after.empty())
    unite(running_->tails[stream], recorded->second.after);
  return {};
}

CudaStatus SimtDevice::elapsed(float* ms, uint64_t start, uint64_t stop) {
  auto a = events_.find(start), b = events_.find(stop);
  if (a == events_.end() || b == events_.end() || !a->second.recorded || !b->second.recorded)
    return {cuda_error::invalid_resource_handle};
  for (const Event* e : {&a->second, &b->second})
    if (e->waits || !e->after.empty()) return {cuda_error::not_ready};
  Engines seen = engines_;  // looking lets no time pass
  const auto time = [&](const Event& e) {
    double at = e.issued;
    for (uint32_t w : e.works) at = std::max(at, seen.finish(w));
    return at;
  };
  *ms = float((time(b->second) - time(a->second)) / 1e3);
  return {};
}

CudaStatus SimtDevice::synchronize() {
  if (broken_) return {cuda_error::launch_failure};
  flush();
  wait_for(engines_.finish_all());
  return {};
}

CudaStatus SimtDevice::synchronize_stream(uint64_t id) {
  if (broken_) return {cuda_error::launch_failure};
  if (!find_stream(id)) return {cuda_error::invalid_resource_handle};
  if (queued_before(id)) flush();
  wait_for(finish(before(id, &Stream::works)));
  return {};
}

CudaStatus SimtDevice::synchronize_event(uint64_t event) {
  if (broken_) return {cuda_error::launch_failure};
  const auto e = events_.find(event);
  if (e == events_.end()) return {cuda_error::invalid_resource_handle};
  if (e->second.waits || !e->second.after.empty()) flush();
  wait_for(finish(e->second.works));
  return {};
}

void SimtDevice::note_graph(uint64_t nodes) {
  charge(model_.host.graph_us + model_.host.graph_node_us * double(nodes), "instantiate");
}

void SimtDevice::begin_graph(uint64_t nodes, bool first) {
  // A node counts as much as a launch by host code does (simt/ops/host_calls.cpp, in instructions of a lane).
  constexpr uint64_t node_cost = 16000 / 32;
  graph_nodes_ += nodes;
  if (control_.max_warp_instructions && graph_nodes_ > control_.max_warp_instructions / node_cost) {
    Diagnostic d;
    d.kind = FindingKind::timeout;
    d.message = "Stopped: cudaGraphLaunch() has launched " + std::to_string(graph_nodes_) +
                " nodes, more than may run here. Check that the loop around it ends.";
    throw RunStopped(Status::timeout, std::move(d));
  }
  charge(model_.host.graph_launch_us + (first ? model_.host.graph_first_us * double(nodes) : 0),
         "graph launch");
  in_graph_ = true;
}

std::vector<WorkSpan> SimtDevice::timeline() {
  std::vector<WorkSpan> all = host_spans_;
  for (size_t i = first_span_; i < spans_.size(); ++i) {
    if (!engines_.finished(uint32_t(i))) continue;  // the run broke off
    WorkSpan s = spans_[i];
    s.start_us = engines_.start_us(uint32_t(i));
    s.end_us = engines_.end_us(uint32_t(i));
    all.push_back(std::move(s));
  }
  for (WorkSpan& s : all) s.start_us -= clock_.taken, s.end_us -= clock_.taken;
  return all;
}

}  // namespace dojo::simt
