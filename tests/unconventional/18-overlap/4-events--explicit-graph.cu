// unconventional: overlap/4-events
constexpr int threads = 128;

__global__ void scale_kernel(const float* x, float* scaled, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) scaled[i] = 0.5f * x[i];
}

__global__ void tones_kernel(const float* x, float* y, const float* amplitude, int first, int last, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int k = first; k < last; ++k) sum += amplitude[k] * __cosf(k * x[i]);
  y[i] = sum;
}

__global__ void product_kernel(const float* left, const float* right, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = left[i] * right[i];
}

void diamond(const float* x, float* y, const float* amplitude, int tones, float* scaled, float* left,
             float* right, int n) {
  if (n == 0) return;
  const dim3 blocks((n + threads - 1) / threads);
  int zero = 0, half = tones / 2;
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  cudaGraphNode_t node[4];
  const auto add = [&](int which, const cudaGraphNode_t* after, int count, void* kernel, void** arguments) {
    cudaKernelNodeParams p = {};
    p.func = kernel;
    p.gridDim = blocks;
    p.blockDim = dim3(threads);
    p.kernelParams = arguments;
    cudaGraphAddKernelNode(&node[which], graph, after, count, &p);
  };
  void* scale[] = {&x, &scaled, &n};
  void* first[] = {&scaled, &left, &amplitude, &zero, &half, &n};
  void* second[] = {&scaled, &right, &amplitude, &half, &tones, &n};
  void* product[] = {&left, &right, &y, &n};
  add(0, nullptr, 0, (void*)scale_kernel, scale);
  add(1, node, 1, (void*)tones_kernel, first);
  add(2, node, 1, (void*)tones_kernel, second);
  add(3, node + 1, 2, (void*)product_kernel, product);
  cudaGraphExec_t ready;
  cudaGraphInstantiate(&ready, graph, 0);
  cudaGraphLaunch(ready, 0);
  cudaDeviceSynchronize();
  cudaGraphExecDestroy(ready);
  cudaGraphDestroy(graph);
}
