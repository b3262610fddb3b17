// wrong: softmax/9-fused
// mistake: Masked columns were set to 0 after the softmax: the others no longer add up to 1. Mask with -infinity before.
// expect: wrong
// Softmax with what comes before and after folded in: scale and mask while loading, dropout while
// storing. Bound by DRAM: as launches of their own, the two would move the rows twice more in each
// direction.
#include <cuda_fp16.h>

constexpr int warps = 4;
constexpr int per_lane = 32;

// How an element is fetched and put away. The kernel knows neither masks nor dropout.
struct ScaleMaskLoad {
  const half* x;
  const unsigned char* mask;  // 0: left out of the row
  float scale;
  __device__ float operator()(size_t i) const {
    return mask[i] ? __half2float(x[i]) * scale : 0.0f;
  }
};

struct DropoutStore {
  half* y;
  const unsigned char* keep;  // 0: dropped
  float rescale;              // 1 / (share kept), so that the mean stays
  __device__ void operator()(size_t i, float v) const {
    y[i] = __float2half(keep[i] ? v * rescale : 0.0f);
  }
};

template <class Load, class Store>
__global__ void softmax_kernel(Load load, Store store, int rows, int cols) {
  int row = blockIdx.x * warps + threadIdx.x / 32;
  int lane = threadIdx.x % 32;
  if (row >= rows) return;
  size_t first = size_t(row) * cols;

  float v[per_lane];
  float m = -INFINITY;
#pragma unroll
  for (int i = 0; i < per_lane; ++i) {
    v[i] = lane + 32 * i < cols ? load(first + lane + 32 * i) : -INFINITY;
    m = fmaxf(m, v[i]);
  }
  for (int d = 16; d > 0; d /= 2) m = fmaxf(m, __shfl_xor_sync(0xffffffffu, m, d));

  float s = 0.0f;
#pragma unroll
  for (int i = 0; i < per_lane; ++i) {
    v[i] = __expf(v[i] - m);
    s += lane + 32 * i < cols ? v[i] : 0.0f;
  }
  for (int d = 16; d > 0; d /= 2) s += __shfl_xor_sync(0xffffffffu, s, d);

#pragma unroll
  for (int i = 0; i < per_lane; ++i)
    if (lane + 32 * i < cols) store(first + lane + 32 * i, v[i] / s);
}

void softmax(const half* x, const unsigned char* mask, const unsigned char* keep, half* y, int rows,
             int cols, float scale, float rescale) {
  if (rows == 0 || cols == 0) return;
  softmax_kernel<<<(rows + warps - 1) / warps, warps * 32>>>(
      ScaleMaskLoad{x, mask, scale}, DropoutStore{y, keep, rescale}, rows, cols);
}
