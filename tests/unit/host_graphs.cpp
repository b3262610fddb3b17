// What the host interpreter says of captures that CUDA refuses, and how nodes are laid on streams.
#include <doctest/doctest.h>

#include <string>

#include "host/graphs.hpp"
#include "host_play.hpp"

using namespace dojo;
using namespace dojo::host;

namespace {

/// Runs `body` in a program with a kernel, two streams, an event and an array; errors are printed by name.
host_test::Played capture(const std::string& body) {
  return host_test::play(R"(
#include <cstdio>
__global__ void step(float* x) { x[threadIdx.x] += 1; }
void say(const char* what, cudaError_t e) { printf("%s %d\n", what, int(e)); }
int main() {
  float* x;
  cudaMalloc(&x, 128);
  cudaMemset(x, 0, 128);
  cudaStream_t s, other;
  cudaStreamCreate(&s);
  cudaStreamCreate(&other);
  cudaEvent_t event;
  cudaEventCreate(&event);
  cudaGraph_t graph;
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  step<<<1, 32, 0, s>>>(x);
)" + body + R"(
  cudaFree(x);
})");
}

bool told(const host_test::Played& r, const std::string& words) {
  for (const Diagnostic& d : r.findings)
    if (d.message.find(words) != std::string::npos) return true;
  for (const Diagnostic& d : r.findings) MESSAGE(d.where.line << ": " << d.message);
  return false;
}

Graph graph_of(std::vector<std::vector<uint32_t>> after) {
  Graph g;
  for (auto& a : after) {
    GraphNode n;
    n.after = std::move(a);
    g.nodes.push_back(std::move(n));
  }
  return g;
}

}  // namespace

TEST_CASE("graphs: memory allocated in a capture fails the capture, and the message says what to do") {
  const auto r = capture(R"(
  float* y;
  say("malloc", cudaMalloc(&y, 128));
  say("end", cudaStreamEndCapture(s, &graph));)");
  CHECK(r.printed == "malloc 900\nend 901\n");
  CHECK(told(r, "Allocate before cudaStreamBeginCapture()"));
  CHECK(told(r, "A stream is being captured since line 15"));
}

TEST_CASE("graphs: relaxed capture lets memory be allocated") {
  const auto r = host_test::play(R"(
#include <cstdio>
int main() {
  cudaStream_t s;
  cudaStreamCreate(&s);
  cudaGraph_t graph;
  float* y;
  cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed);
  int e = cudaMalloc(&y, 128);
  int end = cudaStreamEndCapture(s, &graph);
  printf("%d %d\n", e, end);
  cudaGraphDestroy(graph);
  cudaFree(y);
})");
  CHECK(r.printed == "0 0\n");
  CHECK(r.findings.empty());
}

TEST_CASE("graphs: work of another stream that is not joined is named with its kernel and line") {
  const auto r = capture(R"(
  cudaEventRecord(event, s);
  cudaStreamWaitEvent(other, event, 0);
  step<<<1, 32, 0, other>>>(x);
  say("end", cudaStreamEndCapture(s, &graph));)");
  CHECK(r.printed == "end 904\n");
  CHECK(told(r, "the kernel step of line 20"));
  CHECK(told(r, "Record an event behind it"));
}

TEST_CASE("graphs: waiting for a captured stream, its event, or the device is refused") {
  auto r = capture("say(\"wait\", cudaStreamSynchronize(s)); say(\"end\", cudaStreamEndCapture(s, &graph));");
  CHECK(r.printed == "wait 900\nend 901\n");
  CHECK(told(r, "nothing runs while it is captured"));
  r = capture(
      "cudaEventRecord(event, s); say(\"wait\", cudaEventSynchronize(event));"
      "say(\"end\", cudaStreamEndCapture(s, &graph));");
  CHECK(r.printed == "wait 907\nend 901\n");
  CHECK(told(r, "it is a place in the graph, not a point in time"));
  r = capture("say(\"wait\", cudaDeviceSynchronize()); say(\"end\", cudaStreamEndCapture(s, &graph));");
  CHECK(r.printed == "wait 900\nend 901\n");
  CHECK(told(r, "wait after cudaGraphLaunch()"));
}

TEST_CASE("graphs: work in the default stream is refused while a blocking stream is captured") {
  const auto r = capture(R"(
  step<<<1, 32>>>(x);
  say("launch", cudaGetLastError());
  say("end", cudaStreamEndCapture(s, &graph));)");
  CHECK(r.printed == "launch 906\nend 901\n");
  CHECK(told(r, "goes to the default stream"));
}

TEST_CASE("graphs: an event of before the capture can't be waited for in it") {
  const auto r = capture(R"(
  cudaEventRecord(event, other);
  say("wait", cudaStreamWaitEvent(s, event, 0));
  say("end", cudaStreamEndCapture(s, &graph));)");
  CHECK(r.printed == "wait 905\nend 901\n");
  CHECK(told(r, "a graph can't wait for work outside it"));
}

TEST_CASE("graphs: ends without a beginning, in the wrong stream, and never") {
  auto r = capture("say(\"end\", cudaStreamEndCapture(other, &graph)); cudaStreamEndCapture(s, &graph);");
  CHECK(r.printed == "end 401\n");
  CHECK(told(r, "begin with cudaStreamBeginCapture() of this stream"));
  r = capture(
      "cudaEventRecord(event, s); cudaStreamWaitEvent(other, event, 0);"
      "say(\"end\", cudaStreamEndCapture(other, &graph));");
  CHECK(r.printed == "end 903\n");
  CHECK(told(r, "The capture began in another stream (line 15)"));
  r = host_test::play(R"(
__global__ void step(float* x) { x[threadIdx.x] += 1; }
int main() {
  float* x;
  cudaMalloc(&x, 128);
  cudaStream_t s;
  cudaStreamCreate(&s);
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  step<<<1, 32, 0, s>>>(x);
})");
  CHECK(told(r, "This capture never ends"));
}

TEST_CASE("graphs: the default stream can't be captured; a destroyed graph can't be launched") {
  const auto r = host_test::play(R"(
#include <cstdio>
int main() {
  int e = cudaStreamBeginCapture(0, cudaStreamCaptureModeGlobal);
  cudaStream_t s;
  cudaStreamCreate(&s);
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaGraphCreate(&graph, 0);
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphExecDestroy(exec);
  int l = cudaGraphLaunch(exec, s);
  printf("%d %d\n", e, l);
})");
  CHECK(r.printed == "900 1\n");
  CHECK(told(r, "The default stream can't be captured"));
  CHECK(told(r, "cudaGraphLaunch: this is no executable graph, or it was destroyed"));
  const auto no_graph = host_test::play(R"(
int main() {
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec;
  cudaGraphInstantiate(&exec, graph, 0);
})");
  CHECK(told(no_graph, "cudaGraphInstantiate: this is no graph, or it was destroyed"));
}

TEST_CASE("graphs: what a launched graph writes is ordered with what follows in its stream") {
  // Two lanes write one array each; the launch after the graph reads both.
  const auto r = host_test::play(R"(
#include <cstdio>
__global__ void set(int* x, int v) { x[threadIdx.x] = v; }
__global__ void sum(const int* a, const int* b, int* c) { c[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x]; }
int main() {
  int *a, *b, *c, h[32];
  cudaMalloc(&a, 128); cudaMalloc(&b, 128); cudaMalloc(&c, 128);
  cudaStream_t s, other;
  cudaStreamCreate(&s); cudaStreamCreate(&other);
  cudaEvent_t e;
  cudaEventCreate(&e);
  cudaGraph_t graph; cudaGraphExec_t exec;
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  cudaEventRecord(e, s);
  cudaStreamWaitEvent(other, e, 0);
  set<<<1, 32, 0, s>>>(a, 1);
  set<<<1, 32, 0, other>>>(b, 2);
  cudaEventRecord(e, other);
  cudaStreamWaitEvent(s, e, 0);
  cudaStreamEndCapture(s, &graph);
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, s);
  sum<<<1, 32, 0, s>>>(a, b, c);
  cudaMemcpyAsync(h, c, 128, cudaMemcpyDeviceToHost, s);
  cudaStreamSynchronize(s);
  printf("%d %d\n", h[0], h[31]);
  cudaFree(a); cudaFree(b); cudaFree(c);
})");
  CHECK(r.printed == "3 3\n");
  CHECK(r.findings.empty());
}

TEST_CASE("graphs: a chain takes one lane, a fork as many as it has branches") {
  GraphExec chain;
  chain.graph = graph_of({{}, {0}, {1}, {2}});
  CHECK(make_steps(chain));
  CHECK(chain.lanes == 1);
  GraphExec diamond;
  diamond.graph = graph_of({{}, {0}, {0}, {1, 2}});
  CHECK(make_steps(diamond));
  CHECK(diamond.lanes == 2);
  CHECK(diamond.steps[2].lane != diamond.steps[1].lane);
  CHECK(diamond.steps[2].waits == std::vector<uint32_t>{0});
  CHECK(diamond.steps[3].waits.size() == 1);
  GraphExec backwards;
  backwards.graph = graph_of({{1}, {2}, {}});
  CHECK(make_steps(backwards));
  CHECK(backwards.steps[0].node == 2);
  GraphExec circle;
  circle.graph = graph_of({{1}, {0}});
  CHECK_FALSE(make_steps(circle));
}

TEST_CASE("graphs: memory that a graph allocates and frees itself, captured and node by node") {
  const auto r = host_test::play(R"(
#include <cstdio>
__global__ void fill(int* p, int v) { p[threadIdx.x] = v + threadIdx.x; }
__global__ void add(const int* p, int* sum) { atomicAdd(sum, p[threadIdx.x]); }
void run(cudaGraph_t graph, cudaStream_t s, int times) {
  cudaGraphExec_t exec;
  cudaGraphInstantiate(&exec, graph, 0);
  for (int i = 0; i < times; ++i) cudaGraphLaunch(exec, s);
  printf("%d\n", int(cudaStreamSynchronize(s)));
  cudaGraphExecDestroy(exec);
}
int main() {
  int *sum, *p;
  cudaMallocManaged(&sum, 4);
  *sum = 0;
  cudaStream_t s;
  cudaStreamCreate(&s);
  cudaGraph_t graph, nodes;
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  printf("%d ", int(cudaMallocAsync(&p, 128, s)));
  fill<<<1, 32, 0, s>>>(p, 10);
  add<<<1, 32, 0, s>>>(p, sum);
  printf("%d ", int(cudaFreeAsync(p, s)));
  printf("%d ", int(cudaStreamEndCapture(s, &graph)));
  run(graph, s, 2);

  cudaGraphCreate(&nodes, 0);
  cudaMemAllocNodeParams a = {};
  a.bytesize = 128;
  cudaGraphNode_t made, filled, freed;
  printf("%d ", int(cudaGraphAddMemAllocNode(&made, nodes, nullptr, 0, &a)));
  int* q = (int*)a.dptr;
  int v = 1;
  void* filling[] = {&q, &v};
  void* adding[] = {&q, &sum};
  cudaKernelNodeParams k = {};
  k.func = (void*)fill;
  k.gridDim = dim3(1);
  k.blockDim = dim3(32);
  k.kernelParams = filling;
  cudaGraphAddKernelNode(&filled, nodes, &made, 1, &k);
  k.func = (void*)add;
  k.kernelParams = adding;
  cudaGraphAddKernelNode(&filled, nodes, &filled, 1, &k);
  printf("%d ", int(cudaGraphAddMemFreeNode(&freed, nodes, &filled, 1, q)));
  run(nodes, s, 1);
  printf("sum %d\n", *sum);
  cudaFree(sum);
})");
  // Twice 32 numbers from 10 on, once 32 from 1 on.
  CHECK(r.printed == "0 0 0 0\n0 0 0\nsum 2160\n");
  for (const Diagnostic& d : r.findings) MESSAGE(d.where.line << ": " << d.message);
  CHECK(r.findings.empty());
}

TEST_CASE("graphs: a capture frees nothing that it has not allocated") {
  const auto r = capture(R"(
  say("free", cudaFreeAsync(x, s));
  say("end", cudaStreamEndCapture(s, &graph));)");
  CHECK(told(r, "a graph frees only what it has allocated"));
  CHECK(r.printed == "free 900\nend 901\n");
}
