// Executable graphs of graphs whose nodes own graphs: child nodes and conditional nodes (IF, WHILE, SWITCH).
//
// A conditional node takes body i of its n, by the condition's value v:
//   IF      body 0 if v is not 0; body 1, if there is one, if it is
//   WHILE   body 0, again and again until v is 0
//   SWITCH  body v, if there is one
#include <cstring>
#include <utility>

#include "core/graph_condition.hpp"
#include "core/text/numbers.hpp"
#include "host/graphs.hpp"
#include "host/runtime.hpp"

namespace dojo::host {
namespace {

// Times that a WHILE runs its body before it counts as endless. A round takes this machine 0.1 ms and more.
constexpr uint64_t most_rounds = 50'000;

const char* name_of(GraphNode::Choice c) {
  switch (c) {
    case GraphNode::Choice::if_else:
      return "IF";
    case GraphNode::Choice::while_loop:
      return "WHILE";
    case GraphNode::Choice::switch_case:
      return "SWITCH";
  }
  return "";
}
std::string name_of(const GraphNode& n) {
  return std::string(name_of(n.choice)) + " node of line " + std::to_string(n.where.line);
}

size_t body_for(GraphNode::Choice c, uint32_t value) {
  if (c == GraphNode::Choice::switch_case) return value;
  return value ? 0 : c == GraphNode::Choice::if_else ? 1 : ~size_t(0);
}

size_t nodes_of(const GraphExec& x) {
  size_t n = x.graph.nodes.size();
  for (const auto& [node, bodies] : x.bodies)
    for (const auto& body : bodies) n += nodes_of(*body);
  return n;
}

[[noreturn]] void stop_endless(const GraphNode& n, uint32_t value) {
  Diagnostic d;
  d.kind = FindingKind::timeout;
  d.where = n.where;
  d.message = "Stopped: the " + name_of(n) + " has run its body " + grouped(double(most_rounds)) +
              " times, and its condition is still " + std::to_string(value) +
              ". Let a kernel of the body set it to 0 with cudaGraphSetConditional().";
  throw RunStopped(Status::timeout, std::move(d));
}

}  // namespace

uint64_t Graphs::keep(const std::vector<uint64_t>& handles) {
  if (handles.empty()) return 0;
  const size_t bytes = handles.size() * sizeof handles[0];
  Region* r = rt_.memory().allocate(bytes, Owner::host_global, "an array of graph handles");
  if (!r) return 0;
  std::memcpy(r->data, handles.data(), bytes);
  r->initialized = r->read_only = true;
  return r->base;
}

uint64_t Graphs::add_condition(Graph& g, std::optional<uint32_t> at_launch, const SourceLoc& where) {
  Region* r = rt_.memory().allocate(sizeof(GraphCondition), Owner::constant, "a condition of a graph", where);
  if (!r) return 0;
  const GraphCondition fresh;
  std::memcpy(r->data, &fresh, sizeof fresh);
  r->initialized = r->read_only = true;
  conditions_[r->base] = at_launch;
  g.conditions.push_back(r->base);
  return r->base;
}

void Graphs::start_conditions(const GraphExec& x) {
  for (uint64_t handle : x.graph.conditions)
    if (GraphCondition* condition = graph_condition(rt_.memory(), handle)) {
      const std::optional<uint32_t>& first = conditions_[handle];
      condition->is_set = first.has_value();
      condition->value = first.value_or(0);
    }
}

bool Graphs::check_body(const Call& c, const GraphNode& owner, const Graph& body) {
  using Kind = GraphNode::Kind;
  for (const GraphNode& n : body.nodes) {
    if (n.kind == Kind::host || n.kind == Kind::wait || n.kind == Kind::record ||
        n.kind == Kind::allocation || n.kind == Kind::release) {
      rt_.report(c, Severity::error, FindingKind::host_error,
                 "The body of the " + name_of(owner) + " has a node of another kind (line " +
                     std::to_string(n.where.line) +
                     "). CUDA allows kernels, copies, fills, empty nodes, child graphs and conditional nodes "
                     "in it.");
      return false;
    }
  }
  return true;
}

bool Graphs::make(const Call& c, const Graph& g, GraphExec* x) {
  x->graph = g;
  x->steps.clear();
  x->bodies.clear();
  if (!make_steps(*x)) {
    rt_.report(c, Severity::error, FindingKind::host_error,
               "cudaGraphInstantiate: nodes of this graph wait for each other in a circle: look at the "
               "dependencies that were added last.");
    return false;
  }
  for (uint32_t i = 0; i < g.nodes.size(); ++i)
    for (uint64_t handle : g.nodes[i].bodies) {
      const Graph* body = graph(handle);
      if (!body) {
        rt_.report(c, Severity::error, FindingKind::host_error,
                   "cudaGraphInstantiate: a graph that a node of line " +
                       std::to_string(g.nodes[i].where.line) + " owns was destroyed.");
        return false;
      }
      if (g.nodes[i].kind == GraphNode::Kind::conditional && !check_body(c, g.nodes[i], *body)) return false;
      auto made = std::make_unique<GraphExec>();
      if (!make(c, *body, made.get())) return false;
      x->bodies[i].push_back(std::move(made));
    }
  return true;
}

bool Graphs::make_whole(const Call& c, const Graph& g, GraphExec* x) {
  if (!deeper_than(g, most_levels)) return make(c, g, x);
  rt_.report(c, Severity::error, FindingKind::unsupported,
             c.name() + ": this graph owns graphs that own graphs, deeper than " +
                 std::to_string(most_levels) + " levels, which are provided for.");
  return false;
}

uint64_t Graphs::instantiate(const Call& c, const Graph& g) {
  GraphExec x;
  if (!make_whole(c, g, &x)) return 0;
  rt_.device().note_graph(nodes_of(x));
  return add(std::move(x));
}

bool Graphs::update(const Call& c, GraphExec& x, const Graph& g) {
  GraphExec next;
  if (!make_whole(c, g, &next)) return false;
  for (const auto& [node, bodies] : x.bodies)
    for (const auto& body : bodies) drop_streams(*body);
  x.graph = std::move(next.graph);
  x.bodies = std::move(next.bodies);
  return true;
}

void Graphs::drop_streams(const GraphExec& x) {
  for (uint64_t s : x.streams) rt_.device().destroy_stream(s);
  for (const auto& [node, bodies] : x.bodies)
    for (const auto& body : bodies) drop_streams(*body);
}

CudaStatus Graphs::run_conditional(Call& c, GraphExec& x, uint32_t node, uint64_t stream) {
  const GraphNode& n = x.graph.nodes[node];
  auto& bodies = x.bodies[node];
  uint64_t round = 0;
  try {
    for (;; ++round) {
      if (const CudaStatus s = rt_.device().synchronize_stream(stream); !s.ok()) return s;
      const GraphCondition* condition = graph_condition(rt_.memory(), n.condition);
      if (!condition || !condition->is_set) {
        Call at_node{rt_, c.callee, c.args, c.result, n.where};
        rt_.report(
            at_node, Severity::error, FindingKind::host_error,
            "The " + name_of(n) +
                " reads a condition that nothing has set in this launch: on a GPU its value is undefined. "
                "Call cudaGraphSetConditional() in a kernel that the node depends on, or give "
                "cudaGraphConditionalHandleCreate() a value and cudaGraphCondAssignDefault.");
        return {};
      }
      const size_t body = body_for(n.choice, condition->value);
      if (body >= bodies.size()) return {};
      if (round == most_rounds) stop_endless(n, condition->value);
      if (const CudaStatus s = run(c, *bodies[body], stream); !s.ok()) return s;
      if (n.choice != GraphNode::Choice::while_loop) return {};
    }
  } catch (RunStopped& stop) {
    if (stop.status == Status::timeout && n.choice == GraphNode::Choice::while_loop && round < most_rounds)
      stop.why.message += " The " + name_of(n) + " has run its body " + grouped(double(round)) +
                          " times; does a kernel set its condition to 0?";
    throw;
  }
}

}  // namespace dojo::host
