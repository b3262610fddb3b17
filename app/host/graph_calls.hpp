#pragma once
// What the calls on graphs (calls_graphs.cpp, calls_graph_nodes.cpp) have in common: their arguments.
#include "host/graphs.hpp"
#include "host/runtime.hpp"

namespace dojo::host {

/// Fails a call, and tells the student what a handle should have been.
void no_such(Call&, const char* what, const char* made_by);
/// The object that a parameter names. Null: there is none, and the call has failed.
Graph* graph_arg(Call&, size_t i);
GraphExec* exec_arg(Call&, size_t i);
GraphNode* node_arg(Call&, size_t i);
/// Nodes of a graph from an array of `count` handles; false: one is none, and the call has failed.
bool nodes_arg(Call&, uint64_t graph, uint64_t handles, uint64_t count, std::vector<uint32_t>* nodes);

/// The graph in Graphviz's language.
std::string dot_text(const Graph&);
/// cudaGraphDebugDotPrint
void print_dot(Call&);

}  // namespace dojo::host
