// A graph made executable with parameters, and written as a text for Graphviz.
#include <cstdio>
#include <cstring>

__global__ void add(int* p, int v) { p[threadIdx.x] += v; }

int main() {
  int *p, h[32];
  cudaMalloc(&p, sizeof h);
  cudaStream_t s;
  cudaStreamCreate(&s);
  cudaGraph_t graph;
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  cudaMemsetAsync(p, 0, sizeof h, s);
  add<<<1, 32, 0, s>>>(p, 1);
  add<<<1, 32, 0, s>>>(p, 2);
  cudaStreamEndCapture(s, &graph);
  cudaGraphInstantiateParams params = {};
  cudaGraphExec_t exec;
  const cudaError_t made = cudaGraphInstantiateWithParams(&exec, graph, &params);
  printf("%s %d\n", cudaGetErrorName(made), params.result_out == cudaGraphInstantiateSuccess);
  cudaGraphLaunch(exec, s);
  cudaMemcpyAsync(h, p, sizeof h, cudaMemcpyDeviceToHost, s);
  cudaStreamSynchronize(s);
  printf("%d\n", h[31]);
  printf("%s\n", cudaGetErrorName(cudaGraphDebugDotPrint(graph, "graph.dot", cudaGraphDebugDotFlagsVerbose)));
  int edges = 0, kernels = 0;
  char line[256];
  FILE* file = fopen("graph.dot", "r");
  while (file && fgets(line, sizeof line, file)) {
    edges += strstr(line, "->") != nullptr;
    kernels += strstr(line, "add") != nullptr;
  }
  printf("%d edges, %d kernels\n", edges, kernels);
  if (file) fclose(file);
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(s);
  cudaFree(p);
}
