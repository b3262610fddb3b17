// unconventional: sync-bugs/6-total
// Thread 0 alone reads its flag. The optimiser loads it in all threads and drops what the others
// read.
#include <cub/block/block_reduce.cuh>
#include <cuda/atomic>
__device__ float partials[4096];
__device__ cuda::atomic<unsigned, cuda::thread_scope_device> done{0};
__global__ void k(const float* in, float* sum, int n) {
  using R = cub::BlockReduce<float, 512>;
  __shared__ typename R::TempStorage st;
  __shared__ int last;
  const int i = blockIdx.x * 512 + threadIdx.x;
  float v = R(st).Sum(i < n ? in[i] : 0.f);
  if (threadIdx.x == 0) {
    partials[blockIdx.x] = v;
    last = done.fetch_add(1, cuda::memory_order_acq_rel) == gridDim.x - 1;
  }
  if (!__syncthreads_or(threadIdx.x == 0 && last)) return;
  v = 0;
  for (int b = threadIdx.x; b < gridDim.x; b += 512) v += partials[b];
  v = R(st).Sum(v);
  if (threadIdx.x == 0) {
    *sum = v;
    done.store(0, cuda::memory_order_relaxed);
  }
}
void total(const float* in, float* sum, int n) {
  k<<<n > 0 ? (n + 511) / 512 : 1, 512>>>(in, sum, n);
}
