// CUDA graphs: stream capture, explicit nodes, executable graphs.
#include <driver_types.h>

#include <algorithm>

#include "host/graphs.hpp"
#include "host/runtime.hpp"

namespace dojo::host {
namespace {

using namespace cuda_error;

bool stream_arg(Call& c, size_t i, uint64_t* stream) {
  if (c.rt.stream_of(c.ptr(i), stream)) return true;
  c.status(invalid_resource_handle);
  return false;
}

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
  if (stream_arg(c, 0, &stream)) c.status(c.rt.graphs().begin(c, stream, c.i32(1)));
}

void end_capture(Call& c) {
  uint64_t stream = 0, graph = 0;
  if (!stream_arg(c, 0, &stream)) return;
  const CudaStatus s = c.rt.graphs().end(c, stream, &graph);
  if (c.ptr(1)) c.store<uint64_t>(c.ptr(1), graph);
  c.status(s);
}

void is_capturing(Call& c) {
  uint64_t stream = 0;
  if (!stream_arg(c, 0, &stream)) return;
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
  if (!x || !stream_arg(c, 1, &stream)) return;
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

void add_kernel_node(Call& c) {
  const auto p = c.load<cudaKernelNodeParams>(c.ptr(4));
  GraphNode n;
  n.kind = GraphNode::Kind::kernel;
  n.kernel_address = reinterpret_cast<uint64_t>(p.func);
  n.kernel = c.rt.kernel_at(n.kernel_address);
  if (!n.kernel) return c.status(invalid_device_function);
  n.spec.kernel = n.kernel->name;
  n.spec.grid = {p.gridDim.x, p.gridDim.y, p.gridDim.z};
  n.spec.block = {p.blockDim.x, p.blockDim.y, p.blockDim.z};
  n.spec.dynamic_smem = p.sharedMemBytes;
  n.spec.where = c.where;
  if (!n.kernel->params.empty() &&
      !gather_arguments(c, *n.kernel, reinterpret_cast<uint64_t>(p.kernelParams), &n.spec))
    return c.status(invalid_value);
  add_node(c, std::move(n));
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
  n.dst = reinterpret_cast<uint64_t>(p.dst);
  n.value = int(p.value);
  n.bytes = p.width * p.elementSize;
  if (p.height > 1 || (p.elementSize > 1 && p.value % 0x01010101u != 0)) {
    c.rt.report(c, Severity::error, "unsupported",
                "cudaGraphAddMemsetNode: a node here fills one row (height 1) with one byte value.");
    return c.status(not_supported);
  }
  const CudaStatus s = c.rt.check_fill(c, n.dst, n.bytes);
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

const Entry entries[] = {
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
    {"__dojo_GraphAddDependencies", add_dependencies},
    {"cudaGraphGetNodes", get_nodes},
};

}  // namespace

std::span<const Entry> graph_calls() { return entries; }

}  // namespace dojo::host
