// unconventional: softmax/9-fused
// A block per row, two columns per load; functors for pairs and for single columns.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_fp16.h>
namespace cg = cooperative_groups;
// A block per row, two columns per load, functors that are class templates over the pair.
struct Two {
  float a, b;
};
template <class F>
struct Loader : F {};
struct Scores {
  const half* x;
  const unsigned char* mask;
  float scale;
  __device__ Two pair(size_t at) const {
    half2 h = *reinterpret_cast<const half2*>(x + at);
    uchar2 m = *reinterpret_cast<const uchar2*>(mask + at);
    float2 f = __half22float2(h);
    return {m.x ? f.x * scale : -INFINITY, m.y ? f.y * scale : -INFINITY};
  }
  __device__ float one(size_t at) const {
    float f = __half2float(x[at]) * scale;
    return mask[at] ? f : -INFINITY;
  }
};
struct Weights {
  half* y;
  const unsigned char* keep;
  float rescale;
  __device__ void pair(size_t at, Two v) const {
    uchar2 k = *reinterpret_cast<const uchar2*>(keep + at);
    *reinterpret_cast<half2*>(y + at) =
        __floats2half2_rn(k.x ? v.a * rescale : 0.f, k.y ? v.b * rescale : 0.f);
  }
  __device__ void one(size_t at, float v) const {
    y[at] = __float2half(keep[at] ? v * rescale : 0.f);
  }
};
template <class Op>
__device__ float over_block(float v, float* words, Op op) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  v = cg::reduce(warp, v, op);
  if (warp.thread_rank() == 0) words[threadIdx.x / 32] = v;
  __syncthreads();
  v = words[0];
  for (int w = 1; w < 4; ++w) v = op(v, words[w]);
  return v;
}
template <class In, class Out>
__global__ void __launch_bounds__(128) pairs(In in, Out out, int cols) {
  __shared__ float words[2][4];
  size_t row = size_t(blockIdx.x) * cols;
  Two v[4];
  float m = -INFINITY;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    int c = 2 * (threadIdx.x + 128 * i);
    v[i] = c < cols ? in.pair(row + c) : Two{-INFINITY, -INFINITY};
    m = fmaxf(m, fmaxf(v[i].a, v[i].b));
  }
  m = over_block(m, words[0], cg::greater<float>());
  float s = 0;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    v[i].a = __expf(v[i].a - m);
    v[i].b = __expf(v[i].b - m);
    if (2 * (threadIdx.x + 128 * i) < cols) s += v[i].a + v[i].b;
  }
  s = 1.0f / over_block(s, words[1], cg::plus<float>());
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    int c = 2 * (threadIdx.x + 128 * i);
    if (c < cols) out.pair(row + c, {v[i].a * s, v[i].b * s});
  }
}
template <class In, class Out>
__global__ void __launch_bounds__(128) singles(In in, Out out, int cols) {
  __shared__ float words[2][4];
  size_t row = size_t(blockIdx.x) * cols;
  float m = -INFINITY, s = 0;
  for (int c = threadIdx.x; c < cols; c += 128) m = fmaxf(m, in.one(row + c));
  m = over_block(m, words[0], cg::greater<float>());
  for (int c = threadIdx.x; c < cols; c += 128) s += __expf(in.one(row + c) - m);
  s = 1.0f / over_block(s, words[1], cg::plus<float>());
  for (int c = threadIdx.x; c < cols; c += 128) out.one(row + c, __expf(in.one(row + c) - m) * s);
}
void softmax(const half* x, const unsigned char* mask, const unsigned char* keep, half* y, int rows,
             int cols, float scale, float rescale) {
  if (rows == 0 || cols == 0) return;
  if (cols % 2 == 0)
    pairs<<<rows, 128>>>(Scores{x, mask, scale}, Weights{y, keep, rescale}, cols);
  else
    singles<<<rows, 128>>>(Scores{x, mask, scale}, Weights{y, keep, rescale}, cols);
}
