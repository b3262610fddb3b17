// Stream capture: what goes to a captured stream becomes nodes of a graph.
#include <algorithm>
#include <utility>

#include "core/collections/sorted.hpp"
#include "host/graphs.hpp"
#include "host/runtime.hpp"
#include "host/state/streams.hpp"

namespace dojo::host {
namespace {

using namespace cuda_error;
using namespace graph_error;

constexpr size_t most_nodes = 1 << 19;  // of a graph: node handles have 20 bits for them

std::string line_text(const SourceLoc& where) { return "line " + std::to_string(where.line); }

}  // namespace

CudaStatus Graphs::begin(Call& c, uint64_t stream, int mode) {
  const uint64_t graph = add(Graph{});
  const CudaStatus s = begin(c, stream, mode, graph, {});
  if (s.ok())
    capture_->of_own = true;
  else
    destroy_graph(graph);
  return s;
}

CudaStatus Graphs::begin(Call& c, uint64_t stream, int mode, uint64_t graph, std::vector<uint32_t> after) {
  if (stream == 0) {
    rt_.report(c, Severity::error, FindingKind::host_error,
               "The default stream can't be captured. Make a stream with cudaStreamCreate(), give it to the "
               "launches and copies, and capture that one.");
    return {capture_unsupported};
  }
  if (captures(stream)) return {refuse(c, illegal_state, "this stream is being captured already")};
  if (capture_) {
    rt_.report(c, Severity::error, FindingKind::host_error,
               "A capture began at " + line_text(capture_->where) +
                   " and has not ended. Two captures at a time are not supported here: end the first one, or "
                   "let this stream join it with an event and cudaStreamWaitEvent().");
    return {not_supported};
  }
  capture_.emplace();
  capture_->origin = stream;
  capture_->relaxed = mode == 2;
  capture_->where = c.where;
  capture_->graph = graph;
  capture_->ends[stream] = std::move(after);
  return {};
}

CudaStatus Graphs::end(Call& c, uint64_t stream, uint64_t* graph) {
  *graph = 0;
  if (!captures(stream)) {
    rt_.report(c, Severity::error, FindingKind::host_error,
               "cudaStreamEndCapture of a stream that is not being captured: begin with "
               "cudaStreamBeginCapture() of this stream.");
    return {illegal_state};
  }
  if (stream != capture_->origin) {
    rt_.report(c, Severity::error, FindingKind::host_error,
               "The capture began in another stream (" + line_text(capture_->where) +
                   "): end it in that one. This stream only joined it.");
    capture_.reset();
    return {capture_unmatched};
  }
  Capture ended = std::move(*capture_);
  capture_.reset();
  const Graph* made = this->graph(ended.graph);
  if (ended.broken || !made) {
    if (ended.of_own) destroy_graph(ended.graph);
    return {capture_invalidated};
  }
  const std::vector<GraphNode>& nodes = made->nodes;
  // Whatever other streams did last must come before the end of the origin.
  std::vector<bool> reached(nodes.size());
  std::vector<uint32_t> open = ended.ends[stream];
  while (!open.empty()) {
    const uint32_t n = open.back();
    open.pop_back();
    if (reached[n]) continue;
    reached[n] = true;
    const auto& after = nodes[n].after;
    open.insert(open.end(), after.begin(), after.end());
  }
  for (const auto& [other, ends] : ended.ends)
    for (uint32_t n : ends)
      if (!reached[n]) {
        const GraphNode& node = nodes[n];
        rt_.report(c, Severity::error, FindingKind::host_error,
                   "The capture ends while another stream's work is not joined: " +
                       (node.kernel ? "the kernel " + node.kernel->demangled : std::string("the work")) +
                       " of " + line_text(node.where) +
                       ". Record an event behind it in that stream, and let the captured stream wait for it "
                       "with cudaStreamWaitEvent() before cudaStreamEndCapture().");
        return {capture_unjoined};
      }
  *graph = ended.graph;
  return {};
}

CudaStatus Graphs::add(uint64_t stream, GraphNode n) {
  Graph* g = graph(capture_->graph);
  if (!g) return {capture_invalidated};  // the program destroyed it
  std::vector<uint32_t>& ends = capture_->ends[stream];
  n.after = ends;
  if (!append(*g, std::move(n))) return {memory_allocation};
  ends = {uint32_t(g->nodes.size() - 1)};
  return {};
}

bool Graphs::append(Graph& g, GraphNode n) {
  if (g.nodes.size() >= most_nodes) return false;
  g.nodes.push_back(std::move(n));
  return true;
}

/// The nodes of a launched graph become nodes of the one that is being captured.
CudaStatus Graphs::launch_captured(const GraphExec& x, uint64_t stream) {
  Graph* g = graph(capture_->graph);
  if (!g) return {capture_invalidated};  // the program destroyed it
  if (g->nodes.size() + x.graph.nodes.size() > most_nodes) return {memory_allocation};
  Graph launched = copy_of(x);
  auto& ends = capture_->ends[stream];
  const std::vector<uint32_t> before = ends;
  const uint32_t base = uint32_t(g->nodes.size());
  std::set<uint32_t> leaves;
  for (uint32_t i = 0; i < launched.nodes.size(); ++i) {
    GraphNode& n = launched.nodes[i];
    for (uint32_t& a : n.after) leaves.erase(a + base), a += base;
    if (n.after.empty()) n.after = before;
    append(*g, std::move(n));
    leaves.insert(base + i);
  }
  for (const GraphNode& n : x.graph.nodes)
    for (uint32_t a : n.after) leaves.erase(a + base);
  if (!leaves.empty()) ends.assign(leaves.begin(), leaves.end());
  for (uint64_t handle : launched.conditions)
    if (std::find(g->conditions.begin(), g->conditions.end(), handle) == g->conditions.end())
      g->conditions.push_back(handle);
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
  unite(capture_->ends[stream], capture_->events[event]);
  return {};
}

int Graphs::refuse(const Call& c, int code, const std::string& why) {
  capture_->broken = true;
  rt_.report(c, Severity::error, FindingKind::host_error,
             why + ". (A stream is being captured since " + line_text(capture_->where) + ".)");
  return code;
}

int Graphs::refuse_default_stream(const Call& c, uint64_t stream) {
  if (!capture_ || stream != 0) return 0;
  const bool blocking = std::any_of(capture_->ends.begin(), capture_->ends.end(), [&](const auto& s) {
    return !rt_.streams().non_blocking.contains(s.first);
  });
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
      {"cudaMemsetElements", capture_implicit, false, blocking},
  };
  if (!capture_) return 0;
  for (const Refused& r : all)
    if (name == r.name && !(r.relaxed && capture_->relaxed)) return refuse(c, r.code, name + ": " + r.why);
  return 0;
}

}  // namespace dojo::host
