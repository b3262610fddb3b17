// unconventional: softmax/6-packs
// Two warps per block.
#include <cuda_fp16.h>

constexpr int warps = 2;
constexpr int packs = 4;  // per lane: 32 lanes x 4 packs x 8 halves = 1024 columns

struct alignas(16) Pack {
  half2 h[4];
};

// As int4: one load or store of 16 bytes, where the compiler would move the members of a struct one
// by one.
__device__ Pack load(const Pack* p) {
  int4 bits = *reinterpret_cast<const int4*>(p);
  return reinterpret_cast<Pack&>(bits);
}

__device__ void store(Pack* p, Pack v) { *reinterpret_cast<int4*>(p) = reinterpret_cast<int4&>(v); }

__global__ void softmax_kernel(const half* x, half* y, int rows, int cols) {
  int row = blockIdx.x * warps + threadIdx.x / 32;
  int lane = threadIdx.x % 32;
  if (row >= rows) return;
  const Pack* in = reinterpret_cast<const Pack*>(x + size_t(row) * cols);
  Pack* out = reinterpret_cast<Pack*>(y + size_t(row) * cols);
  int row_packs = cols / 8;

  Pack loaded[packs];  // all in flight together
#pragma unroll
  for (int k = 0; k < packs; ++k) loaded[k] = load(&in[min(lane + 32 * k, row_packs - 1)]);

  float2 v[packs][4];
  float m = -INFINITY;
#pragma unroll
  for (int k = 0; k < packs; ++k) {
    bool inside = lane + 32 * k < row_packs;
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      v[k][j] = inside ? __half22float2(loaded[k].h[j]) : make_float2(-INFINITY, -INFINITY);
      m = fmaxf(m, fmaxf(v[k][j].x, v[k][j].y));
    }
  }
  for (int d = 16; d > 0; d /= 2) m = fmaxf(m, __shfl_xor_sync(0xffffffffu, m, d));

  float s = 0.0f;
#pragma unroll
  for (int k = 0; k < packs; ++k)
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      v[k][j] = make_float2(__expf(v[k][j].x - m), __expf(v[k][j].y - m));
      if (lane + 32 * k < row_packs) s += v[k][j].x + v[k][j].y;
    }
  for (int d = 16; d > 0; d /= 2) s += __shfl_xor_sync(0xffffffffu, s, d);

  float scale = 1.0f / s;
#pragma unroll
  for (int k = 0; k < packs; ++k)
    if (lane + 32 * k < row_packs) {
      Pack p;
#pragma unroll
      for (int j = 0; j < 4; ++j) p.h[j] = __floats2half2_rn(v[k][j].x * scale, v[k][j].y * scale);
      store(&out[lane + 32 * k], p);
    }
}

void softmax(const half* x, half* y, int rows, int cols) {
  if (rows == 0 || cols == 0) return;
  softmax_kernel<<<(rows + warps - 1) / warps, warps * 32>>>(x, y, rows, cols);
}
