// CUDA graphs: a captured fork and join, launched again and again, and a graph made node by node.
#include <cstdio>

__global__ void twice(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2;
}
__global__ void plus_one(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += 1;
}
__global__ void add(const float* a, const float* b, float* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

int main() {
  int n = 1000;
  const size_t bytes = n * sizeof(float);
  float *h, *a, *b, *c;
  cudaMallocHost(&h, bytes);
  cudaMalloc(&a, bytes);
  cudaMalloc(&b, bytes);
  cudaMalloc(&c, bytes);
  for (int i = 0; i < n; ++i) h[i] = i;
  cudaStream_t s, other;
  cudaStreamCreate(&s);
  cudaStreamCreate(&other);
  cudaEvent_t forked, joined;
  cudaEventCreateWithFlags(&forked, cudaEventDisableTiming);
  cudaEventCreateWithFlags(&joined, cudaEventDisableTiming);

  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  cudaMemcpyAsync(a, h, bytes, cudaMemcpyHostToDevice, s);
  cudaMemcpyAsync(b, a, bytes, cudaMemcpyDeviceToDevice, s);
  cudaEventRecord(forked, s);
  cudaStreamWaitEvent(other, forked, 0);
  twice<<<4, 256, 0, s>>>(a, n);
  plus_one<<<4, 256, 0, other>>>(b, n);
  cudaEventRecord(joined, other);
  cudaStreamWaitEvent(s, joined, 0);
  add<<<4, 256, 0, s>>>(a, b, c, n);
  cudaMemcpyAsync(h, c, bytes, cudaMemcpyDeviceToHost, s);
  cudaStreamCaptureStatus status;
  cudaStreamIsCapturing(other, &status);
  printf("captured: %s, h[5] = %g\n", status == cudaStreamCaptureStatusActive ? "both" : "one", h[5]);
  cudaGraph_t graph;
  cudaStreamEndCapture(s, &graph);
  size_t nodes = 0;
  cudaGraphGetNodes(graph, nullptr, &nodes);
  cudaGraphExec_t exec;
  cudaGraphInstantiate(&exec, graph, 0);
  printf("%zu nodes\n", nodes);
  for (int k = 0; k < 3; ++k) cudaGraphLaunch(exec, s);  // h[i] = 3 h[i] + 1, each time
  cudaStreamSynchronize(s);
  printf("h[0] = %g, h[5] = %g\n", h[0], h[5]);
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);

  cudaGraphCreate(&graph, 0);
  cudaGraphNode_t clear, count, fetch;
  cudaMemsetParams fill = {};
  fill.dst = c;
  fill.elementSize = sizeof(float);
  fill.width = n;
  fill.height = 1;
  cudaGraphAddMemsetNode(&clear, graph, nullptr, 0, &fill);
  void* args[] = {&c, &n};
  cudaKernelNodeParams kernel = {};
  kernel.func = (void*)plus_one;
  kernel.gridDim = dim3(4);
  kernel.blockDim = dim3(256);
  kernel.kernelParams = args;
  cudaGraphAddKernelNode(&count, graph, &clear, 1, &kernel);
  cudaGraphAddMemcpyNode1D(&fetch, graph, &count, 1, h, c, bytes, cudaMemcpyDeviceToHost);
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, s);
  cudaStreamSynchronize(s);
  printf("by hand: h[0] = %g, h[999] = %g, %s\n", h[0], h[999], cudaGetErrorString(cudaGetLastError()));
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
  cudaFreeHost(h);
  cudaStreamDestroy(s);
  cudaStreamDestroy(other);
  cudaEventDestroy(forked);
  cudaEventDestroy(joined);
}
