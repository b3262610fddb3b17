// Softmax with what comes before and after folded in: scale and mask while loading, dropout while
// storing.
// Bound by latency: 138 registers leave 3 blocks per SM. As launches of their own, the two would
// move all rows twice more in each direction.
#include <cuda_fp16.h>

constexpr int warps = 4;
constexpr int values_per_lane = 32;

// How an element is loaded and stored. The kernel knows neither masks nor dropout; it only tells
// both functors where its row starts.
struct ScaleMaskLoad {
  const half* x;
  const unsigned char* mask;  // 0: left out of the row
  float scale;
  __device__ void go_to(size_t first) {
    x += first;
    mask += first;
  }
  __device__ float operator()(int c) const {
    float v = __half2float(x[c]) * scale;  // loaded in any case: a branch would wait for the mask
    return mask[c] ? v : -INFINITY;
  }
};

struct DropoutStore {
  half* y;
  const unsigned char* keep;  // 0: dropped
  float rescale;              // 1 / (share kept), so that the mean stays
  __device__ void go_to(size_t first) {
    y += first;
    keep += first;
  }
  __device__ bool keeps(int c) const { return keep[c] != 0; }
  __device__ void operator()(int c, float v, bool kept) const {
    y[c] = __float2half(kept ? v * rescale : 0.0f);
  }
};

template <class Load, class Store>
__global__ void softmax_kernel(Load load, Store store, int rows, int cols) {
  int row = blockIdx.x * warps + threadIdx.x / 32;
  int lane = threadIdx.x % 32;
  if (row >= rows) return;
  load.go_to(size_t(row) * cols);
  store.go_to(size_t(row) * cols);

  float v[values_per_lane];
  unsigned kept = 0;  // bit i: of value i; loaded early, so that no store has to wait for it
#pragma unroll
  for (int i = 0; i < values_per_lane; ++i) {
    int c = min(lane + 32 * i, cols - 1);
    v[i] = load(c);
    kept |= unsigned(store.keeps(c)) << i;
  }

  float m = -INFINITY;
#pragma unroll
  for (int i = 0; i < values_per_lane; ++i) {
    if (lane + 32 * i >= cols) v[i] = -INFINITY;
    m = fmaxf(m, v[i]);
  }
  for (int d = 16; d > 0; d /= 2) m = fmaxf(m, __shfl_xor_sync(0xffffffffu, m, d));

  float s = 0.0f;
#pragma unroll
  for (int i = 0; i < values_per_lane; ++i) {
    v[i] = __expf(v[i] - m);
    s += lane + 32 * i < cols ? v[i] : 0.0f;
  }
  for (int d = 16; d > 0; d /= 2) s += __shfl_xor_sync(0xffffffffu, s, d);

  float share = 1.0f / s;
#pragma unroll
  for (int i = 0; i < values_per_lane; ++i)
    if (lane + 32 * i < cols) store(lane + 32 * i, v[i] * share, kept >> i & 1);
}

void softmax(const half* x, const unsigned char* mask, const unsigned char* keep, half* y, int rows,
             int cols, float scale, float rescale) {
  if (rows == 0 || cols == 0) return;
  softmax_kernel<<<(rows + warps - 1) / warps, warps * 32>>>(
      ScaleMaskLoad{x, mask, scale}, DropoutStore{y, keep, rescale}, rows, cols);
}
