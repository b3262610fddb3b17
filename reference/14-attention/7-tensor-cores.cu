// Attention on tensor cores: halves in and out, scores and sums in float. A warp has 16 queries.
// Its scores are in registers when the first product ends, and there the second one takes them as
// weights.
// Bound by latency: a tile is loaded, then used, and a warp's products wait for its softmax.
#include <cuda_fp16.h>

constexpr int dim = 64;
constexpr int warps = 4;
constexpr int queries = 16 * warps;  // per block
constexpr int tile = 64;             // keys
constexpr int pitch = dim + 8;       // of the tiles' rows: each begins 4 banks after the last

// d[16 x 8] += a[16 x 16] b[16 x 8] by a warp. With g = lane / 4 and c = lane % 4 * 2 a lane holds:
//
//   d, row g:       d[0], d[1] of columns c, c + 1.
//   d, row g + 8:   d[2], d[3] of these columns.
//   a, row g:       a[0] of columns c, c + 1, and a[2] of columns c + 8, c + 9.
//   a, row g + 8:   a[1] and a[3] of these columns.
//   b, column g:    b0 of rows c, c + 1, and b1 of rows c + 8, c + 9.
//
// Each of a and b is two halves. So two d, of adjacent columns, are laid out like one a.
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

#pragma unroll
    for (int p = 0; p < tile / 16; ++p) {
      // Eight keys each. A lane's scores already lie where mma expects its first factor.
      const float* low = s[2 * p];
      const float* high = s[2 * p + 1];
      const unsigned w[4] = {pack(low[0], low[1]), pack(low[2], low[3]), pack(high[0], high[1]),
                             pack(high[2], high[3])};
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
