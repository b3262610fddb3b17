// What making a graph by stream capture costs the host.
//   nvcc -O3 -std=c++17 -arch=sm_90 graphs.cu -o graphs && ./graphs
// Graphs of empty kernels in a chain: capture, cudaGraphInstantiate and the first cudaGraphLaunch until it
// returns, the least of 20 graphs, in microseconds. (Later launches: overlap.cu.)
#include <algorithm>
#include <chrono>
#include <cstdio>

__global__ void empty() {}

static double now() {
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

int main() {
  cudaStream_t s;
  if (cudaStreamCreate(&s) != cudaSuccess) return printf("no GPU\n"), 1;
  cudaDeviceProp p;
  cudaGetDeviceProperties(&p, 0);
  printf("# %s, graphs.cu: nodes, capture, instantiate, first launch\n", p.name);
  for (int nodes : {1, 10, 100, 400}) {
    double capture = 1e9, instantiate = 1e9, first = 1e9;
    for (int r = 0; r < 20; ++r) {
      cudaGraph_t graph;
      cudaGraphExec_t exec;
      const double t0 = now();
      cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
      for (int i = 0; i < nodes; ++i) empty<<<1, 32, 0, s>>>();
      cudaStreamEndCapture(s, &graph);
      const double t1 = now();
      cudaGraphInstantiate(&exec, graph, 0);
      const double t2 = now();
      cudaGraphLaunch(exec, s);
      const double t3 = now();
      cudaDeviceSynchronize();
      capture = std::min(capture, t1 - t0);
      instantiate = std::min(instantiate, t2 - t1);
      first = std::min(first, t3 - t2);
      cudaGraphExecDestroy(exec);
      cudaGraphDestroy(graph);
    }
    printf("%d, %.2f, %.2f, %.2f\n", nodes, capture, instantiate, first);
  }
  printf("# %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
