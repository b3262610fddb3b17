#pragma once
// CUDA graphs of a program: nodes with what they come after, made by stream capture or one by one, and
// executable graphs. A device knows no graphs: launching one makes its nodes' calls.
//
// Capture: a node comes after the nodes that its stream's next work would come after. cudaEventRecord() notes
// those of a captured stream, and cudaStreamWaitEvent() hands them on, so that another stream joins the
// capture. Example: A in s, event, s2 waits for it, B in s2, C in s: B and C come after A, and after nothing
// else.
//
// A conditional node owns graphs of which its condition chooses one; a child node owns one graph. Nothing is
// known of the condition before the node's predecessors have run, so a launch waits for them.
//
// Launch: a node goes to the lane of a node it comes after if it is the next one there, else to a new lane.
// Lane 0 is the stream that the graph is launched into; the others are streams of the executable graph.
// Events order the lanes.
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "core/device.hpp"
#include "ptx/module.hpp"

namespace dojo::host {

struct Call;
class Runtime;

namespace graph_error {  // of the CUDA runtime
inline constexpr int illegal_state = 401, capture_unsupported = 900, capture_invalidated = 901,
                     capture_unmatched = 903, capture_unjoined = 904, capture_isolation = 905,
                     capture_implicit = 906, captured_event = 907;
}

struct GraphNode {
  enum class Kind : uint8_t {
    kernel,
    copy,
    fill,
    host,
    empty,
    child,
    wait,
    record,
    allocation,
    release,
    conditional
  };
  enum class Choice : uint8_t { if_else, while_loop, switch_case };  // as CUDA numbers them
  Kind kind = Kind::empty;
  std::vector<uint32_t> after;
  SourceLoc where;
  // kernel
  const ptx::Function* kernel = nullptr;
  uint64_t kernel_address = 0;  ///< as the program names it
  LaunchSpec spec;
  CopyBox box;                ///< copy
  FillBox filled;             ///< fill
  int value = 0;              ///< fill
  uint64_t dst = 0, src = 0;  ///< host: a function and its argument
  uint64_t event = 0;         ///< wait, record: as the program names it
  // conditional; child has one body and no condition
  std::vector<uint64_t> bodies;  ///< graphs
  uint64_t condition = 0;        ///< its handle
  Choice choice = Choice::if_else;
};

struct Graph {
  std::vector<GraphNode> nodes;
  std::vector<uint64_t> conditions;  ///< handles that were made for it
};

/// An executable graph: its nodes in an order in which each follows what it comes after.
struct GraphExec {
  struct Step {
    uint32_t node = 0, lane = 0;
    std::vector<uint32_t> waits;  ///< nodes of other lanes
    bool waited_for = false;      ///< by another lane
  };
  Graph graph;
  std::vector<Step> steps;
  uint32_t lanes = 0;
  std::vector<uint64_t> streams;        ///< of lanes 1 and up, the device's handles
  std::map<uint32_t, uint64_t> events;  ///< by node
  uint64_t start_event = 0;
  bool launched = false;
  std::map<uint32_t, std::vector<std::unique_ptr<GraphExec>>> bodies;  ///< by node
};

/// Orders a graph's nodes; false: they wait for each other in a circle.
bool make_steps(GraphExec&);

struct Capture {
  uint64_t origin = 0;  ///< the device's handle of the stream
  bool relaxed = false;
  SourceLoc where;
  uint64_t graph = 0;                                ///< the handle that the work goes to
  bool of_own = false;                               ///< the capture made this graph
  std::map<uint64_t, std::vector<uint32_t>> ends;    ///< by stream: nodes that its next work comes after
  std::map<uint64_t, std::vector<uint32_t>> events;  ///< by the program's event
  bool broken = false;
};

class Graphs {
 public:
  explicit Graphs(Runtime& rt) : rt_(rt) {}

  // Handles are numbers that the program can't take for an address.
  uint64_t add(Graph);
  uint64_t add(GraphExec);
  Graph* graph(uint64_t handle);
  GraphExec* exec(uint64_t handle);
  /// With the graphs that its nodes own.
  void destroy_graph(uint64_t handle);
  bool destroy_exec(uint64_t handle);
  /// Does it own graphs that own graphs and so on, deeper than `levels`?
  bool deeper_than(const Graph&, int levels);
  /// Graphs within graphs that are followed: a launch runs each within the one that owns it.
  static constexpr int most_levels = 100;
  /// With copies of the graphs that its nodes own; not of one deeper_than(most_levels). 0: it has a
  /// conditional node, which CUDA does not copy.
  uint64_t clone(const Graph&);
  /// Gives a graph one more node; false: its node handles are used up.
  static bool append(Graph&, GraphNode);
  uint64_t instantiate(const Call&, const Graph&);  ///< 0: it can't be, and a finding says why
  /// The executable graph takes over another graph of the same shape. False: as instantiate().
  bool update(const Call&, GraphExec&, const Graph&);
  CudaStatus launch(Call&, GraphExec&, uint64_t stream);
  /// "The graph node" of a handle that add_node() gave.
  static uint64_t node_handle(uint64_t graph, uint32_t node) { return (graph << 20) + node + 1; }
  static uint64_t graph_of(uint64_t handle) { return handle ? (handle - 1) >> 20 : 0; }
  static uint64_t place_of(uint64_t handle) { return (handle - 1) & 0xfffff; }
  bool node_of(uint64_t handle, uint64_t graph, uint32_t* node);
  /// Address of such handles in memory that host code reads, where CUDA gives it an array.
  uint64_t keep(const std::vector<uint64_t>& handles);
  /// A condition of a graph. `at_launch`: its value when a launch begins; without it, each launch must set
  /// it.
  uint64_t add_condition(Graph&, std::optional<uint32_t> at_launch, const SourceLoc&);

  // Capture.
  bool active() const { return capture_.has_value(); }
  bool captures(uint64_t stream) const { return capture_ && capture_->ends.contains(stream); }
  bool captured_event(uint64_t event) const { return capture_ && capture_->events.contains(event); }
  CudaStatus begin(Call&, uint64_t stream, int mode);
  /// Captures into a graph that is there; the first work comes after these nodes.
  CudaStatus begin(Call&, uint64_t stream, int mode, uint64_t graph, std::vector<uint32_t> after);
  uint64_t captured_graph() const { return capture_->graph; }
  /// What a captured stream's next work comes after.
  std::vector<uint32_t>& captured_ends(uint64_t stream) { return capture_->ends[stream]; }
  CudaStatus end(Call&, uint64_t stream, uint64_t* graph);
  /// Where the capture began that is still going on, or null.
  const SourceLoc* unended() const { return capture_ ? &capture_->where : nullptr; }
  bool broken() const { return capture_ && capture_->broken; }
  /// Work that goes to a captured stream.
  CudaStatus add(uint64_t stream, GraphNode);
  void record(uint64_t event, uint64_t stream);
  CudaStatus wait(Call&, uint64_t stream, uint64_t event);
  /// A call that is not allowed while a stream is captured: says so, and the capture fails at its end.
  int refuse(const Call&, int code, const std::string& why);
  /// The same for a call by its name; 0: it may be made.
  int refuse_by_name(const Call&, const std::string& name);
  /// Memory of a graph's allocation nodes. It has its place from the node's making on, for all launches, and
  /// is not given back: a free node, or cudaFree() of it, only says that the program is done with it.
  void own(uint64_t address, uint64_t bytes) { memory_[address] = bytes; }
  bool owns(uint64_t address) const { return memory_.contains(address); }
  uint64_t memory_bytes() const;
  /// Work in the default stream, which waits for captured streams.
  int refuse_default_stream(const Call&, uint64_t stream);

 private:
  bool make(const Call&, const Graph&, GraphExec*);
  /// make() of a graph that no other owns, if that ends.
  bool make_whole(const Call&, const Graph&, GraphExec*);
  bool check_body(const Call&, const GraphNode& owner, const Graph& body);
  void drop_streams(const GraphExec&);
  CudaStatus launch_captured(const GraphExec&, uint64_t stream);
  /// The graph of an executable one, with its own copies of the graphs that its nodes own.
  Graph copy_of(const GraphExec&);
  void start_conditions(const GraphExec&);
  CudaStatus run(Call&, GraphExec&, uint64_t stream);
  CudaStatus run_node(Call&, GraphExec&, uint32_t node, uint64_t stream);
  CudaStatus run_conditional(Call&, GraphExec&, uint32_t node, uint64_t stream);

  Runtime& rt_;
  std::optional<Capture> capture_;
  std::map<uint64_t, Graph> graphs_;
  std::map<uint64_t, GraphExec> execs_;
  std::map<uint64_t, uint64_t> memory_;                     ///< see own(): address, bytes
  std::map<uint64_t, std::optional<uint32_t>> conditions_;  ///< by handle: the value at launch
  uint64_t next_ = 1;
};

}  // namespace dojo::host
