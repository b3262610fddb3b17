// unconventional: overlap/6-graph
// A graph of two nodes, added one by one, launched for every pair of steps.
constexpr int threads = 256;

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
  cudaGraph_t graph;
  cudaGraphExec_t ready;
  cudaGraphNode_t there, back;
  void* to_v[] = {&u, &v, &n};
  void* to_u[] = {&v, &u, &n};
  cudaKernelNodeParams node = {};
  node.func = (void*)relax_kernel;
  node.gridDim = dim3(blocks);
  node.blockDim = dim3(threads);
  cudaGraphCreate(&graph, 0);
  node.kernelParams = to_v;
  cudaGraphAddKernelNode(&there, graph, nullptr, 0, &node);
  node.kernelParams = to_u;
  cudaGraphAddKernelNode(&back, graph, &there, 1, &node);
  cudaGraphInstantiate(&ready, graph, 0);
  for (int s = 0; s < steps; s += 2) cudaGraphLaunch(ready, 0);
  cudaDeviceSynchronize();
  cudaGraphExecDestroy(ready);
  cudaGraphDestroy(graph);
}
