// unconventional: profiles/7-normalise
// One cooperative launch: a barrier of the whole grid stands between peak and division.
#include <cooperative_groups.h>
constexpr int threads = 512;
constexpr int blocks = 264;
__device__ float block_peak[blocks];

// The largest of one number per thread.
__device__ float largest(float peak) {
  __shared__ float peaks[threads];
  __syncthreads();
  peaks[threadIdx.x] = peak;
  for (int half = threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half)
      peaks[threadIdx.x] = fmaxf(peaks[threadIdx.x], peaks[threadIdx.x + half]);
  }
  __syncthreads();
  return peaks[0];
}

__global__ void normalise_kernel(const float* in, float* out, int n) {
  float peak = 0;
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += blocks * threads)
    peak = fmaxf(peak, fabsf(in[i]));
  peak = largest(peak);
  if (threadIdx.x == 0) block_peak[blockIdx.x] = peak;
  cooperative_groups::this_grid().sync();
  peak = largest(threadIdx.x < blocks ? block_peak[threadIdx.x] : 0);
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += blocks * threads)
    out[i] = in[i] / peak;
}

void normalise(const float* in, float* out, int n) {
  if (n == 0) return;
  void* args[] = {&in, &out, &n};
  cudaLaunchCooperativeKernel((void*)normalise_kernel, dim3(blocks), dim3(threads), args, 0, 0);
}
