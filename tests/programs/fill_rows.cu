// cudaMemset2D, its asynchronous form and a graph's node write rows, and nothing between them.
#include <cstdio>
#include <vector>

static int wrong(const unsigned char* d, int rows, int width, int pitch, int value) {
  std::vector<unsigned char> h(rows * pitch);
  cudaMemcpy(h.data(), d, h.size(), cudaMemcpyDeviceToHost);
  int n = 0;
  for (int i = 0; i < rows * pitch; ++i) n += h[i] != (i % pitch < width ? value : 1);
  return n;
}

int main() {
  unsigned char* d;
  cudaMalloc(&d, 1 << 20);
  cudaMemset(d, 1, 1 << 20);
  cudaMemset2D(d, 1536, 7, 1024, 300);
  printf("rows: %d bytes wrong\n", wrong(d, 300, 1024, 1536, 7));
  cudaMemset(d, 1, 1 << 20);
  cudaStream_t s;
  cudaStreamCreate(&s);
  cudaMemset2DAsync(d, 100, 8, 3, 1000, s);
  cudaStreamSynchronize(s);
  printf("in a stream: %d bytes wrong\n", wrong(d, 1000, 3, 100, 8));

  cudaMemset(d, 1, 1 << 20);
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  cudaMemset2DAsync(d, 64, 9, 16, 50, s);
  cudaStreamEndCapture(s, &graph);
  size_t nodes = 0;
  cudaGraphGetNodes(graph, nullptr, &nodes);
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, s);
  cudaStreamSynchronize(s);
  printf("captured: %d nodes, %d bytes wrong\n", int(nodes), wrong(d, 50, 16, 64, 9));
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);

  cudaMemset(d, 1, 1 << 20);
  cudaGraphCreate(&graph, 0);
  cudaGraphNode_t node;
  cudaMemsetParams fill = {};
  fill.dst = d;
  fill.elementSize = 1;
  fill.width = 100;
  fill.height = 50;
  fill.pitch = 128;
  fill.value = 10;
  cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &fill);
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, s);
  cudaStreamSynchronize(s);
  printf("by hand: %d bytes wrong, %s\n", wrong(d, 50, 100, 128, 10), cudaGetErrorString(cudaGetLastError()));
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(s);
  cudaFree(d);
}
