// Nodes of CUDA graphs: added one by one, asked about, and given other parameters.
#include <driver_types.h>

#include <algorithm>

#include "core/graph_condition.hpp"
#include "host/arrays.hpp"
#include "host/graph_calls.hpp"
#include "host/state/launches.hpp"
#include "host/state/streams.hpp"

namespace dojo::host {
namespace {

using namespace cuda_error;
using Kind = GraphNode::Kind;

/// Reads a node's parameters at an address; false: the call has its status.
using Reader = bool (*)(Call&, uint64_t params, GraphNode&);

bool fail(Call& c, int code) {
  c.status(code);
  return false;
}
bool refuse_node(Call& c, int code, const std::string& why) {
  c.rt.report(c, Severity::error, FindingKind::host_error, c.name() + ": " + why);
  return fail(c, code);
}

bool read_kernel(Call& c, uint64_t params, GraphNode& n) {
  const auto p = c.load<cudaKernelNodeParams>(params);
  n.kind = Kind::kernel;
  n.spec = {};
  n.kernel_address = reinterpret_cast<uint64_t>(p.func);
  n.kernel = c.rt.kernel_at(n.kernel_address);
  if (!n.kernel) return fail(c, invalid_device_function);
  n.spec.kernel = n.kernel->name;
  n.spec.grid = {p.gridDim.x, p.gridDim.y, p.gridDim.z};
  n.spec.block = {p.blockDim.x, p.blockDim.y, p.blockDim.z};
  n.spec.dynamic_smem = p.sharedMemBytes;
  n.spec.where = c.where;
  if (!n.kernel->params.empty() &&
      !gather_arguments(c, *n.kernel, reinterpret_cast<uint64_t>(p.kernelParams), &n.spec))
    return fail(c, invalid_value);
  return true;
}

bool read_box(Call& c, uint64_t params, GraphNode& n) {
  const auto p = c.load<cudaMemcpy3DParms>(params);
  n.kind = Kind::copy;
  if (!memory_box(c, p, &n.box)) return false;
  const CudaStatus s = c.rt.check_copy(c, n.box, p.kind);
  return s.ok() || fail(c, s.code);
}

/// Of one dimension, by the call's parameters from `first` on: to, from, bytes, kind.
bool read_line(Call& c, uint64_t first, GraphNode& n) {
  const size_t i = size_t(first);
  n.kind = Kind::copy;
  n.box = CopyBox::line(c.ptr(i), c.ptr(i + 1), c.ptr(i + 2));
  const CudaStatus s = c.rt.check_copy(c, n.box, c.i32(i + 3));
  return s.ok() || fail(c, s.code);
}

bool read_fill(Call& c, uint64_t params, GraphNode& n) {
  const auto p = c.load<cudaMemsetParams>(params);
  n.kind = Kind::fill;
  n.value = int(p.value);
  if (p.elementSize != 1 && p.elementSize != 2 && p.elementSize != 4) return fail(c, invalid_value);
  if (p.width > UINT64_MAX / p.elementSize) return fail(c, invalid_value);
  const uint64_t width = p.width * p.elementSize, rows = std::max<uint64_t>(p.height, 1);
  n.filled = {reinterpret_cast<uint64_t>(p.dst), rows > 1 ? p.pitch : width, width, rows, p.elementSize};
  if (n.filled.row < width) return fail(c, cudaErrorInvalidPitchValue);
  const CudaStatus s = c.rt.check_fill(c, n.filled);
  return s.ok() || fail(c, s.code);
}

bool read_host(Call& c, uint64_t params, GraphNode& n) {
  const auto p = c.load<cudaHostNodeParams>(params);
  n.kind = Kind::host;
  n.dst = reinterpret_cast<uint64_t>(p.fn), n.src = reinterpret_cast<uint64_t>(p.userData);
  return n.dst || fail(c, invalid_value);
}

bool read_empty(Call&, uint64_t, GraphNode&) { return true; }

bool has_conditional(Graphs& all, const Graph& g) {
  return std::any_of(g.nodes.begin(), g.nodes.end(), [&](const GraphNode& n) {
    return n.kind == Kind::conditional || std::any_of(n.bodies.begin(), n.bodies.end(), [&](uint64_t body) {
             const Graph* inner = all.graph(body);
             return inner && has_conditional(all, *inner);
           });
  });
}

/// A child graph: the node has a copy of it.
bool take_child(Call& c, uint64_t graph, GraphNode& n) {
  const Graph* g = c.rt.graphs().graph(graph);
  if (!g) return refuse_node(c, invalid_value, "its child is no graph, or it was destroyed.");
  if (c.rt.graphs().deeper_than(*g, Graphs::most_levels - 1))
    return refuse_node(
        c, invalid_value,
        "graphs within graphs are provided for up to " + std::to_string(Graphs::most_levels) + " levels.");
  if (has_conditional(c.rt.graphs(), *g))
    return refuse_node(c, invalid_value, "CUDA takes no graph with conditional nodes as a child.");
  n.kind = Kind::child;
  n.bodies = {c.rt.graphs().clone(*g)};
  return true;
}

bool take_event(Call& c, uint64_t event, Kind kind, GraphNode& n) {
  n.kind = kind;
  n.event = event;
  return c.rt.streams().events.count(event) || fail(c, invalid_resource_handle);
}

/// Memory of an allocation node: the parameters get its address.
bool make_memory(Call& c, uint64_t params, GraphNode& n) {
  auto p = c.load<cudaMemAllocNodeParams>(params);
  n.kind = Kind::allocation;
  if (p.bytesize == 0) return fail(c, invalid_value);
  uint64_t address = 0;
  if (const CudaStatus s = c.rt.allocate(c, &address, p.bytesize, Owner::device); !s.ok())
    return fail(c, s.code);
  c.rt.graphs().own(address, p.bytesize);
  p.dptr = reinterpret_cast<void*>(address);
  c.store(params, p);
  return true;
}
bool take_memory(Call& c, uint64_t address, GraphNode& n) {
  n.kind = Kind::release;
  if (c.rt.graphs().owns(address)) return true;
  return refuse_node(
      c, invalid_value,
      "it frees " + c.rt.describe(address) + ", which no allocation node has made. Give it the dptr of one.");
}

/// A conditional node: the parameters get its graphs.
bool make_conditional(Call& c, uint64_t params, GraphNode& n) {
  auto p = c.load<cudaConditionalNodeParams>(params);
  n.kind = Kind::conditional;
  n.condition = p.handle;
  n.choice = GraphNode::Choice(p.type);
  if (p.type < cudaGraphCondTypeIf || p.type > cudaGraphCondTypeSwitch) return fail(c, invalid_value);
  if (!graph_condition(c.rt.memory(), p.handle))
    return refuse_node(
        c, invalid_value,
        "its handle is no condition. cudaGraphConditionalHandleCreate() makes one for this graph.");
  const unsigned most = p.type == cudaGraphCondTypeWhile ? 1 : p.type == cudaGraphCondTypeIf ? 2 : 1 << 16;
  if (p.size < 1 || p.size > most)
    return refuse_node(
        c, invalid_value,
        "it has " + std::to_string(p.size) +
            " graphs. A WHILE node has one, an IF node one or two (the second: ELSE), a SWITCH "
            "node at least one.");
  for (unsigned i = 0; i < p.size; ++i) n.bodies.push_back(c.rt.graphs().add(Graph{}));
  p.phGraph_out = reinterpret_cast<cudaGraph_t*>(c.rt.graphs().keep(n.bodies));
  c.store(params, p);
  return true;
}

/// cudaGraphNodeParams, of any type.
bool read_any(Call& c, uint64_t params, GraphNode& n) {
  const uint64_t of_type = params + offsetof(cudaGraphNodeParams, kernel);
  switch (c.load<int32_t>(params)) {
    case cudaGraphNodeTypeKernel:
      return read_kernel(c, of_type, n);
    case cudaGraphNodeTypeMemcpy:
      return read_box(c, of_type + offsetof(cudaMemcpyNodeParams, copyParams), n);
    case cudaGraphNodeTypeMemset:
      return read_fill(c, of_type, n);
    case cudaGraphNodeTypeHost:
      return read_host(c, of_type, n);
    case cudaGraphNodeTypeGraph:
      return take_child(c, c.load<uint64_t>(of_type), n);
    case cudaGraphNodeTypeEmpty:
      return true;
    case cudaGraphNodeTypeWaitEvent:
      return take_event(c, c.load<uint64_t>(of_type), Kind::wait, n);
    case cudaGraphNodeTypeEventRecord:
      return take_event(c, c.load<uint64_t>(of_type), Kind::record, n);
    case cudaGraphNodeTypeMemAlloc:
      return make_memory(c, of_type, n);
    case cudaGraphNodeTypeMemFree:
      return take_memory(c, c.load<uint64_t>(of_type), n);
    case cudaGraphNodeTypeConditional:
      return make_conditional(c, of_type, n);
    default:
      return refuse_node(
          c, not_supported,
          "nodes of type " + std::to_string(c.load<int32_t>(params)) + " are not supported here.");
  }
}

/// The node goes into the graph of parameter 1, with its dependencies (parameters 2 and 3).
void add_node(Call& c, Reader read, uint64_t params) {
  GraphNode n;
  n.where = c.where;
  Graph* g = graph_arg(c, 1);
  if (!g || !nodes_arg(c, c.ptr(1), c.ptr(2), c.ptr(3), &n.after) || !read(c, params, n)) return;
  if (!Graphs::append(*g, std::move(n))) return c.status(memory_allocation);
  c.store<uint64_t>(c.ptr(0), Graphs::node_handle(c.ptr(1), uint32_t(g->nodes.size() - 1)));
  c.status(0);
}
template <Reader read>
void add(Call& c) {
  add_node(c, read, c.ptr(4));
}
void add_line(Call& c) { add_node(c, read_line, 4); }
bool take_wait(Call& c, uint64_t event, GraphNode& n) { return take_event(c, event, Kind::wait, n); }
bool take_record(Call& c, uint64_t event, GraphNode& n) { return take_event(c, event, Kind::record, n); }

/// Gives a node other parameters; its dependencies stay. Its kind stays too.
void set_node(Call& c, GraphNode* n, Reader read, uint64_t params) {
  if (!n) return;
  GraphNode changed = *n;
  if (!read(c, params, changed)) return;
  if (changed.kind != n->kind || n->kind == Kind::child || n->kind == Kind::allocation ||
      n->kind == Kind::conditional)
    return c.status(invalid_value);
  *n = std::move(changed);
  c.status(0);
}
/// The same node in a graph that was instantiated: nodes keep their places.
GraphNode* node_of_exec(Call& c) {
  GraphExec* x = exec_arg(c, 0);
  if (!x || !node_arg(c, 1)) return nullptr;
  const uint64_t place = Graphs::place_of(c.ptr(1));
  if (place < x->graph.nodes.size()) return &x->graph.nodes[place];
  no_such(c, "node of this executable graph", "A cudaGraphAdd...Node() call before it was made");
  return nullptr;
}
template <Reader read>
void set(Call& c) {
  set_node(c, node_arg(c, 0), read, c.ptr(1));
}
template <Reader read>
void set_of_exec(Call& c) {
  set_node(c, node_of_exec(c), read, c.ptr(2));
}
void set_line(Call& c) { set_node(c, node_arg(c, 0), read_line, 1); }
void set_line_of_exec(Call& c) { set_node(c, node_of_exec(c), read_line, 2); }

void node_type(Call& c) {
  const GraphNode* n = node_arg(c, 0);
  if (!n) return;
  static const std::pair<Kind, cudaGraphNodeType> types[] = {
      {Kind::kernel, cudaGraphNodeTypeKernel},
      {Kind::copy, cudaGraphNodeTypeMemcpy},
      {Kind::fill, cudaGraphNodeTypeMemset},
      {Kind::host, cudaGraphNodeTypeHost},
      {Kind::empty, cudaGraphNodeTypeEmpty},
      {Kind::child, cudaGraphNodeTypeGraph},
      {Kind::wait, cudaGraphNodeTypeWaitEvent},
      {Kind::record, cudaGraphNodeTypeEventRecord},
      {Kind::allocation, cudaGraphNodeTypeMemAlloc},
      {Kind::release, cudaGraphNodeTypeMemFree},
      {Kind::conditional, cudaGraphNodeTypeConditional}};
  for (const auto& [kind, type] : types)
    if (kind == n->kind) c.store<int32_t>(c.ptr(1), type);
  c.status(0);
}

void child_of(Call& c) {
  const GraphNode* n = node_arg(c, 0);
  if (!n) return;
  if (n->kind != Kind::child) return c.status(invalid_value);
  c.store<uint64_t>(c.ptr(1), n->bodies.front());
  c.status(0);
}

/// Parameters: where to store the handle, graph, the value at launch, cudaGraphConditionalHandleFlags.
void make_condition(Call& c) {
  Graph* g = graph_arg(c, 1);
  if (!g) return;
  const bool given = c.i32(3) & cudaGraphCondAssignDefault;
  const uint64_t handle = c.rt.graphs().add_condition(
      *g, given ? std::optional<uint32_t>(uint32_t(c.i32(2))) : std::nullopt, c.where);
  c.store<uint64_t>(c.ptr(0), handle);
  c.status(handle ? 0 : int(memory_allocation));
}

const Entry graph_node_entries[] = {
    {"__dojo_GraphAddNode", add<read_any>},
    {"cudaGraphAddKernelNode", add<read_kernel>},
    {"cudaGraphAddMemcpyNode", add<read_box>},
    {"cudaGraphAddMemcpyNode1D", add_line},
    {"cudaGraphAddMemsetNode", add<read_fill>},
    {"cudaGraphAddHostNode", add<read_host>},
    {"cudaGraphAddEmptyNode", add<read_empty>},
    {"cudaGraphAddChildGraphNode", add<take_child>},
    {"cudaGraphAddEventWaitNode", add<take_wait>},
    {"cudaGraphAddEventRecordNode", add<take_record>},
    {"cudaGraphAddMemAllocNode", add<make_memory>},
    {"cudaGraphAddMemFreeNode", add<take_memory>},
    {"__dojo_GraphConditionalHandleCreate", make_condition},
    {"cudaGraphNodeGetType", node_type},
    {"cudaGraphChildGraphNodeGetGraph", child_of},
    {"cudaGraphNodeSetParams", set<read_any>},
    {"cudaGraphKernelNodeSetParams", set<read_kernel>},
    {"cudaGraphMemcpyNodeSetParams", set<read_box>},
    {"cudaGraphMemcpyNodeSetParams1D", set_line},
    {"cudaGraphMemsetNodeSetParams", set<read_fill>},
    {"cudaGraphHostNodeSetParams", set<read_host>},
    {"cudaGraphExecNodeSetParams", set_of_exec<read_any>},
    {"cudaGraphExecKernelNodeSetParams", set_of_exec<read_kernel>},
    {"cudaGraphExecMemcpyNodeSetParams", set_of_exec<read_box>},
    {"cudaGraphExecMemcpyNodeSetParams1D", set_line_of_exec},
    {"cudaGraphExecMemsetNodeSetParams", set_of_exec<read_fill>},
    {"cudaGraphExecHostNodeSetParams", set_of_exec<read_host>},
};

}  // namespace

std::span<const Entry> graph_node_calls() { return graph_node_entries; }

}  // namespace dojo::host
