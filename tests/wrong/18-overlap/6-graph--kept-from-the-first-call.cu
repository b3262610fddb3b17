// wrong: overlap/6-graph
// mistake: The graph keeps the arrays of the first call. Capture it in each call, or give its nodes the new arrays.
// expect: wrong
// Captures the graph in the first call only.
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
  static cudaGraphExec_t exec = nullptr;
  static cudaGraph_t graph;
  const int per = 20;
  if (!exec) {
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    for (int s = 0; s < per; s += 2) {
      relax_kernel<<<blocks, threads, 0, stream>>>(u, v, n);
      relax_kernel<<<blocks, threads, 0, stream>>>(v, u, n);
    }
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiate(&exec, graph, 0);
  }
  for (int s = 0; s + per <= steps; s += per) cudaGraphLaunch(exec, stream);
  for (int s = steps / per * per; s < steps; s += 2) {
    relax_kernel<<<blocks, threads, 0, stream>>>(u, v, n);
    relax_kernel<<<blocks, threads, 0, stream>>>(v, u, n);
  }
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
}
