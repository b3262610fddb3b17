// Graph nodes that own graphs: conditional nodes (IF, WHILE, SWITCH) and child graphs; nodes of events.
#include <doctest/doctest.h>

#include <string>

#include "host/graphs.hpp"
#include "host_call_bench.hpp"
#include "host_play.hpp"

using namespace dojo;

namespace {

bool graph_told(const host_test::Played& r, const std::string& words) {
  for (const Diagnostic& d : r.findings)
    if (d.message.find(words) != std::string::npos) return true;
  for (const Diagnostic& d : r.findings) MESSAGE(d.where.line << ": " << d.message);
  return false;
}

/// A graph with one conditional node in line 21; `handle` and `body` are statements, `at_end` runs last.
host_test::Played conditional(const std::string& type, const std::string& handle, const std::string& body,
                              const std::string& at_end = "") {
  return host_test::play(R"(
#include <cstdio>
__global__ void step(int* x, cudaGraphConditionalHandle h) {
  if (++*x == 5) cudaGraphSetConditional(h, 0);
}
__global__ void everyone(cudaGraphConditionalHandle h) { cudaGraphSetConditional(h, 0); }
void host(void*) {}
int main() {
  int* x;
  cudaMalloc(&x, sizeof(int));
  cudaMemset(x, 0, sizeof(int));
  cudaStream_t s;
  cudaStreamCreate(&s);
  cudaGraph_t g;
  cudaGraphCreate(&g, 0);
  cudaGraphConditionalHandle h = 0;
  )" + handle + R"(
  cudaGraphNodeParams c = {cudaGraphNodeTypeConditional};
  c.conditional.handle = h, c.conditional.type = cudaGraphCondType)" +
                         type + R"(, c.conditional.size = 1;
  cudaGraphNode_t n;
  printf("%d", cudaGraphAddNode(&n, g, nullptr, nullptr, 0, &c));
  if (c.conditional.phGraph_out) {
    cudaStreamBeginCaptureToGraph(s, c.conditional.phGraph_out[0], 0, 0, 0, cudaStreamCaptureModeGlobal);
    )" + body + R"(
    cudaStreamEndCapture(s, nullptr);
  }
  cudaGraphExec_t e;
  printf(" %d", cudaGraphInstantiate(&e, g, 0));
  cudaGraphLaunch(e, s);
  cudaStreamSynchronize(s);
  int count = -1;
  cudaMemcpy(&count, x, sizeof count, cudaMemcpyDeviceToHost);
  printf(" %d\n", count);
  )" + at_end + R"(
  cudaFree(x);
})");
}

const std::string is_one = "cudaGraphConditionalHandleCreate(&h, g, 1, cudaGraphCondAssignDefault);";

}  // namespace

TEST_CASE("graph conditions: a value at launch holds for every launch") {
  const auto r = conditional("While", is_one, "step<<<1, 1, 0, s>>>(x, h);", R"(
  cudaMemset(x, 0, sizeof(int));
  cudaGraphLaunch(e, s);
  cudaStreamSynchronize(s);
  cudaMemcpy(&count, x, sizeof count, cudaMemcpyDeviceToHost);
  printf("%d\n", count);)");
  CHECK(r.printed == "0 0 5\n5\n");
  CHECK(r.findings.empty());
}

TEST_CASE("graph conditions: a WHILE that never ends is stopped and named") {
  const auto r = conditional("While", is_one, "");
  CHECK(r.stopped);
  CHECK(
      graph_told(r, "the WHILE node of line 21 has run its body 50,000 times, and its condition is still 1"));
}

TEST_CASE("graph conditions: one that nothing has set is told, and no body runs") {
  const auto r = conditional("If", "cudaGraphConditionalHandleCreate(&h, g);", "step<<<1, 1, 0, s>>>(x, h);");
  CHECK(r.printed == "0 0 0\n");
  CHECK(graph_told(r, "The IF node of line 21 reads a condition that nothing has set in this launch"));
}

TEST_CASE("graph conditions: threads of a warp that set one at once are told") {
  const auto r = conditional("While", is_one, "everyone<<<1, 32, 0, s>>>(h);");
  CHECK(r.printed == "0 0 0\n");
  CHECK(graph_told(r, "32 threads of a warp call cudaGraphSetConditional for one condition at once"));
}

TEST_CASE("graph conditions: wrong handles and bodies are refused with what is wrong") {
  auto r = conditional("If", "", "");
  CHECK(r.printed.starts_with("1 "));
  CHECK(graph_told(r, "cudaGraphAddNode: its handle is no condition"));
  r = conditional("If", is_one, "cudaLaunchHostFunc(s, host, nullptr);");
  CHECK(r.printed.starts_with("0 1 "));
  CHECK(graph_told(r, "The body of the IF node of line 21 has a node of another kind (line 24)"));
  r = conditional("If", is_one, "step<<<1, 1, 0, s>>>(x, 77);", "");
  CHECK(r.printed == "0 0 1\n");  // it sets none
  r = conditional("If", is_one, "everyone<<<1, 1, 0, s>>>(77);", "");
  CHECK(graph_told(r, "cudaGraphSetConditional of a handle that is no condition of a graph"));
  r = conditional("If", is_one, "", "cudaGraph_t t; printf(\"%d\\n\", cudaGraphClone(&t, g));");
  CHECK(r.printed == "0 0 0\n801\n");
}

TEST_CASE(
    "graphs: a child graph is copied when it is added; event nodes order streams; nodes get new parameters") {
  const auto r = host_test::play(R"(
#include <cstdio>
__global__ void add(int* x, int v) { *x += v; }
cudaGraphNodeParams kernel(void** arguments) {
  cudaGraphNodeParams p = {cudaGraphNodeTypeKernel};
  p.kernel.func = (void*)add;
  p.kernel.gridDim = p.kernel.blockDim = dim3(1);
  p.kernel.kernelParams = arguments;
  return p;
}
int main() {
  int *x, v = 1, h[2] = {};
  cudaMalloc(&x, sizeof(int));
  cudaStream_t s, t;
  cudaStreamCreate(&s);
  cudaStreamCreate(&t);
  cudaEvent_t done;
  cudaEventCreate(&done);
  void* arguments[] = {&x, &v};
  cudaGraph_t child, g;
  cudaGraphCreate(&child, 0);
  cudaGraphCreate(&g, 0);
  cudaGraphNode_t a, b, c, d, e;
  cudaGraphNodeParams p = kernel(arguments);
  cudaGraphAddNode(&a, child, nullptr, nullptr, 0, &p);
  cudaMemsetParams zero = {};
  zero.dst = x, zero.elementSize = 4, zero.width = 1, zero.height = 1;
  cudaGraphAddMemsetNode(&a, g, nullptr, 0, &zero);
  cudaGraphAddChildGraphNode(&b, g, &a, 1, child);
  v = 10;
  p = kernel(arguments);
  cudaGraphAddNode(&e, child, nullptr, nullptr, 0, &p);  // not in the copy
  cudaGraphAddEventRecordNode(&c, g, &b, 1, done);
  cudaGraphAddMemcpyNode1D(&d, g, &c, 1, &h[0], x, sizeof(int), cudaMemcpyDeviceToHost);
  cudaGraphNodeType type;
  cudaGraphNodeGetType(b, &type);
  cudaGraph_t copy;
  size_t count = 0;
  cudaGraphChildGraphNodeGetGraph(b, &copy);
  cudaGraphGetNodes(copy, nullptr, &count);
  printf("%d %d\n", int(type), int(count));
  cudaGraphExec_t exec;
  cudaGraphInstantiate(&exec, g, 0);
  cudaGraphLaunch(exec, s);
  cudaStreamWaitEvent(t, done, 0);
  cudaMemcpyAsync(&h[1], x, sizeof(int), cudaMemcpyDeviceToHost, t);
  cudaDeviceSynchronize();
  printf("%d %d\n", h[0], h[1]);
  cudaGraphExecMemcpyNodeSetParams1D(exec, d, &h[1], x, sizeof(int), cudaMemcpyDeviceToHost);
  h[0] = h[1] = 0;
  cudaGraphLaunch(exec, s);
  cudaDeviceSynchronize();
  printf("%d %d\n", h[0], h[1]);
  printf("%d\n", cudaGraphNodeSetParams(d, &p));  // a copy becomes no kernel
  cudaFree(x);
})");
  CHECK(r.printed == "4 1\n1 1\n0 1\n1\n");
  for (const Diagnostic& d : r.findings) MESSAGE(d.where.line << ": " << d.message);
  CHECK(r.findings.empty());
}

TEST_CASE("graphs: a launch that is captured has its own copies of what the launched graph owned") {
  const auto r = host_test::play(R"(
#include <cstdio>
__global__ void add(int* x) { *x += 1; }
int main() {
  int* x;
  cudaMalloc(&x, sizeof(int));
  cudaMemset(x, 0, sizeof(int));
  cudaStream_t s;
  cudaStreamCreate(&s);
  cudaGraph_t child, g, captured;
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  add<<<1, 1, 0, s>>>(x);
  cudaStreamEndCapture(s, &child);
  cudaGraphCreate(&g, 0);
  cudaGraphNode_t n;
  cudaGraphAddChildGraphNode(&n, g, nullptr, 0, child);
  cudaGraphExec_t first, second, again;
  cudaGraphInstantiate(&first, g, 0);
  printf("%d", cudaGraphDestroy(g));
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  cudaGraphLaunch(first, s);
  cudaGraphLaunch(first, s);
  cudaStreamEndCapture(s, &captured);
  printf(" %d", cudaGraphInstantiate(&second, captured, 0));
  cudaGraphDestroy(captured);
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  cudaGraphLaunch(first, s);
  cudaStreamEndCapture(s, &captured);
  printf(" %d", cudaGraphInstantiate(&again, captured, 0));
  cudaGraphLaunch(second, s);
  cudaGraphLaunch(again, s);
  cudaStreamSynchronize(s);
  int count = -1;
  cudaMemcpy(&count, x, sizeof count, cudaMemcpyDeviceToHost);
  printf(" %d\n", count);
  cudaFree(x);
})");
  CHECK(r.printed == "0 0 0 3\n");
  for (const Diagnostic& d : r.findings) MESSAGE(d.where.line << ": " << d.message);
  CHECK(r.findings.empty());
}

TEST_CASE("graphs: a graph takes no more nodes than handles can name, whatever adds them") {
  host_test::CallBench b;
  const uint64_t p = b.host(8), stream = (b.call("cudaStreamCreate", p), b.at<uint64_t>(p));
  const uint64_t graph = (b.call("cudaGraphCreate", p, 0), b.at<uint64_t>(p));
  auto& nodes = b.rt.graphs().graph(graph)->nodes;
  nodes.resize(1 << 18);
  for (uint32_t i = 1; i < nodes.size(); ++i) nodes[i].after = {i - 1};
  REQUIRE(b.call("__dojo_GraphInstantiate", p, graph, 0) == 0);
  const uint64_t exec = b.at<uint64_t>(p);
  b.rt.graphs().destroy_graph(graph);
  REQUIRE(b.call("cudaStreamBeginCapture", stream, 0) == 0);
  const uint64_t captured = b.rt.graphs().captured_graph();
  CHECK(b.call("cudaGraphLaunch", exec, stream) == 0);
  CHECK(b.call("cudaGraphLaunch", exec, stream) == 0);
  CHECK(b.call("cudaGraphLaunch", exec, stream) == 2);
  CHECK(b.call("cudaGraphAddEmptyNode", p, captured, 0, 0) == 2);
  CHECK(b.rt.graphs().graph(captured)->nodes.size() == 1 << 19);
}

TEST_CASE("graphs: graphs within graphs have a limit of levels, whatever nests them") {
  const host_test::Played bodies = host_test::play(R"(#include <cstdio>
int main() {
  cudaGraph_t top, g;
  cudaGraphCreate(&top, 0);
  g = top;
  for (int level = 0; level < 10000; ++level) {
    cudaGraphConditionalHandle h;
    cudaGraphConditionalHandleCreate(&h, top, 1, cudaGraphCondAssignDefault);
    cudaGraphNodeParams p = {};
    p.type = cudaGraphNodeTypeConditional;
    p.conditional.handle = h;
    p.conditional.type = cudaGraphCondTypeIf;
    p.conditional.size = 1;
    cudaGraphNode_t n;
    cudaGraphAddNode(&n, g, nullptr, nullptr, 0, &p);
    g = p.conditional.phGraph_out[0];
  }
  cudaGraphExec_t x;
  printf("%d\n", cudaGraphInstantiate(&x, top, 0));
  cudaGraphDestroy(top);
}
)");
  CHECK(bodies.printed == "1\n");
  REQUIRE(bodies.findings.size() == 1);
  CHECK(bodies.findings[0].where.line == 19);
  CHECK(bodies.findings[0].message.find("deeper than 100 levels") != std::string::npos);

  const host_test::Played children = host_test::play(R"(#include <cstdio>
int main() {
  cudaGraph_t g, owner;
  cudaGraphNode_t n;
  cudaGraphCreate(&g, 0);
  for (int level = 0; level < 1000; ++level) {
    cudaGraphCreate(&owner, 0);
    const int refused = cudaGraphAddChildGraphNode(&n, owner, nullptr, 0, g);
    if (refused) {
      printf("%d at %d\n", refused, level);
      break;
    }
    cudaGraphDestroy(g);
    g = owner;
  }
  cudaGraphExec_t x;
  printf("%d\n", cudaGraphInstantiate(&x, g, 0));
  printf("%d\n", cudaGraphLaunch(x, 0));
}
)");
  CHECK(children.printed == "1 at 100\n0\n0\n");
  REQUIRE(!children.findings.empty());
  CHECK(children.findings[0].message.find("up to 100 levels") != std::string::npos);
}
