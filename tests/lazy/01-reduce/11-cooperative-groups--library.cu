// lazy: reduce/11-cooperative-groups
// expect: gate source(cub) == 0
// A group is made and not used: CUB sums the warp.
#include <cooperative_groups.h>
#include <cub/warp/warp_reduce.cuh>
namespace cg = cooperative_groups;
__device__ float ws(float v) { using W = cub::WarpReduce<float>; __shared__ typename W::TempStorage st[8]; return W(st[threadIdx.x / 32]).Sum(v); }
__device__ float block_sum(float v) {
  __shared__ float s[8];
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  v = ws(v);
  if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = v;
  __syncthreads();
  return ws(threadIdx.x % 32 < 8 ? s[threadIdx.x % 32] : 0.0f);
}
__device__ float quad(const float* in, int i, int n) {
  if (i + 3 < n) { float4 q = *(const float4*)(in + i); return q.x + q.y + q.z + q.w; }
  float v = 0;
  for (; i < n; ++i) v += in[i];
  return v;
}
__global__ void k(const float* in, float* partials, unsigned* done, float* sum, int n) {
  __shared__ bool last;
  float v = block_sum(quad(in, 4 * (blockIdx.x * 256 + threadIdx.x), n));
  if (threadIdx.x == 0) { partials[blockIdx.x] = v; __threadfence(); last = atomicAdd(done, 1u) == gridDim.x - 1; __threadfence(); }
  __syncthreads();
  if (!last) return;
  float w = 0;
  for (int i = threadIdx.x; i < gridDim.x; i += 256) w += partials[i];
  w = block_sum(w);
  if (threadIdx.x == 0) *sum = w;
}
void reduce(const float* in, float* sum, int n) {
  int b = n > 0 ? (n + 1023) / 1024 : 1;
  float* p; unsigned* d;
  cudaMalloc(&p, b * 4); cudaMalloc(&d, 4); cudaMemset(d, 0, 4);
  k<<<b, 256>>>(in, p, d, sum, n);
  cudaFree(p); cudaFree(d);
}
