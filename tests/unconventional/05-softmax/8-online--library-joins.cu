// unconventional: softmax/8-online
// Each thread has a running pair; the block's is found by the library.
#include <cub/block/block_reduce.cuh>
#include <cuda_fp16.h>

constexpr int threads = 512;

struct Join {
  __device__ float2 operator()(float2 a, float2 b) const {
    const float m = fmaxf(a.x, b.x), zero = m == -INFINITY ? 0.0f : m;
    return {m, a.y * __expf(a.x - zero) + b.y * __expf(b.x - zero)};
  }
};

__global__ void softmax_kernel(const half* x, half* y, int cols) {
  using Reduce = cub::BlockReduce<float2, threads>;
  __shared__ typename Reduce::TempStorage storage;
  __shared__ float2 all;
  const half* in = x + size_t(blockIdx.x) * cols;
  half* out = y + size_t(blockIdx.x) * cols;
  float2 r = {-INFINITY, 0.0f};
#pragma unroll 8
  for (int c = threadIdx.x; c < cols; c += threads) {
    const float v = __half2float(in[c]), m = fmaxf(r.x, v), zero = m == -INFINITY ? 0.0f : m;
    r = {m, r.y * __expf(r.x - zero) + __expf(v - zero)};
  }
  r = Reduce(storage).Reduce(r, Join());
  if (threadIdx.x == 0) all = r;
  __syncthreads();
  const float scale = 1.0f / all.y;
#pragma unroll 8
  for (int c = threadIdx.x; c < cols; c += threads)
    out[c] = __float2half(__expf(__half2float(in[c]) - all.x) * scale);
}

void softmax(const half* x, half* y, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  softmax_kernel<<<rows, threads>>>(x, y, cols);
}
