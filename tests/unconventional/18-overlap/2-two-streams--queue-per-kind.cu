// unconventional: overlap/2-two-streams
// One stream copies up, one runs kernels, one copies down.
// Two events order them, and are recorded again for each frame.
constexpr int threads = 256;

__global__ void tones_kernel(const float* x, float* y, const float* amplitude, int tones, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int k = 0; k < tones; ++k) sum += amplitude[k] * __cosf(k * x[i]);
  y[i] = sum;
}

// x and y hold the frames one after the other, in pinned memory; so do device_x and device_y.
void synthesise(const float* x, float* y, const float* amplitude, int tones, float* device_x,
                float* device_y, int n, int frames) {
  if (n == 0) return;
  const size_t bytes = n * sizeof(float);
  const int blocks = (n + threads - 1) / threads;

  enum { up, work, down, count };
  cudaStream_t s[count];
  cudaEvent_t arrived, done;
  for (auto& q : s) cudaStreamCreateWithFlags(&q, cudaStreamNonBlocking);
  cudaEventCreateWithFlags(&arrived, cudaEventDisableTiming);
  cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
  for (int f = 0; f < frames; ++f) {
    const int at = f * n;
    cudaMemcpyAsync(device_x + at, x + at, bytes, cudaMemcpyHostToDevice, s[up]);
    cudaEventRecord(arrived, s[up]);
    cudaStreamWaitEvent(s[work], arrived, 0);
    tones_kernel<<<blocks, threads, 0, s[work]>>>(device_x + at, device_y + at, amplitude, tones,
                                                  n);
    cudaEventRecord(done, s[work]);
    cudaStreamWaitEvent(s[down], done, 0);
    cudaMemcpyAsync(y + at, device_y + at, bytes, cudaMemcpyDeviceToHost, s[down]);
  }
  cudaStreamSynchronize(s[down]);
  for (auto q : s) cudaStreamDestroy(q);
  cudaEventDestroy(arrived);
  cudaEventDestroy(done);
}
