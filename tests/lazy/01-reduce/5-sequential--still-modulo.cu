// lazy: reduce/5-sequential
// expect: gate shared_load_wavefronts <= n / 8
// Step 2's remainder: no conflicts either, but idle lanes in every warp.
// The block's elements come by asynchronous copies.
#include <cuda_pipeline.h>

constexpr int threads = 256;

__global__ void reduce_kernel(const float* in, float* partials, int n) {
  __shared__ float s[threads];
  const int tid = threadIdx.x;
  const int i = blockIdx.x * threads + tid;
  if (i < n)
    __pipeline_memcpy_async(&s[tid], &in[i], sizeof(float));
  else
    s[tid] = 0.0f;
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  for (int stride = 1; stride < threads; stride *= 2) {
    if (tid % (2 * stride) == 0) s[tid] += s[tid + stride];
    __syncthreads();
  }
  if (tid == 0) partials[blockIdx.x] = s[0];
}

void reduce(const float* in, float* partials, int n) {
  if (n == 0) return;
  reduce_kernel<<<(n + threads - 1) / threads, threads>>>(in, partials, n);
}
