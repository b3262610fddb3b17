#include "host/graphs.hpp"

#include <driver_types.h>

#include <algorithm>
#include <utility>

#include "host/runtime.hpp"

namespace dojo::host {
namespace {

using namespace cuda_error;

// Far below any address, and apart from streams and events (Runtime::handle_base).
constexpr uint64_t graph_base = 0x200000, exec_base = 0x300000;
using namespace graph_error;
constexpr size_t most_nodes = 1 << 19;  // of a graph: node handles have 20 bits for them

void join(std::vector<uint32_t>& to, const std::vector<uint32_t>& more) {
  to.insert(to.end(), more.begin(), more.end());
  std::sort(to.begin(), to.end());
  to.erase(std::unique(to.begin(), to.end()), to.end());
}

/// Tells the device that what is queued comes of one launch of a graph.
struct InGraph {
  Device& device;
  InGraph(Device& d, size_t nodes, bool first) : device(d) { device.begin_graph(nodes, first); }
  ~InGraph() { device.end_graph(); }
};

std::string line_text(const SourceLoc& where) { return "line " + std::to_string(where.line); }

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

uint64_t Graphs::instantiate(const Graph& g) {
  GraphExec x;
  x.graph = g;
  if (!make_steps(x)) return 0;
  rt_.device().note_graph(x.graph.nodes.size());
  const uint64_t handle = exec_base + next_++;
  execs_[handle] = std::move(x);
  return handle;
}

bool Graphs::destroy_exec(uint64_t handle) {
  GraphExec* x = exec(handle);
  if (!x) return false;
  for (uint64_t s : x->streams) rt_.device().destroy_stream(s);
  execs_.erase(handle);
  return true;
}

CudaStatus Graphs::run_node(Call& c, const GraphNode& n, uint64_t stream) {
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
      return rt_.device().fill_box(n.filled, uint8_t(n.value), stream, false);
    case GraphNode::Kind::host:
      rt_.host_function(stream, n.dst, n.src);
      return {};
    case GraphNode::Kind::empty:
      return {};
  }
  return {};
}

CudaStatus Graphs::launch(Call& c, GraphExec& x, uint64_t stream) {
  Device& d = rt_.device();
  if (captures(stream)) {  // its nodes become nodes of the graph that is being captured
    auto& ends = capture_->ends[stream];
    const std::vector<uint32_t> before = ends;
    const uint32_t base = uint32_t(capture_->graph.nodes.size());
    std::set<uint32_t> leaves;
    for (uint32_t i = 0; i < x.graph.nodes.size(); ++i) {
      GraphNode n = x.graph.nodes[i];
      for (uint32_t& a : n.after) leaves.erase(a + base), a += base;
      if (n.after.empty()) n.after = before;
      capture_->graph.nodes.push_back(std::move(n));
      leaves.insert(base + i);
    }
    for (const GraphNode& n : x.graph.nodes)
      for (uint32_t a : n.after) leaves.erase(a + base);
    if (!leaves.empty()) ends.assign(leaves.begin(), leaves.end());
    return {};
  }
  const InGraph told(d, x.graph.nodes.size(), !std::exchange(x.launched, true));
  while (x.streams.size() + 1 < x.lanes) x.streams.push_back(d.create_stream(0, true));
  if (x.lanes > 1 && !x.start_event) x.start_event = d.create_event();
  const auto wait_for = [&](uint64_t waits, uint64_t event) {
    rt_.note_wait(waits);
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
    if (const CudaStatus one = run_node(c, x.graph.nodes[s.node], lane(s.lane)); !one.ok()) {
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

// ---- capture ----

CudaStatus Graphs::begin(Call& c, uint64_t stream, int mode) {
  if (stream == 0) {
    rt_.report(c, Severity::error, "host_error",
               "The default stream can't be captured. Make a stream with cudaStreamCreate(), give it to the "
               "launches and copies, and capture that one.");
    return {capture_unsupported};
  }
  if (captures(stream)) return {refuse(c, illegal_state, "this stream is being captured already")};
  if (capture_) {
    rt_.report(c, Severity::error, "host_error",
               "A capture began at " + line_text(capture_->where) +
                   " and has not ended. Two captures at a time are not supported here: end the first one, or "
                   "let this stream join it with an event and cudaStreamWaitEvent().");
    return {not_supported};
  }
  capture_.emplace();
  capture_->origin = stream;
  capture_->relaxed = mode == 2;
  capture_->where = c.where;
  capture_->ends[stream] = {};
  return {};
}

CudaStatus Graphs::end(Call& c, uint64_t stream, uint64_t* graph) {
  *graph = 0;
  if (!captures(stream)) {
    rt_.report(c, Severity::error, "host_error",
               "cudaStreamEndCapture of a stream that is not being captured: begin with "
               "cudaStreamBeginCapture() of this stream.");
    return {illegal_state};
  }
  if (stream != capture_->origin) {
    rt_.report(c, Severity::error, "host_error",
               "The capture began in another stream (" + line_text(capture_->where) +
                   "): end it in that one. This stream only joined it.");
    capture_.reset();
    return {capture_unmatched};
  }
  Capture ended = std::move(*capture_);
  capture_.reset();
  if (ended.broken) return {capture_invalidated};
  // Whatever other streams did last must come before the end of the origin.
  std::vector<bool> reached(ended.graph.nodes.size());
  std::vector<uint32_t> open = ended.ends[stream];
  while (!open.empty()) {
    const uint32_t n = open.back();
    open.pop_back();
    if (reached[n]) continue;
    reached[n] = true;
    const auto& after = ended.graph.nodes[n].after;
    open.insert(open.end(), after.begin(), after.end());
  }
  for (const auto& [other, ends] : ended.ends)
    for (uint32_t n : ends)
      if (!reached[n]) {
        const GraphNode& node = ended.graph.nodes[n];
        rt_.report(c, Severity::error, "host_error",
                   "The capture ends while another stream's work is not joined: " +
                       (node.kernel ? "the kernel " + node.kernel->demangled : std::string("the work")) +
                       " of " + line_text(node.where) +
                       ". Record an event behind it in that stream, and let the captured stream wait for it "
                       "with cudaStreamWaitEvent() before cudaStreamEndCapture().");
        return {capture_unjoined};
      }
  *graph = add(std::move(ended.graph));
  return {};
}

CudaStatus Graphs::add(uint64_t stream, GraphNode n) {
  Capture& k = *capture_;
  if (k.graph.nodes.size() >= most_nodes) return {memory_allocation};
  std::vector<uint32_t>& ends = k.ends[stream];
  n.after = std::move(ends);
  ends = {uint32_t(k.graph.nodes.size())};
  k.graph.nodes.push_back(std::move(n));
  return {};
}

void Graphs::record(uint64_t event, uint64_t stream) { capture_->events[event] = capture_->ends[stream]; }

CudaStatus Graphs::wait(Call& c, uint64_t stream, uint64_t event) {
  if (!captured_event(event))
    return {refuse(
        c, capture_isolation,
        "cudaStreamWaitEvent of a captured stream for an event that was not recorded in the capture: a "
        "graph can't wait for work outside it. Wait for it before the capture, or record the event in a "
        "captured stream")};
  if (stream == 0)
    return {refuse(c, capture_implicit,
                   "the default stream can't join a capture: make a stream with cudaStreamCreate()")};
  join(capture_->ends[stream], capture_->events[event]);
  return {};
}

int Graphs::refuse(const Call& c, int code, const std::string& why) {
  capture_->broken = true;
  rt_.report(c, Severity::error, "host_error",
             why + ". (A stream is being captured since " + line_text(capture_->where) + ".)");
  return code;
}

int Graphs::refuse_default_stream(const Call& c, uint64_t stream) {
  if (!capture_ || stream != 0) return 0;
  const bool blocking = std::any_of(capture_->ends.begin(), capture_->ends.end(),
                                    [&](const auto& s) { return !rt_.non_blocking.contains(s.first); });
  if (!blocking) return 0;
  return refuse(
      c, capture_implicit,
      "This goes to the default stream, which waits for all other streams, and a captured one can't be "
      "waited for. Put it into the captured stream, or before cudaStreamBeginCapture()");
}

int Graphs::refuse_by_name(const Call& c, const std::string& name) {
  struct Refused {
    const char* name;
    int code;
    bool relaxed;  ///< allowed by cudaStreamCaptureModeRelaxed
    const char* why;
  };
  static const char* const memory =
      "A graph holds the work of streams, and this call is none. Allocate before cudaStreamBeginCapture() "
      "and "
      "free after the graph's last launch, or use cudaMallocAsync() and cudaFreeAsync() in the captured "
      "stream";
  static const char* const wait =
      "Nothing runs while a stream is captured, so nothing can be waited for: wait after cudaGraphLaunch()";
  static const char* const blocking =
      "This call uses the default stream and waits. In a captured stream use the variant with Async in its "
      "name";
  static const Refused all[] = {
      {"cudaMalloc", capture_unsupported, true, memory},
      {"cudaMallocPitch", capture_unsupported, true, memory},
      {"cudaMallocManaged", capture_unsupported, true, memory},
      {"cudaHostAlloc", capture_unsupported, true, memory},
      {"cudaMallocArray", capture_unsupported, true, memory},
      {"cudaMalloc3DArray", capture_unsupported, true, memory},
      {"cudaFree", capture_unsupported, true, memory},
      {"cudaFreeArray", capture_unsupported, true, memory},
      {"cudaFreeHost", capture_unsupported, true, memory},
      {"cudaDeviceSynchronize", capture_unsupported, false, wait},
      {"cudaThreadSynchronize", capture_unsupported, false, wait},
      {"cudaDeviceReset", capture_unsupported, false, wait},
      {"cudaMemcpy", capture_implicit, false, blocking},
      {"cudaMemcpy2D", capture_implicit, false, blocking},
      {"cudaMemcpy3D", capture_implicit, false, blocking},
      {"cudaMemcpy2DToArray", capture_implicit, false, blocking},
      {"cudaMemcpy2DFromArray", capture_implicit, false, blocking},
      {"cudaMemset", capture_implicit, false, blocking},
      {"cudaMemset2D", capture_implicit, false, blocking},
  };
  if (!capture_) return 0;
  for (const Refused& r : all)
    if (name == r.name && !(r.relaxed && capture_->relaxed)) return refuse(c, r.code, name + ": " + r.why);
  return 0;
}

}  // namespace dojo::host
