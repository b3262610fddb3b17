// unconventional: sync-bugs/6-total
// cuda::atomic_ref with acquire and release in place of fences, float4 loads, 128 threads.
#include <cuda/atomic>

constexpr int threads = 128;
__device__ float partials[65536];
__device__ unsigned done;

__device__ float warp_sum(float v) {
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(~0u, v, d);
  return v;
}

__global__ void sum_kernel(const float* in, float* sum, int n) {
  __shared__ float s[threads / 32];
  __shared__ bool last;
  const int first = 4 * (blockIdx.x * threads + threadIdx.x);
  float v = 0;
  if (first + 3 < n) {
    const float4 f = *reinterpret_cast<const float4*>(in + first);
    v = (f.x + f.y) + (f.z + f.w);
  } else {
    for (int i = first; i < n; ++i) v += in[i];
  }
  v = warp_sum(v);
  if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x == 0) {
    partials[blockIdx.x] = s[0] + s[1] + s[2] + s[3];
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> count(done);
    last = count.fetch_add(1, cuda::memory_order_acq_rel) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last || threadIdx.x >= 32) return;
  v = 0;
  for (int b = threadIdx.x; b < gridDim.x; b += 32) v += partials[b];
  v = warp_sum(v);
  if (threadIdx.x == 0) {
    *sum = v;
    done = 0;
  }
}

void total(const float* in, float* sum, int n) {
  sum_kernel<<<max(1, (n + 4 * threads - 1) / (4 * threads)), threads>>>(in, sum, n);
}
