// unconventional: softmax/5-block-uncached
// Two halves per load where the row allows it, and a template for both cases.
#include <cuda_fp16.h>

constexpr int threads = 1024;

struct Max {
  __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};
struct Sum {
  __device__ float operator()(float a, float b) const { return a + b; }
};

template <class Op>
__device__ float block_all(float v, Op op) {
  __shared__ float words[32];
  for (int d = 16; d > 0; d /= 2) v = op(v, __shfl_xor_sync(~0u, v, d));
  __syncthreads();
  if (threadIdx.x % 32 == 0) words[threadIdx.x / 32] = v;
  __syncthreads();
  v = words[threadIdx.x % 32];
  for (int d = 16; d > 0; d /= 2) v = op(v, __shfl_xor_sync(~0u, v, d));
  return v;
}

template <bool pairs>
__global__ void __launch_bounds__(threads) softmax_kernel(const half* x, half* y, int cols) {
  const size_t row = size_t(blockIdx.x) * cols;
  const auto load = [&](int p) -> float2 {
    if constexpr (pairs)
      return __half22float2(reinterpret_cast<const half2*>(x + row)[p]);
    else
      return {__half2float(x[row + p]), -INFINITY};
  };
  const int items = pairs ? cols / 2 : cols;
  float m = -INFINITY, s = 0;
  for (int p = threadIdx.x; p < items; p += threads) {
    const float2 v = load(p);
    m = fmaxf(m, fmaxf(v.x, v.y));
  }
  m = block_all(m, Max());
  for (int p = threadIdx.x; p < items; p += threads) {
    const float2 v = load(p);
    s += __expf(v.x - m) + __expf(v.y - m);
  }
  const float scale = 1 / block_all(s, Sum());
  for (int p = threadIdx.x; p < items; p += threads) {
    const float2 v = load(p);
    if constexpr (pairs)
      reinterpret_cast<half2*>(y + row)[p] =
          __floats2half2_rn(__expf(v.x - m) * scale, __expf(v.y - m) * scale);
    else
      y[row + p] = __float2half(__expf(v.x - m) * scale);
  }
}

void softmax(const half* x, half* y, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  if (cols % 2 == 0)
    softmax_kernel<true><<<rows, threads>>>(x, y, cols);
  else
    softmax_kernel<false><<<rows, threads>>>(x, y, cols);
}
