// Graphs that decide while they run what to launch: IF with ELSE, WHILE and SWITCH nodes.
#include <cstdio>

#define CHECK(call)                                                             \
  do {                                                                          \
    cudaError_t e = (call);                                                     \
    if (e != cudaSuccess) printf("line %d: %s\n", __LINE__, cudaGetErrorName(e)); \
  } while (0)

// Collatz: sets the condition to 0 when x has come to 1.
__global__ void collatz(unsigned* x, int* steps, cudaGraphConditionalHandle go_on) {
  if (*x > 1) {
    *x = *x % 2 ? 3 * *x + 1 : *x / 2;
    ++*steps;
  }
  cudaGraphSetConditional(go_on, *x > 1);
}
__global__ void choose(const int* value, cudaGraphConditionalHandle which) { cudaGraphSetConditional(which, *value); }
__global__ void say(int what) { printf("  body %d\n", what); }

cudaGraphNode_t add_say(cudaGraph_t graph, int what) {
  void* arguments[] = {&what};
  cudaGraphNodeParams p = {cudaGraphNodeTypeKernel};
  p.kernel.func = (void*)say;
  p.kernel.gridDim = p.kernel.blockDim = dim3(1);
  p.kernel.kernelParams = arguments;
  cudaGraphNode_t node;
  CHECK(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &p));
  return node;
}

// choose -> IF / SWITCH with `size` bodies, launched for the values 0 to 3.
void branch(cudaGraphConditionalNodeType type, unsigned size, const char* name) {
  cudaGraph_t graph;
  CHECK(cudaGraphCreate(&graph, 0));
  cudaGraphConditionalHandle which;
  CHECK(cudaGraphConditionalHandleCreate(&which, graph));
  int* value;
  CHECK(cudaMalloc(&value, sizeof(int)));
  void* arguments[] = {&value, &which};
  cudaGraphNodeParams p = {cudaGraphNodeTypeKernel};
  p.kernel.func = (void*)choose;
  p.kernel.gridDim = p.kernel.blockDim = dim3(1);
  p.kernel.kernelParams = arguments;
  cudaGraphNode_t first, second;
  CHECK(cudaGraphAddNode(&first, graph, nullptr, nullptr, 0, &p));
  cudaGraphNodeParams c = {cudaGraphNodeTypeConditional};
  c.conditional.handle = which;
  c.conditional.type = type;
  c.conditional.size = size;
  CHECK(cudaGraphAddNode(&second, graph, &first, nullptr, 1, &c));
  for (unsigned i = 0; i < size; ++i) add_say(c.conditional.phGraph_out[i], int(i));
  cudaGraphNodeType kind;
  CHECK(cudaGraphNodeGetType(second, &kind));
  printf("%s, a node of type %d\n", name, int(kind));
  cudaGraphExec_t exec;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  for (int v = 0; v < 4; ++v) {
    printf(" value %d\n", v);
    fflush(stdout);
    CHECK(cudaMemcpy(value, &v, sizeof v, cudaMemcpyHostToDevice));
    CHECK(cudaGraphLaunch(exec, 0));
    CHECK(cudaDeviceSynchronize());
  }
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaFree(value));
}

// A WHILE node between two kernels of a captured stream; its body is captured too.
void loop() {
  unsigned* x;
  int* steps;
  CHECK(cudaMalloc(&x, sizeof *x));
  CHECK(cudaMalloc(&steps, sizeof *steps));
  cudaStream_t s;
  CHECK(cudaStreamCreate(&s));
  cudaGraph_t graph;
  cudaStreamCaptureStatus status;
  const cudaGraphNode_t* after;
  size_t count;
  CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
  CHECK(cudaMemsetAsync(steps, 0, sizeof *steps, s));
  CHECK(cudaStreamGetCaptureInfo(s, &status, nullptr, &graph, &after, nullptr, &count));
  printf("WHILE: capturing %d, next comes after %d node\n", status == cudaStreamCaptureStatusActive, int(count));
  cudaGraphConditionalHandle go_on;
  CHECK(cudaGraphConditionalHandleCreate(&go_on, graph, 1, cudaGraphCondAssignDefault));
  cudaGraphNode_t node;
  cudaGraphNodeParams c = {cudaGraphNodeTypeConditional};
  c.conditional.handle = go_on;
  c.conditional.type = cudaGraphCondTypeWhile;
  c.conditional.size = 1;
  CHECK(cudaGraphAddNode(&node, graph, after, nullptr, count, &c));
  CHECK(cudaStreamUpdateCaptureDependencies(s, &node, nullptr, 1, cudaStreamSetCaptureDependencies));
  say<<<1, 1, 0, s>>>(7);
  CHECK(cudaStreamEndCapture(s, &graph));

  CHECK(cudaStreamBeginCaptureToGraph(s, c.conditional.phGraph_out[0], nullptr, nullptr, 0,
                                      cudaStreamCaptureModeGlobal));
  collatz<<<1, 1, 0, s>>>(x, steps, go_on);
  CHECK(cudaStreamEndCapture(s, nullptr));

  cudaGraphExec_t exec;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  for (unsigned from : {1u, 6u, 27u}) {
    int n = -1;
    CHECK(cudaMemcpy(x, &from, sizeof from, cudaMemcpyHostToDevice));
    CHECK(cudaGraphLaunch(exec, s));
    CHECK(cudaStreamSynchronize(s));
    CHECK(cudaMemcpy(&n, steps, sizeof n, cudaMemcpyDeviceToHost));
    printf(" from %u: %d steps\n", from, n);
    fflush(stdout);
  }
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaStreamDestroy(s));
  CHECK(cudaFree(x));
  CHECK(cudaFree(steps));
}

int main() {
  branch(cudaGraphCondTypeIf, 1, "IF");
  branch(cudaGraphCondTypeIf, 2, "IF with ELSE");
  branch(cudaGraphCondTypeSwitch, 3, "SWITCH");
  loop();
}
