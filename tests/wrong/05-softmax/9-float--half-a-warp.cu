// wrong: softmax/9-float
// mistake: The sum is reduced over half a warp only: it takes five steps, over distances 16, 8, 4, 2 and 1.
// expect: wrong
// Softmax of floats or halves by one kernel: the element is a template parameter, and so is how
// many a load brings.
#include <cuda_fp16.h>

constexpr int warps = 4;      // rows per block
constexpr int per_lane = 32;  // 32 lanes x 32 values: 1024 columns

__device__ float to_float(float v) { return v; }
__device__ float to_float(half v) { return __half2float(v); }
__device__ void put(float& to, float v) { to = v; }
__device__ void put(half& to, float v) { to = __float2half(v); }

// PACK consecutive elements, loaded and stored as one.
template <class T, int PACK>
struct alignas(sizeof(T) * PACK) Pack {
  T v[PACK];
};

template <class T, int PACK>
__global__ void softmax_kernel(const T* x, T* y, int rows, int cols) {
  const int row = blockIdx.x * warps + threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  if (row >= rows) return;  // the whole warp
  const T* in = x + size_t(row) * cols;
  T* out = y + size_t(row) * cols;

  float v[per_lane / PACK][PACK];
  float m = -INFINITY;
#pragma unroll
  for (int i = 0; i < per_lane / PACK; ++i) {
    const int c = PACK * (lane + 32 * i);
    Pack<T, PACK> p = {};
    if (c < cols)
      p = *reinterpret_cast<const Pack<T, PACK>*>(in + c);  // cols is a multiple of PACK
#pragma unroll
    for (int k = 0; k < PACK; ++k) {
      v[i][k] = to_float(p.v[k]);
      m = fmaxf(m, v[i][k]);
    }
  }
  for (int d = 16; d > 0; d /= 2) m = fmaxf(m, __shfl_xor_sync(0xffffffffu, m, d));

  float s = 0.0f;
#pragma unroll
  for (int i = 0; i < per_lane / PACK; ++i)
#pragma unroll
    for (int k = 0; k < PACK; ++k) {
      v[i][k] = __expf(v[i][k] - m);
      s += v[i][k];
    }
  for (int d = 8; d > 0; d /= 2) s += __shfl_xor_sync(0xffffffffu, s, d);

#pragma unroll
  for (int i = 0; i < per_lane / PACK; ++i) {
    const int c = PACK * (lane + 32 * i);
    if (c >= cols) continue;
    Pack<T, PACK> p;
#pragma unroll
    for (int k = 0; k < PACK; ++k) put(p.v[k], v[i][k] / s);
    *reinterpret_cast<Pack<T, PACK>*>(out + c) = p;
  }
}

template <class T, int PACK>
void launch(const T* x, T* y, int rows, int cols) {
  softmax_kernel<T, PACK><<<(rows + warps - 1) / warps, warps * 32>>>(x, y, rows, cols);
}

void softmax(const float* x, float* y, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  if (cols % 4 == 0)
    launch<float, 4>(x, y, rows, cols);
  else
    launch<float, 1>(x, y, rows, cols);  // a row may start in the middle of 16 bytes
}

void softmax_half(const half* x, half* y, int rows, int cols) {  // the same kernel
  if (rows == 0 || cols == 0) return;
  if (cols % 8 == 0)
    launch<half, 8>(x, y, rows, cols);
  else
    launch<half, 1>(x, y, rows, cols);
}
