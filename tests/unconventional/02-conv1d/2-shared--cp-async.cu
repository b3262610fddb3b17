// unconventional: conv1d/2-shared
// The tile comes by asynchronous copies, four bytes per lane, past the registers.
#include <cuda_pipeline.h>

constexpr int threads = 128;

__global__ void average3(const float* in, float* out, int n) {
  __shared__ float tile[threads + 2];
  const int first = blockIdx.x * threads;
  for (int t = threadIdx.x; t < threads + 2; t += threads)
    if (first + t < n + 2) __pipeline_memcpy_async(&tile[t], &in[first + t], sizeof(float));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  const int i = first + threadIdx.x;
  if (i < n) out[i] = (tile[threadIdx.x] + tile[threadIdx.x + 1] + tile[threadIdx.x + 2]) / 3.0f;
}

void conv1d(const float* in, float* out, int n) {
  if (n == 0) return;
  average3<<<(n + threads - 1) / threads, threads>>>(in, out, n);
}
