// unconventional: overlap/2-two-streams
constexpr int threads = 256;

__global__ void tones_kernel(const float* x, float* y, const float* amplitude, int tones, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int k = 0; k < tones; ++k) sum += amplitude[k] * __cosf(k * x[i]);
  y[i] = sum;
}

// x and y hold the frames one after the other, in pinned memory; so do device_x and device_y.
void synthesise(const float* x, float* y, const float* amplitude, int tones, float* device_x, float* device_y,
                int n, int frames) {
  if (n == 0) return;
  const size_t bytes = n * sizeof(float);
  const int blocks = (n + threads - 1) / threads;

  cudaStream_t streams[2];
  for (cudaStream_t& s : streams) cudaStreamCreate(&s);

  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  cudaGraph_t graph;
  cudaGraphExec_t ready;
  cudaStreamBeginCapture(streams[0], cudaStreamCaptureModeGlobal);
  cudaEventRecord(begin, streams[0]);
  cudaStreamWaitEvent(streams[1], begin, 0);
  for (int f = 0; f < frames; ++f) {
    cudaStream_t stream = streams[f % 2];
    const int at = f * n;
    cudaMemcpyAsync(device_x + at, x + at, bytes, cudaMemcpyHostToDevice, stream);
    tones_kernel<<<blocks, threads, 0, stream>>>(device_x + at, device_y + at, amplitude, tones, n);
    cudaMemcpyAsync(y + at, device_y + at, bytes, cudaMemcpyDeviceToHost, stream);
  }
  cudaEventRecord(end, streams[1]);
  cudaStreamWaitEvent(streams[0], end, 0);
  cudaStreamEndCapture(streams[0], &graph);
  cudaGraphInstantiate(&ready, graph, 0);
  cudaGraphLaunch(ready, streams[0]);
  cudaStreamSynchronize(streams[0]);
  cudaGraphExecDestroy(ready);
  cudaGraphDestroy(graph);
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  for (cudaStream_t s : streams) {
    cudaStreamSynchronize(s);
    cudaStreamDestroy(s);
  }
}
