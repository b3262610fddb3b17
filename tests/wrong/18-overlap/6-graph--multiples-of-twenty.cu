// wrong: overlap/6-graph
// mistake: The steps that a graph of 20 leaves over are not launched.
// expect: wrong
// Many short kernels as a graph, which is made once and launched again and again.
// Bound by the kernels: the host launches twenty at a time.
constexpr int threads = 256;
constexpr int steps_per_graph = 20;

// One step of heat conduction: every point moves towards the mean of the two beside it.
__global__ void relax_kernel(const float* from, float* to, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float here = from[i];
  const float left = i > 0 ? from[i - 1] : here, right = i + 1 < n ? from[i + 1] : here;
  to[i] = here + 0.25f * (left - 2 * here + right);
}

// u holds the temperatures, before and after; v is room for the steps between. Both are in device
// memory. steps is even.
void relax(float* u, float* v, int n, int steps) {
  if (n == 0) return;
  const int blocks = (n + threads - 1) / threads;
  cudaStream_t stream;
  cudaStreamCreate(&stream);

  // Captured launches do not run: they become nodes of the graph.
  cudaGraph_t graph;
  cudaGraphExec_t ready;
  const int at_once = min(steps, steps_per_graph);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  for (int s = 0; s < at_once; s += 2) {
    relax_kernel<<<blocks, threads, 0, stream>>>(u, v, n);
    relax_kernel<<<blocks, threads, 0, stream>>>(v, u, n);
  }
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&ready, graph, 0);

  int s = 0;
  for (; at_once > 0 && s + at_once <= steps; s += at_once) cudaGraphLaunch(ready, stream);
  for (; false;) {
    relax_kernel<<<blocks, threads, 0, stream>>>(u, v, n);
    relax_kernel<<<blocks, threads, 0, stream>>>(v, u, n);
  }
  cudaStreamSynchronize(stream);

  cudaGraphExecDestroy(ready);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
}
