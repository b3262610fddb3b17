// cudaGraphDebugDotPrint: a graph as a text for Graphviz, one line per node and per edge. The format is ours;
// CUDA's is not documented.
#include <fmt/format.h>

#include <fstream>

#include "host/files.hpp"
#include "host/graph_calls.hpp"

namespace dojo::host {
namespace {

constexpr int operating_system = 304;  // cudaErrorOperatingSystem

const char* word(GraphNode::Kind kind) {
  using Kind = GraphNode::Kind;
  switch (kind) {
    case Kind::kernel:
      return "kernel";
    case Kind::copy:
      return "copy";
    case Kind::fill:
      return "fill";
    case Kind::host:
      return "host function";
    case Kind::empty:
      return "empty";
    case Kind::child:
      return "child graph";
    case Kind::wait:
      return "wait for an event";
    case Kind::record:
      return "record of an event";
    case Kind::allocation:
      return "allocation";
    case Kind::release:
      return "release";
    case Kind::conditional:
      return "conditional";
  }
  return "";
}

std::string label(const GraphNode& n) {
  std::string text = word(n.kind);
  if (n.kind == GraphNode::Kind::kernel && n.kernel)
    text = fmt::format("{}\\n<<<({},{},{}), ({},{},{})>>>", n.kernel->demangled, n.spec.grid.x, n.spec.grid.y,
                       n.spec.grid.z, n.spec.block.x, n.spec.block.y, n.spec.block.z);
  if (!n.where.file.empty()) text += fmt::format("\\nline {}", n.where.line);
  return text;
}

bool store(Runtime& rt, const std::string& name, const std::string& text) {
  if (rt.native()) {
    std::ofstream out(name, std::ios::binary);
    return bool(out << text << std::flush);
  }
  Files& files = rt.files();
  std::string why;
  const uint64_t handle = files.open(name, "w", &why);
  Files::Stream* const stream = handle ? files.find(handle) : nullptr;
  return stream && files.write(*stream, text.data(), text.size()) && files.close(handle);
}

}  // namespace

std::string dot_text(const Graph& g) {
  std::string text = "digraph graph_1 {\n  node [shape=box];\n";
  for (size_t i = 0; i < g.nodes.size(); ++i)
    text += fmt::format("  node_{} [label=\"{}\"];\n", i, label(g.nodes[i]));
  for (size_t i = 0; i < g.nodes.size(); ++i)
    for (const uint32_t before : g.nodes[i].after) text += fmt::format("  node_{} -> node_{};\n", before, i);
  return text + "}\n";
}

void print_dot(Call& c) {
  const Graph* g = graph_arg(c, 0);
  if (!g) return;
  const std::string name = c.text(c.ptr(1));
  if (store(c.rt, name, dot_text(*g))) return c.status(0);
  c.rt.report(c, Severity::warning, FindingKind::host_error, c.name() + ": " + name + " can't be written");
  c.status(operating_system);
}

}  // namespace dojo::host
