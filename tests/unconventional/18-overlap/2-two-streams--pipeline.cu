// unconventional: overlap/2-two-streams
// A stream per kind of work, ordered by two events that are recorded again and again.

constexpr int threads = 256;

__global__ void tones_kernel(const float* x, float* y, const float* amplitude, int tones, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int k = 0; k < tones; ++k) sum += amplitude[k] * __cosf(k * x[i]);
  y[i] = sum;
}

void synthesise(const float* x, float* y, const float* amplitude, int tones, float* device_x,
                float* device_y, int n, int frames) {
  if (n == 0) return;
  const size_t bytes = n * sizeof(float);
  const int blocks = (n + threads - 1) / threads;

  cudaStream_t up, compute, down;
  cudaStreamCreateWithFlags(&up, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&compute, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&down, cudaStreamNonBlocking);
  cudaEvent_t here, done;
  cudaEventCreateWithFlags(&here, cudaEventDisableTiming);
  cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
  for (int f = 0; f < frames; ++f) {
    const int at = f * n;
    cudaMemcpyAsync(device_x + at, x + at, bytes, cudaMemcpyHostToDevice, up);
    cudaEventRecord(here, up);
    cudaStreamWaitEvent(compute, here, 0);
    tones_kernel<<<blocks, threads, 0, compute>>>(device_x + at, device_y + at, amplitude, tones,
                                                  n);
    cudaEventRecord(done, compute);
    cudaStreamWaitEvent(down, done, 0);
    cudaMemcpyAsync(y + at, device_y + at, bytes, cudaMemcpyDeviceToHost, down);
  }
  cudaStreamSynchronize(down);
  cudaEventDestroy(here);
  cudaEventDestroy(done);
  cudaStreamDestroy(up);
  cudaStreamDestroy(compute);
  cudaStreamDestroy(down);
}
