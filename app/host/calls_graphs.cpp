// CUDA graphs: stream capture, graphs, executable graphs. Nodes: calls_graph_nodes.cpp.
#include <driver_types.h>

#include <algorithm>

#include "core/collections/sorted.hpp"
#include "host/graph_calls.hpp"

namespace dojo::host {
namespace {

using namespace cuda_error;

void begin_capture(Call& c) {
  uint64_t stream = 0;
  if (c.stream(0, &stream)) c.status(c.rt.graphs().begin(c, stream, c.i32(1)));
}

void end_capture(Call& c) {
  uint64_t stream = 0, graph = 0;
  if (!c.stream(0, &stream)) return;
  const CudaStatus s = c.rt.graphs().end(c, stream, &graph);
  if (c.ptr(1)) c.store<uint64_t>(c.ptr(1), graph);
  c.status(s);
}

void is_capturing(Call& c) {
  uint64_t stream = 0;
  if (!c.stream(0, &stream)) return;
  const Graphs& g = c.rt.graphs();
  c.store<int32_t>(c.ptr(1), !g.captures(stream) ? 0 : g.broken() ? 2 : 1);
  c.status(0);
}

void begin_capture_to(Call& c) {
  uint64_t stream = 0;
  std::vector<uint32_t> after;
  if (!c.stream(0, &stream) || !graph_arg(c, 1) || !nodes_arg(c, c.ptr(1), c.ptr(2), c.ptr(3), &after))
    return;
  c.status(c.rt.graphs().begin(c, stream, c.i32(4), c.ptr(1), std::move(after)));
}

/// Handles of the nodes that the captured stream's next work comes after.
std::vector<uint64_t> dependencies(Graphs& g, uint64_t stream) {
  std::vector<uint64_t> all;
  for (uint32_t n : g.captured_ends(stream)) all.push_back(Graphs::node_handle(g.captured_graph(), n));
  return all;
}

/// Parameters: stream; where to store status, number, graph, dependencies, their edges, their count.
void capture_info(Call& c) {
  uint64_t stream = 0;
  if (!c.stream(0, &stream)) return;
  Graphs& g = c.rt.graphs();
  const bool active = g.captures(stream) && !g.broken();
  c.store<int32_t>(c.ptr(1), active               ? cudaStreamCaptureStatusActive
                             : g.captures(stream) ? cudaStreamCaptureStatusInvalidated
                                                  : cudaStreamCaptureStatusNone);
  c.status(0);
  if (!active) return;
  const std::vector<uint64_t> after = dependencies(g, stream);
  if (c.ptr(2)) c.store<uint64_t>(c.ptr(2), g.captured_graph());
  if (c.ptr(3)) c.store<uint64_t>(c.ptr(3), g.captured_graph());
  if (c.ptr(4)) c.store<uint64_t>(c.ptr(4), g.keep(after));
  if (c.ptr(5)) c.store<uint64_t>(c.ptr(5), 0);
  if (c.ptr(6)) c.store<uint64_t>(c.ptr(6), after.size());
}

/// Parameters: stream, nodes, their count, cudaStreamUpdateCaptureDependenciesFlags.
void update_dependencies(Call& c) {
  uint64_t stream = 0;
  if (!c.stream(0, &stream)) return;
  Graphs& g = c.rt.graphs();
  if (!g.captures(stream)) {
    c.rt.report(c, Severity::error, FindingKind::host_error,
                "cudaStreamUpdateCaptureDependencies of a stream that is not being captured: begin with "
                "cudaStreamBeginCapture() of this stream.");
    return c.status(graph_error::illegal_state);
  }
  std::vector<uint32_t> after;
  if (!nodes_arg(c, g.captured_graph(), c.ptr(1), c.ptr(2), &after)) return;
  std::vector<uint32_t>& ends = g.captured_ends(stream);
  if (c.i32(3) == cudaStreamSetCaptureDependencies) ends.clear();
  unite(ends, after);
  c.status(0);
}

void instantiate(Call& c) {
  const Graph* g = graph_arg(c, 1);
  if (!g) return;
  const uint64_t x = c.rt.graphs().instantiate(c, *g);
  if (!x) return c.status(invalid_value);
  c.store<uint64_t>(c.ptr(0), x);
  c.status(0);
}

void launch(Call& c) {
  uint64_t stream = 0;
  GraphExec* x = exec_arg(c, 0);
  if (!x || !c.stream(1, &stream)) return;
  if (const int refused = c.rt.graphs().refuse_default_stream(c, stream)) return c.status(refused);
  c.status(c.rt.graphs().launch(c, *x, stream));
}

void clone(Call& c) {
  const Graph* g = graph_arg(c, 1);
  if (!g) return;
  if (c.rt.graphs().deeper_than(*g, Graphs::most_levels)) {
    c.rt.report(c, Severity::error, FindingKind::unsupported,
                "cudaGraphClone: graphs within graphs are provided for up to " +
                    std::to_string(Graphs::most_levels) + " levels.");
    return c.status(not_supported);
  }
  const uint64_t copy = c.rt.graphs().clone(*g);
  if (!copy) {
    c.rt.report(c, Severity::error, FindingKind::host_error,
                "cudaGraphClone: CUDA does not clone a graph with conditional nodes. Make it again.");
    return c.status(not_supported);
  }
  c.store<uint64_t>(c.ptr(0), copy);
  c.status(0);
}

/// An executable graph takes the parameters of another graph of the same shape.
void update_exec(Call& c) {
  GraphExec* x = exec_arg(c, 0);
  const Graph* g = x ? graph_arg(c, 1) : nullptr;
  if (!g) return;
  cudaGraphExecUpdateResultInfo info{};
  info.result = cudaGraphExecUpdateSuccess;
  const auto& old = x->graph.nodes;
  if (old.size() != g->nodes.size()) info.result = cudaGraphExecUpdateErrorTopologyChanged;
  for (size_t i = 0; i < old.size() && info.result == cudaGraphExecUpdateSuccess; ++i) {
    if (old[i].kind != g->nodes[i].kind) info.result = cudaGraphExecUpdateErrorNodeTypeChanged;
    if (old[i].after != g->nodes[i].after) info.result = cudaGraphExecUpdateErrorTopologyChanged;
  }
  if (c.ptr(2)) c.store(c.ptr(2), info);
  if (info.result != cudaGraphExecUpdateSuccess) return c.status(cudaErrorGraphExecUpdateFailure);
  c.status(c.rt.graphs().update(c, *x, *g) ? 0 : int(invalid_value));
}

void graph_memory(Call& c) {
  c.store<uint64_t>(c.ptr(2), c.rt.graphs().memory_bytes());
  c.status(0);
}

void add_dependencies(Call& c) {
  Graph* g = graph_arg(c, 0);
  if (!g) return;
  for (uint64_t i = 0; i < c.ptr(3); ++i) {
    uint32_t from = 0, to = 0;
    if (!c.rt.graphs().node_of(c.load<uint64_t>(c.ptr(1) + 8 * i), c.ptr(0), &from) ||
        !c.rt.graphs().node_of(c.load<uint64_t>(c.ptr(2) + 8 * i), c.ptr(0), &to))
      return no_such(c, "node of this graph", "A cudaGraphAdd...Node() call");
    auto& after = g->nodes[to].after;
    if (std::find(after.begin(), after.end(), from) == after.end()) after.push_back(from);
  }
  c.status(0);
}

void get_nodes(Call& c) {
  const Graph* g = graph_arg(c, 0);
  if (!g) return;
  const uint64_t room = c.load<uint64_t>(c.ptr(2));
  if (c.ptr(1))
    for (uint64_t i = 0; i < std::min<uint64_t>(room, g->nodes.size()); ++i)
      c.store<uint64_t>(c.ptr(1) + 8 * i, Graphs::node_handle(c.ptr(0), uint32_t(i)));
  c.store<uint64_t>(c.ptr(2), c.ptr(1) ? std::min<uint64_t>(room, g->nodes.size()) : g->nodes.size());
  c.status(0);
}

const Entry graphs_entries[] = {
    {"cudaStreamBeginCapture", begin_capture},
    {"cudaStreamEndCapture", end_capture},
    {"cudaStreamIsCapturing", is_capturing},
    {"__dojo_StreamBeginCaptureToGraph", begin_capture_to},
    {"__dojo_StreamGetCaptureInfo", capture_info},
    {"__dojo_StreamUpdateCaptureDependencies", update_dependencies},
    {"__dojo_GraphInstantiate", instantiate},
    {"cudaGraphLaunch", launch},
    {"cudaGraphUpload",
     [](Call& c) {
       if (exec_arg(c, 0)) c.status(0);
     }},
    {"cudaGraphDestroy",
     [](Call& c) {
       if (graph_arg(c, 0)) c.rt.graphs().destroy_graph(c.ptr(0)), c.status(0);
     }},
    {"cudaGraphExecDestroy",
     [](Call& c) {
       if (exec_arg(c, 0)) c.rt.graphs().destroy_exec(c.ptr(0)), c.status(0);
     }},
    {"cudaGraphCreate",
     [](Call& c) {
       c.store<uint64_t>(c.ptr(0), c.rt.graphs().add(Graph{}));
       c.status(0);
     }},
    {"cudaDeviceGetGraphMemAttribute", graph_memory},
    {"cudaDeviceSetGraphMemAttribute", [](Call& c) { c.status(0); }},
    {"cudaDeviceGraphMemTrim", [](Call& c) { c.status(0); }},
    {"__dojo_GraphAddDependencies", add_dependencies},
    {"cudaGraphGetNodes", get_nodes},
    {"cudaGraphDebugDotPrint", print_dot},
    {"cudaGraphClone", clone},
    {"cudaGraphExecUpdate", update_exec},
};

}  // namespace

void no_such(Call& c, const char* what, const char* made_by) {
  c.rt.report(c, Severity::error, FindingKind::host_error,
              c.name() + ": this is no " + what + ", or it was destroyed. " + made_by + " makes one.");
  c.status(invalid_value);
}
Graph* graph_arg(Call& c, size_t i) {
  Graph* g = c.rt.graphs().graph(c.ptr(i));
  if (!g) no_such(c, "graph", "cudaStreamEndCapture() or cudaGraphCreate()");
  return g;
}
GraphExec* exec_arg(Call& c, size_t i) {
  GraphExec* x = c.rt.graphs().exec(c.ptr(i));
  if (!x) no_such(c, "executable graph", "cudaGraphInstantiate()");
  return x;
}
GraphNode* node_arg(Call& c, size_t i) {
  uint32_t node = 0;
  const uint64_t graph = Graphs::graph_of(c.ptr(i));
  if (c.rt.graphs().node_of(c.ptr(i), graph, &node)) return &c.rt.graphs().graph(graph)->nodes[node];
  no_such(c, "node of a graph", "A cudaGraphAdd...Node() call");
  return nullptr;
}
bool nodes_arg(Call& c, uint64_t graph, uint64_t handles, uint64_t count, std::vector<uint32_t>* nodes) {
  const Graph* g = c.rt.graphs().graph(graph);
  if (!g || count > g->nodes.size()) {
    c.status(invalid_value);
    return false;
  }
  for (uint64_t i = 0; i < count; ++i) {
    uint32_t node = 0;
    if (!c.rt.graphs().node_of(c.load<uint64_t>(handles + 8 * i), graph, &node)) {
      no_such(c, "node of this graph", "A cudaGraphAdd...Node() call");
      return false;
    }
    nodes->push_back(node);
  }
  std::sort(nodes->begin(), nodes->end());
  nodes->erase(std::unique(nodes->begin(), nodes->end()), nodes->end());
  return true;
}

std::span<const Entry> graph_calls() { return graphs_entries; }

}  // namespace dojo::host
