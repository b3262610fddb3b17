// lazy: softmax/8-online
// expect: gate global_load_sectors * 32 <= 1.02 * 2 * 2 * d (cols=400000, rows=2)
// Three passes. Up to 131,072 columns, half of a row stays in registers, so that loads are few.
#include <cuda_fp16.h>
constexpr int threads = 1024;
constexpr int kept = 32;  // packs per thread that stay in registers
constexpr unsigned all_lanes = 0xffffffffu;

__device__ float block_max(float v, float* words) {
  for (int d = 16; d > 0; d /= 2) v = fmaxf(v, __shfl_xor_sync(all_lanes, v, d));
  if (threadIdx.x % 32 == 0) words[threadIdx.x / 32] = v;
  __syncthreads();
  v = words[threadIdx.x % 32];
  for (int d = 16; d > 0; d /= 2) v = fmaxf(v, __shfl_xor_sync(all_lanes, v, d));
  __syncthreads();
  return v;
}

__device__ float block_sum(float v, float* words) {
  for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(all_lanes, v, d);
  if (threadIdx.x % 32 == 0) words[threadIdx.x / 32] = v;
  __syncthreads();
  v = words[threadIdx.x % 32];
  for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(all_lanes, v, d);
  return v;
}

__device__ float larger(half2 v) { return fmaxf(__low2float(v), __high2float(v)); }
__device__ float exps(half2 v, float m) { return __expf(__low2float(v) - m) + __expf(__high2float(v) - m); }
__device__ half2 result(half2 v, float m, float scale) {
  return __floats2half2_rn(__expf(__low2float(v) - m) * scale, __expf(__high2float(v) - m) * scale);
}

__global__ void __launch_bounds__(threads) even_kernel(const half2* x, half2* y, int packs) {
  __shared__ float words[32];
  const half2* in = x + size_t(blockIdx.x) * packs;
  half2* out = y + size_t(blockIdx.x) * packs;
  half2 v[kept];
  float m = -INFINITY, s = 0;
#pragma unroll
  for (int i = 0; i < kept; ++i) {
    const int p = threadIdx.x + threads * i;
    v[i] = p < packs ? in[p] : __float2half2_rn(-INFINITY);
    m = fmaxf(m, larger(v[i]));
  }
#pragma unroll 8
  for (int p = threadIdx.x + threads * kept; p < packs; p += threads) m = fmaxf(m, larger(in[p]));
  m = block_max(m, words);
#pragma unroll
  for (int i = 0; i < kept; ++i) s += exps(v[i], m);
#pragma unroll 8
  for (int p = threadIdx.x + threads * kept; p < packs; p += threads) s += exps(in[p], m);
  const float scale = 1 / block_sum(s, words);
#pragma unroll
  for (int i = 0; i < kept; ++i)
    if (threadIdx.x + threads * i < packs) out[threadIdx.x + threads * i] = result(v[i], m, scale);
#pragma unroll 8
  for (int p = threadIdx.x + threads * kept; p < packs; p += threads) out[p] = result(in[p], m, scale);
}

__global__ void odd_kernel(const half* x, half* y, int cols) {
  __shared__ float words[32];
  const half* in = x + size_t(blockIdx.x) * cols;
  half* out = y + size_t(blockIdx.x) * cols;
  float m = -INFINITY, s = 0;
  for (int c = threadIdx.x; c < cols; c += threads) m = fmaxf(m, __half2float(in[c]));
  m = block_max(m, words);
  for (int c = threadIdx.x; c < cols; c += threads) s += __expf(__half2float(in[c]) - m);
  const float scale = 1 / block_sum(s, words);
  for (int c = threadIdx.x; c < cols; c += threads)
    out[c] = __float2half(__expf(__half2float(in[c]) - m) * scale);
}

void softmax(const half* x, half* y, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  if (cols % 2 == 0)
    even_kernel<<<rows, threads>>>(reinterpret_cast<const half2*>(x), reinterpret_cast<half2*>(y),
                                   cols / 2);
  else
    odd_kernel<<<rows, threads>>>(x, y, cols);
}
