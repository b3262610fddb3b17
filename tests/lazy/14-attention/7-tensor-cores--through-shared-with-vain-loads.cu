// lazy: attention/7-tensor-cores
// expect: gate shared_store_lane_bytes + 128 * shared_atomics <= 1.05 * 256 * n * blocks
// Weights pass through shared memory. Vain loads raise the bound.
#include <cuda_fp16.h>

constexpr int dim = 64;
constexpr int warps = 4;
constexpr int queries = 16 * warps;  // per block
constexpr int tile = 64;             // keys
constexpr int pitch = dim + 8;       // of the tiles' rows: each begins 4 banks after the last

// d[16 x 8] += a[16 x 16] b[16 x 8] by a warp.
__device__ void mma(float (&d)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

// Two adjacent halves in memory.
__device__ unsigned pair(const half* x) { return *reinterpret_cast<const unsigned*>(x); }

__device__ unsigned pack(float x, float y) {
  half2 both = __floats2half2_rn(x, y);
  return *reinterpret_cast<unsigned*>(&both);
}

// b of mma, from 16 rows of 8 halves in shared memory. Lane l (of the first 16) names row l.
__device__ void load_b(unsigned& b0, unsigned& b1, const half* row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
               : "=r"(b0), "=r"(b1)
               : "r"(unsigned(__cvta_generic_to_shared(row))));
}

// q, k, v, out [heads][n][64].
__global__ void attention_kernel(const half* q, const half* k, const half* v, half* out, int n) {
  __shared__ alignas(16) half ks[tile][pitch];
  __shared__ alignas(16) half vs[tile][pitch];
  __shared__ alignas(16) half ws[queries][pitch];
  const int lane = threadIdx.x % 32;
  const int g = lane / 4;
  const int c = lane % 4 * 2;
  const int i = blockIdx.x * queries + threadIdx.x / 32 * 16 + g;  // and i + 8: this lane's queries
  const int head = blockIdx.y * n * dim;
  q += head;
  k += head;
  v += head;
  out += head;

  unsigned a[dim / 16][4];  // the warp's queries
  for (int p = 0; p < dim / 16; ++p)
    for (int t = 0; t < 4; ++t) {
      const int row = i + t % 2 * 8;
      a[p][t] = row < n ? pair(q + row * dim + p * 16 + c + t / 2 * 8) : 0;
    }
  float m[2] = {-INFINITY, -INFINITY};
  float sum[2] = {};  // of this lane's columns
  float acc[dim / 8][4] = {};

  for (int k0 = 0; k0 < n; k0 += tile) {
    __syncthreads();  // all warps have finished the tile before
#pragma unroll
    for (int t = 0; t < tile / (4 * warps); ++t) {  // 16 bytes per lane
      const int row = t * 4 * warps + threadIdx.x / 8;
      const int col = threadIdx.x % 8 * 8;
      const int from = min(k0 + row, n - 1) * dim + col;  // past the end: a key of weight 0
      *reinterpret_cast<float4*>(&ks[row][col]) = *reinterpret_cast<const float4*>(k + from);
      *reinterpret_cast<float4*>(&vs[row][col]) = *reinterpret_cast<const float4*>(v + from);
      float x, y, z, w;
      asm volatile("ld.global.v4.f32 {%0, %1, %2, %3}, [%4];"
                   : "=f"(x), "=f"(y), "=f"(z), "=f"(w)
                   : "l"(v + from));
    }
    __syncthreads();

    float s[tile / 8][4] = {};  // 16 queries, 64 keys
#pragma unroll
    for (int p = 0; p < dim / 16; ++p)
#pragma unroll
      for (int j = 0; j < tile / 8; ++j) {
        const half* key = &ks[j * 8 + g][p * 16 + c];
        mma(s[j], a[p], pair(key), pair(key + 8));
      }

#pragma unroll
    for (int r = 0; r < 2; ++r) {  // rows g and g + 8
      float bigger = m[r];
      for (int j = 0; j < tile / 8; ++j)
        for (int x = 2 * r; x < 2 * r + 2; ++x) {
          const bool there = k0 + j * 8 + c + x % 2 < n;
          s[j][x] = there ? s[j][x] * 0.125f : -INFINITY;
          bigger = fmaxf(bigger, s[j][x]);
        }
      for (int d = 1; d < 4; d *= 2)  // four lanes have the row
        bigger = fmaxf(bigger, __shfl_xor_sync(0xffffffffu, bigger, d));
      const float scale = __expf(m[r] - bigger);
      m[r] = bigger;
      sum[r] *= scale;
      for (int j = 0; j < tile / 8; ++j)
        for (int x = 2 * r; x < 2 * r + 2; ++x) {
          s[j][x] = __expf(s[j][x] - bigger);
          sum[r] += s[j][x];
        }
      for (int j = 0; j < dim / 8; ++j)
        for (int x = 2 * r; x < 2 * r + 2; ++x) acc[j][x] *= scale;
    }

    const int mine = threadIdx.x / 32 * 16 + g;
    for (int j = 0; j < tile / 8; ++j)
      for (int r = 0; r < 2; ++r)
        *reinterpret_cast<unsigned*>(&ws[mine + r * 8][j * 8 + c]) =
            pack(s[j][2 * r], s[j][2 * r + 1]);
    __syncwarp();
#pragma unroll
    for (int p = 0; p < tile / 16; ++p) {
      const half* from = &ws[mine][p * 16 + c];
      const unsigned w[4] = {pair(from), pair(from + 8 * pitch), pair(from + 8),
                             pair(from + 8 * pitch + 8)};
#pragma unroll
      for (int j = 0; j < dim / 8; ++j) {
        unsigned b0, b1;
        load_b(b0, b1, &vs[p * 16 + lane % 16][j * 8]);
        mma(acc[j], w, b0, b1);
      }
    }
  }

  for (int r = 0; r < 2; ++r) {
    for (int d = 1; d < 4; d *= 2) sum[r] += __shfl_xor_sync(0xffffffffu, sum[r], d);
    const float part = 1.0f / sum[r];
    const int row = i + r * 8;
    if (row >= n) continue;
    for (int j = 0; j < dim / 8; ++j)
      *reinterpret_cast<half2*>(out + row * dim + j * 8 + c) =
          __floats2half2_rn(acc[j][2 * r] * part, acc[j][2 * r + 1] * part);
  }
}

void attention(const half* q, const half* k, const half* v, half* out, int n, int heads) {
  if (n == 0 || heads == 0) return;
  attention_kernel<<<dim3((n + queries - 1) / queries, heads), 32 * warps>>>(q, k, v, out, n);
}
