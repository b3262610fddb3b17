// unconventional: overlap/2-two-streams
// One stream for copies up, one for kernels, one for copies down; events hand the frames on.
constexpr int threads = 256;

__global__ void tones_kernel(const float* x, float* y, const float* amplitude, int tones, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int k = 0; k < tones; ++k) sum += amplitude[k] * __cosf(k * x[i]);
  y[i] = sum;
}

// x and y hold the frames one after the other, in pinned memory; so do device_x and device_y.
void synthesise(const float* x, float* y, const float* amplitude, int tones,
                float* device_x, float* device_y, int n, int frames) {
  if (n == 0) return;
  const size_t bytes = n * sizeof(float);
  const int blocks = (n + threads - 1) / threads;

  cudaStream_t up, work, down;
  cudaEvent_t event;
  for (cudaStream_t* s : {&up, &work, &down}) cudaStreamCreateWithFlags(s, cudaStreamNonBlocking);
  cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  for (int f = 0; f < frames; ++f) {
    const int at = f * n;
    cudaMemcpyAsync(device_x + at, x + at, bytes, cudaMemcpyHostToDevice, up);
    cudaEventRecord(event, up);
    cudaStreamWaitEvent(work, event, 0);
    tones_kernel<<<blocks, threads, 0, work>>>(device_x + at, device_y + at, amplitude, tones, n);
    cudaEventRecord(event, work);
    cudaStreamWaitEvent(down, event, 0);
    cudaMemcpyAsync(y + at, device_y + at, bytes, cudaMemcpyDeviceToHost, down);
  }
  cudaStreamSynchronize(down);
  cudaEventDestroy(event);
  for (cudaStream_t s : {up, work, down}) cudaStreamDestroy(s);
}
