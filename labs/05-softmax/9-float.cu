// Softmax of floats or halves by one kernel: the element type is a template parameter.
// Bound by DRAM. Its loads and stores bring one element per lane.
#include <cuda_fp16.h>

constexpr int warps = 4;             // rows per block
constexpr int values_per_lane = 32;  // 32 lanes x 32 values: 1024 columns

__device__ float to_float(float v) { return v; }
__device__ float to_float(half v) { return __half2float(v); }
__device__ void put(float& to, float v) { to = v; }
__device__ void put(half& to, float v) { to = __float2half(v); }

// TODO: a lane loads one element of 4 bytes. Let it take PACK consecutive ones at once, 16 bytes;
// PACK = 1 for rows that do not start on 16 bytes.
template <class T, int PACK>
__global__ void softmax_kernel(const T* x, T* y, int rows, int cols) {
  const int row = blockIdx.x * warps + threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  if (row >= rows) return;  // the whole warp
  const T* in = x + size_t(row) * cols;
  T* out = y + size_t(row) * cols;

  float v[values_per_lane];  // all indices are known once unrolled, so it lives in registers
#pragma unroll
  for (int i = 0; i < values_per_lane; ++i) v[i] = to_float(in[min(lane + 32 * i, cols - 1)]);

  float m = -INFINITY;
#pragma unroll
  for (int i = 0; i < values_per_lane; ++i) {
    if (lane + 32 * i >= cols) v[i] = -INFINITY;  // exp(-inf) = 0: adds nothing
    m = fmaxf(m, v[i]);
  }
  for (int d = 16; d > 0; d /= 2) m = fmaxf(m, __shfl_xor_sync(0xffffffffu, m, d));

  float s = 0.0f;
#pragma unroll
  for (int i = 0; i < values_per_lane; ++i) {
    v[i] = __expf(v[i] - m);
    s += lane + 32 * i < cols ? v[i] : 0.0f;  // a row of nothing but -inf: exp(-inf - -inf) is NaN
  }
  for (int d = 16; d > 0; d /= 2) s += __shfl_xor_sync(0xffffffffu, s, d);

  float scale = 1.0f / s;  // one division per lane instead of 32
#pragma unroll
  for (int i = 0; i < values_per_lane; ++i)
    if (lane + 32 * i < cols) put(out[lane + 32 * i], v[i] * scale);
}

template <class T, int PACK>
void launch(const T* x, T* y, int rows, int cols) {
  softmax_kernel<T, PACK><<<(rows + warps - 1) / warps, warps * 32>>>(x, y, rows, cols);
}

void softmax(const float* x, float* y, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  launch<float, 1>(x, y, rows, cols);
}

void softmax_half(const half* x, half* y, int rows, int cols) {  // the same kernel
  if (rows == 0 || cols == 0) return;
  launch<half, 1>(x, y, rows, cols);
}
