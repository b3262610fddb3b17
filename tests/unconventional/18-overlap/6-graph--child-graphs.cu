// unconventional: overlap/6-graph
// A graph of ten steps is a child five times in a graph of fifty.
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
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  for (int s = 0; s < 10; s += 2) {
    relax_kernel<<<blocks, threads, 0, stream>>>(u, v, n);
    relax_kernel<<<blocks, threads, 0, stream>>>(v, u, n);
  }
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraph_t big;
  cudaGraphExec_t many;
  cudaGraphCreate(&big, 0);
  cudaGraphNode_t last{}, next;
  for (int c = 0; c < 5; ++c) {
    cudaGraphAddChildGraphNode(&next, big, c ? &last : nullptr, c ? 1 : 0, graph);
    last = next;
  }
  cudaGraphInstantiate(&many, big, 0);
  int s = 0;
  for (; s + 50 <= steps; s += 50) cudaGraphLaunch(many, stream);
  for (; s + 10 <= steps; s += 10) cudaGraphLaunch(exec, stream);
  for (; s < steps; s += 2) {
    relax_kernel<<<blocks, threads, 0, stream>>>(u, v, n);
    relax_kernel<<<blocks, threads, 0, stream>>>(v, u, n);
  }
  cudaStreamSynchronize(stream);
  cudaGraphExecDestroy(many);
  cudaGraphDestroy(big);
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
}
