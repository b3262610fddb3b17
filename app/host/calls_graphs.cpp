// CUDA graphs: stream capture, explicit nodes, executable graphs.
#include <driver_types.h>

#include <algorithm>

#include "host/arrays.hpp"
#include "host/graphs.hpp"
#include "host/runtime.hpp"

namespace dojo::host {
namespace {

using namespace cuda_error;

/// The call as the program writes it: our headers hand some on under names of their own.
std::string written(const Call& c) {
  const std::string& name = c.callee.demangled;
  return name.starts_with("__dojo_") ? "cuda" + name.substr(7) : name;
}

/// What a handle should have been, to the student.
void no_such(Call& c, const char* what, const char* made_by) {
  c.rt.report(c, Severity::error, "host_error",
              written(c) + ": this is no " + what + ", or it was destroyed. " + made_by + " makes one.");
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

void instantiate(Call& c) {
  const Graph* g = graph_arg(c, 1);
  if (!g) return;
  const uint64_t x = c.rt.graphs().instantiate(*g);
  if (!x) {
    c.rt.report(c, Severity::error, "host_error",
                "cudaGraphInstantiate: nodes of this graph wait for each other in a circle: look at the "
                "dependencies that were added last.");
    return c.status(invalid_value);
  }
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

/// A node with its dependencies (parameters 2 and 3) goes into the graph of parameter 1.
void add_node(Call& c, GraphNode n) {
  Graph* g = graph_arg(c, 1);
  if (!g) return;
  const uint64_t count = c.ptr(3);
  if (count > g->nodes.size()) return c.status(invalid_value);
  for (uint64_t i = 0; i < count; ++i) {
    uint32_t node = 0;
    if (!c.rt.graphs().node_of(c.load<uint64_t>(c.ptr(2) + 8 * i), c.ptr(1), &node))
      return no_such(c, "node of this graph", "A cudaGraphAdd...Node() call");
    n.after.push_back(node);
  }
  std::sort(n.after.begin(), n.after.end());
  n.after.erase(std::unique(n.after.begin(), n.after.end()), n.after.end());
  n.where = c.where;
  g->nodes.push_back(std::move(n));
  c.store<uint64_t>(c.ptr(0), Graphs::node_handle(c.ptr(1), uint32_t(g->nodes.size() - 1)));
  c.status(0);
}

/// cudaGraphAddMemAllocNode: the parameters get the address.
void add_allocation_node(Call& c) {
  auto p = c.load<cudaMemAllocNodeParams>(c.ptr(4));
  if (p.bytesize == 0) return c.status(invalid_value);
  uint64_t address = 0;
  if (const CudaStatus s = c.rt.allocate(c, &address, p.bytesize, Owner::device); !s.ok()) return c.status(s);
  c.rt.graphs().own(address, p.bytesize);
  p.dptr = reinterpret_cast<void*>(address);
  c.store(c.ptr(4), p);
  add_node(c, {});
}
void add_free_node(Call& c) {
  if (!c.rt.graphs().owns(c.ptr(4))) {
    c.rt.report(c, Severity::error, "host_error",
                "cudaGraphAddMemFreeNode of " + c.rt.describe(c.ptr(4)) +
                    ", which no allocation node has made. Give it the dptr of one.");
    return c.status(invalid_value);
  }
  add_node(c, {});
}
void graph_memory(Call& c) {
  c.store<uint64_t>(c.ptr(2), c.rt.graphs().memory_bytes());
  c.status(0);
}

/// The launch that the parameters at an address describe; false: the call has its status.
bool read_kernel(Call& c, uint64_t params, GraphNode& n) {
  const auto p = c.load<cudaKernelNodeParams>(params);
  const auto refused = [&](int code) {
    c.status(code);
    return false;
  };
  n.kind = GraphNode::Kind::kernel;
  n.spec = {};
  n.kernel_address = reinterpret_cast<uint64_t>(p.func);
  n.kernel = c.rt.kernel_at(n.kernel_address);
  if (!n.kernel) return refused(invalid_device_function);
  n.spec.kernel = n.kernel->name;
  n.spec.grid = {p.gridDim.x, p.gridDim.y, p.gridDim.z};
  n.spec.block = {p.blockDim.x, p.blockDim.y, p.blockDim.z};
  n.spec.dynamic_smem = p.sharedMemBytes;
  n.spec.where = c.where;
  if (!n.kernel->params.empty() &&
      !gather_arguments(c, *n.kernel, reinterpret_cast<uint64_t>(p.kernelParams), &n.spec))
    return refused(invalid_value);
  return true;
}

void add_kernel_node(Call& c) {
  GraphNode n;
  if (read_kernel(c, c.ptr(4), n)) add_node(c, std::move(n));
}

/// A node of the graph that its handle names, or null.
GraphNode* node_arg(Call& c, size_t i) {
  uint32_t node = 0;
  const uint64_t graph = Graphs::graph_of(c.ptr(i));
  if (c.rt.graphs().node_of(c.ptr(i), graph, &node)) return &c.rt.graphs().graph(graph)->nodes[node];
  no_such(c, "node of a graph", "A cudaGraphAdd...Node() call");
  return nullptr;
}

/// Gives a kernel node another launch; its dependencies stay.
void set_kernel(Call& c, GraphNode* n, size_t params) {
  if (!n) return;
  if (n->kind != GraphNode::Kind::kernel) return c.status(invalid_value);
  GraphNode changed = *n;
  if (!read_kernel(c, c.ptr(params), changed)) return;
  *n = std::move(changed);
  c.status(0);
}

/// The same node in a graph that was instantiated: nodes keep their places.
void set_kernel_of_exec(Call& c) {
  GraphExec* x = exec_arg(c, 0);
  if (!x || !node_arg(c, 1)) return;
  const uint64_t place = Graphs::place_of(c.ptr(1));
  if (place >= x->graph.nodes.size())
    return no_such(c, "node of this executable graph", "A cudaGraphAdd...Node() call before it was made");
  set_kernel(c, &x->graph.nodes[place], 2);
}

void add_box_node(Call& c) {
  const auto p = c.load<cudaMemcpy3DParms>(c.ptr(4));
  GraphNode n;
  n.kind = GraphNode::Kind::copy;
  if (!memory_box(c, p, &n.box)) return;
  const CudaStatus s = c.rt.check_copy(c, n.box, p.kind);
  if (!s.ok()) return c.status(s);
  add_node(c, std::move(n));
}

void add_host_node(Call& c) {
  const auto p = c.load<cudaHostNodeParams>(c.ptr(4));
  GraphNode n;
  n.kind = GraphNode::Kind::host;
  n.dst = reinterpret_cast<uint64_t>(p.fn), n.src = reinterpret_cast<uint64_t>(p.userData);
  if (!n.dst) return c.status(invalid_value);
  add_node(c, std::move(n));
}

void clone(Call& c) {
  const Graph* g = graph_arg(c, 1);
  if (!g) return;
  c.store<uint64_t>(c.ptr(0), c.rt.graphs().add(Graph(*g)));
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
  x->graph = *g;
  c.status(0);
}

void node_type(Call& c) {
  const GraphNode* n = node_arg(c, 0);
  if (!n) return;
  const cudaGraphNodeType types[] = {cudaGraphNodeTypeKernel, cudaGraphNodeTypeMemcpy,
                                     cudaGraphNodeTypeMemset, cudaGraphNodeTypeHost, cudaGraphNodeTypeEmpty};
  c.store<int32_t>(c.ptr(1), types[size_t(n->kind)]);
  c.status(0);
}

void add_copy_node(Call& c) {
  GraphNode n;
  n.kind = GraphNode::Kind::copy;
  n.box = CopyBox::line(c.ptr(4), c.ptr(5), c.ptr(6));
  const CudaStatus s = c.rt.check_copy(c, n.box, c.i32(7));
  if (!s.ok()) return c.status(s);
  add_node(c, std::move(n));
}

void add_fill_node(Call& c) {
  const auto p = c.load<cudaMemsetParams>(c.ptr(4));
  GraphNode n;
  n.kind = GraphNode::Kind::fill;
  n.value = int(p.value);
  const uint64_t width = p.width * p.elementSize, rows = std::max<uint64_t>(p.height, 1);
  n.filled = {reinterpret_cast<uint64_t>(p.dst), rows > 1 ? p.pitch : width, width, rows};
  if (p.elementSize > 1 && p.value % 0x01010101u != 0) {
    c.rt.report(c, Severity::error, "unsupported",
                "cudaGraphAddMemsetNode: a node here fills with one byte value.");
    return c.status(not_supported);
  }
  if (n.filled.row < width) return c.status(cudaErrorInvalidPitchValue);
  const CudaStatus s = c.rt.check_fill(c, n.filled);
  if (!s.ok()) return c.status(s);
  add_node(c, std::move(n));
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
    {"cudaGraphAddKernelNode", add_kernel_node},
    {"cudaGraphAddMemcpyNode1D", add_copy_node},
    {"cudaGraphAddMemsetNode", add_fill_node},
    {"cudaGraphAddEmptyNode", [](Call& c) { add_node(c, {}); }},
    {"cudaGraphAddMemAllocNode", add_allocation_node},
    {"cudaGraphAddMemFreeNode", add_free_node},
    {"cudaDeviceGetGraphMemAttribute", graph_memory},
    {"cudaDeviceSetGraphMemAttribute", [](Call& c) { c.status(0); }},
    {"cudaDeviceGraphMemTrim", [](Call& c) { c.status(0); }},
    {"__dojo_GraphAddDependencies", add_dependencies},
    {"cudaGraphGetNodes", get_nodes},
    {"cudaGraphAddMemcpyNode", add_box_node},
    {"cudaGraphAddHostNode", add_host_node},
    {"cudaGraphClone", clone},
    {"cudaGraphExecUpdate", update_exec},
    {"cudaGraphNodeGetType", node_type},
    {"cudaGraphKernelNodeSetParams", [](Call& c) { set_kernel(c, node_arg(c, 0), 1); }},
    {"cudaGraphExecKernelNodeSetParams", set_kernel_of_exec},
};

}  // namespace

std::span<const Entry> graph_calls() { return graphs_entries; }

}  // namespace dojo::host
