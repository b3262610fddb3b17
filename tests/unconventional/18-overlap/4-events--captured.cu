// unconventional: overlap/4-events
// The two streams and their events are captured as a graph.
constexpr int threads = 128;

__global__ void scale_kernel(const float* x, float* scaled, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) scaled[i] = 0.5f * x[i];
}

// The tones from `first` to before `last`.
__global__ void tones_kernel(const float* x, float* y, const float* amplitude, int first, int last,
                             int n) {
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

// All arrays are in device memory.
void diamond(const float* x, float* y, const float* amplitude, int tones, float* scaled,
             float* left, float* right, int n) {
  if (n == 0) return;
  const int blocks = (n + threads - 1) / threads, half = tones / 2;
  cudaStream_t main, side;
  cudaEvent_t fork, join;
  cudaStreamCreate(&main);
  cudaStreamCreate(&side);
  cudaEventCreateWithFlags(&fork, cudaEventDisableTiming);
  cudaEventCreateWithFlags(&join, cudaEventDisableTiming);

  cudaStreamBeginCapture(main, cudaStreamCaptureModeGlobal);
  scale_kernel<<<blocks, threads, 0, main>>>(x, scaled, n);
  cudaEventRecord(fork, main);
  cudaStreamWaitEvent(side, fork, 0);  // side goes on when scaled is there
  tones_kernel<<<blocks, threads, 0, main>>>(scaled, left, amplitude, 0, half, n);
  tones_kernel<<<blocks, threads, 0, side>>>(scaled, right, amplitude, half, tones, n);
  cudaEventRecord(join, side);
  cudaStreamWaitEvent(main, join, 0);  // main goes on when right is there, too
  product_kernel<<<blocks, threads, 0, main>>>(left, right, y, n);
  cudaGraph_t graph;
  cudaGraphExec_t ready;
  cudaStreamEndCapture(main, &graph);
  cudaGraphInstantiate(&ready, graph, 0);
  cudaGraphLaunch(ready, main);
  cudaStreamSynchronize(main);
  cudaGraphExecDestroy(ready);
  cudaGraphDestroy(graph);

  cudaEventDestroy(fork);
  cudaEventDestroy(join);
  cudaStreamDestroy(main);
  cudaStreamDestroy(side);
}
