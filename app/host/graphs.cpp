#include "host/graphs.hpp"

#include <driver_types.h>

#include <algorithm>
#include <utility>

#include "host/runtime.hpp"
#include "host/state/streams.hpp"
#include "host/state/unawaited.hpp"

namespace dojo::host {
namespace {

using namespace cuda_error;

// Far below any address, and apart from streams and events (Streams::handle_base).
constexpr uint64_t graph_base = 0x200000, exec_base = 0x300000;

/// Tells the device that what is queued comes of one launch of a graph.
struct InGraph {
  Device& device;
  InGraph(Device& d, size_t nodes, bool first) : device(d) { device.begin_graph(nodes, first); }
  ~InGraph() { device.end_graph(); }
};

}  // namespace

bool make_steps(GraphExec& x) {
  const auto& nodes = x.graph.nodes;
  const uint32_t none = ~0u;
  std::vector<uint32_t> open(nodes.size()), lane(nodes.size(), none), last;
  std::vector<std::vector<uint32_t>> next(nodes.size());
  std::set<uint32_t> ready;  // the earliest made first
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    open[i] = uint32_t(nodes[i].after.size());
    for (uint32_t a : nodes[i].after) next[a].push_back(i);
    if (open[i] == 0) ready.insert(i);
  }
  std::vector<size_t> step_of(nodes.size());
  while (!ready.empty()) {
    const uint32_t n = *ready.begin();
    ready.erase(ready.begin());
    for (uint32_t a : nodes[n].after)
      if (lane[n] == none && last[lane[a]] == a) lane[n] = lane[a];
    if (lane[n] == none) {
      lane[n] = uint32_t(last.size());
      last.push_back(n);
    }
    last[lane[n]] = n;
    GraphExec::Step step;
    step.node = n;
    step.lane = lane[n];
    for (uint32_t a : nodes[n].after)
      if (lane[a] != lane[n]) {
        step.waits.push_back(a);
        x.steps[step_of[a]].waited_for = true;
      }
    step_of[n] = x.steps.size();
    x.steps.push_back(std::move(step));
    for (uint32_t m : next[n])
      if (--open[m] == 0) ready.insert(m);
  }
  x.lanes = uint32_t(last.size());
  for (uint32_t l = 1; l < x.lanes; ++l) x.steps[step_of[last[l]]].waited_for = true;  // by the graph's end
  return x.steps.size() == nodes.size();
}

uint64_t Graphs::add(Graph g) {
  const uint64_t handle = graph_base + next_++;
  graphs_[handle] = std::move(g);
  return handle;
}

uint64_t Graphs::add(GraphExec x) {
  const uint64_t handle = exec_base + next_++;
  execs_[handle] = std::move(x);
  return handle;
}

Graph* Graphs::graph(uint64_t handle) {
  const auto found = graphs_.find(handle);
  return found == graphs_.end() ? nullptr : &found->second;
}

GraphExec* Graphs::exec(uint64_t handle) {
  const auto found = execs_.find(handle);
  return found == execs_.end() ? nullptr : &found->second;
}

uint64_t Graphs::memory_bytes() const {
  uint64_t all = 0;
  for (const auto& [address, bytes] : memory_) all += bytes;
  return all;
}

bool Graphs::node_of(uint64_t handle, uint64_t graph, uint32_t* node) {
  const Graph* g = this->graph(graph);
  if (!g || handle <= (graph << 20) || handle - (graph << 20) > g->nodes.size()) return false;
  *node = uint32_t(handle - (graph << 20) - 1);
  return true;
}

bool Graphs::destroy_exec(uint64_t handle) {
  GraphExec* x = exec(handle);
  if (!x) return false;
  drop_streams(*x);
  execs_.erase(handle);
  return true;
}

void Graphs::destroy_graph(uint64_t handle) {
  std::vector<uint64_t> open{handle};
  while (!open.empty()) {
    const auto found = graphs_.find(open.back());
    open.pop_back();
    if (found == graphs_.end()) continue;
    for (const GraphNode& n : found->second.nodes) open.insert(open.end(), n.bodies.begin(), n.bodies.end());
    graphs_.erase(found);
  }
}

bool Graphs::deeper_than(const Graph& g, int levels) {
  for (const GraphNode& n : g.nodes)
    for (uint64_t body : n.bodies)
      if (const Graph* own = graph(body); own && (levels == 0 || deeper_than(*own, levels - 1))) return true;
  return false;
}

uint64_t Graphs::clone(const Graph& g) {
  Graph copy = g;
  for (GraphNode& n : copy.nodes) {
    if (n.kind == GraphNode::Kind::conditional) return 0;
    for (uint64_t& body : n.bodies) {
      const Graph* own = graph(body);
      body = own ? clone(*own) : 0;
      if (!body) return 0;
    }
  }
  return add(std::move(copy));
}

Graph Graphs::copy_of(const GraphExec& x) {
  Graph copy = x.graph;
  for (const auto& [node, bodies] : x.bodies) {
    copy.nodes[node].bodies.clear();
    for (const auto& body : bodies) copy.nodes[node].bodies.push_back(add(copy_of(*body)));
  }
  return copy;
}

CudaStatus Graphs::run_node(Call& c, GraphExec& x, uint32_t node, uint64_t stream) {
  const GraphNode& n = x.graph.nodes[node];
  switch (n.kind) {
    case GraphNode::Kind::kernel: {
      if (rt_.native()) rt_.kernel_at(n.kernel_address);  // its module is the current one from here on
      LaunchSpec spec = n.spec;
      spec.stream = stream;
      Call at_node{rt_, c.callee, c.args, c.result, n.where};
      return rt_.launch(at_node, *n.kernel, std::move(spec));
    }
    case GraphNode::Kind::copy:
      if (const CudaStatus s = rt_.check_copy(c, n.box, cudaMemcpyDefault); !s.ok()) return s;
      return rt_.copy_checked(c, n.box, stream, false);
    case GraphNode::Kind::fill:
      if (const CudaStatus s = rt_.check_fill(c, n.filled); !s.ok()) return s;
      return rt_.device().fill_box(n.filled, uint32_t(n.value), stream, false);
    case GraphNode::Kind::host:
      return rt_.host_function(stream, n.dst, n.src);
    case GraphNode::Kind::child:
      return run(c, *x.bodies[node].front(), stream);
    case GraphNode::Kind::conditional:
      return run_conditional(c, x, node, stream);
    case GraphNode::Kind::wait:
      rt_.unawaited().note_wait(stream);
      return rt_.device().wait_event(stream, n.event - Streams::handle_base);
    case GraphNode::Kind::record:
      rt_.streams().recorded.insert(n.event);
      return rt_.device().record_event(n.event - Streams::handle_base, stream);
    case GraphNode::Kind::empty:
    case GraphNode::Kind::allocation:
    case GraphNode::Kind::release:
      return {};
  }
  return {};
}

CudaStatus Graphs::launch(Call& c, GraphExec& x, uint64_t stream) {
  if (captures(stream)) return launch_captured(x, stream);
  const InGraph told(rt_.device(), x.graph.nodes.size(), !std::exchange(x.launched, true));
  if (!x.graph.conditions.empty()) {
    // The launch before this one may still be reading them.
    if (const CudaStatus s = rt_.device().synchronize_stream(stream); !s.ok()) return s;
    start_conditions(x);
  }
  return run(c, x, stream);
}

CudaStatus Graphs::run(Call& c, GraphExec& x, uint64_t stream) {
  Device& d = rt_.device();
  while (x.streams.size() + 1 < x.lanes) x.streams.push_back(d.create_stream(0, true));
  if (x.lanes > 1 && !x.start_event) x.start_event = d.create_event();
  const auto wait_for = [&](uint64_t waits, uint64_t event) {
    rt_.unawaited().note_wait(waits);
    d.wait_event(waits, event);
  };
  const auto lane = [&](uint32_t l) { return l == 0 ? stream : x.streams[l - 1]; };
  std::vector<bool> begun(x.lanes);
  std::vector<uint32_t> last(x.lanes);
  CudaStatus status;
  if (x.lanes > 1) d.record_event(x.start_event, stream);
  for (const GraphExec::Step& s : x.steps) {
    if (s.lane > 0 && !begun[s.lane]) wait_for(lane(s.lane), x.start_event);
    begun[s.lane] = true;
    for (uint32_t a : s.waits) wait_for(lane(s.lane), x.events[a]);
    if (const CudaStatus one = run_node(c, x, s.node, lane(s.lane)); !one.ok()) {
      status = one;
      break;
    }
    last[s.lane] = s.node;
    if (!s.waited_for) continue;
    uint64_t& event = x.events[s.node];
    if (!event) event = d.create_event();
    d.record_event(event, lane(s.lane));
  }
  for (uint32_t l = 1; l < x.lanes; ++l)
    if (const auto end = x.events.find(last[l]); begun[l] && end != x.events.end())
      wait_for(stream, end->second);
  return status;
}

}  // namespace dojo::host
