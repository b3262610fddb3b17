// unconventional: matmul/9-open-half
// A ring of four tiles of 128 x 64, by cp.async, ldmatrix and mma.sync.
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <cstdint>
template <int BM, int BN, int BK, int Stages, int WM, int WN>
struct Tile {
  static constexpr int threads = BM / WM * (BN / WN) * 32, pa = BK + 8, pb = BN + 8;
  half a[Stages][BM][pa];
  half b[Stages][BK][pb];
};
__device__ uint32_t at(const half* p) { return uint32_t(__cvta_generic_to_shared(p)); }
__device__ void copy8(half* to, const half* x, int row, int col, int rows, int cols) {
  if (cols % 8 == 0 && row < rows && col < cols)
    __pipeline_memcpy_async(to, x + size_t(row) * cols + col, 16);
  else
    for (int j = 0; j < 8; ++j)
      to[j] = row < rows && col + j < cols ? x[size_t(row) * cols + col + j] : __float2half(0.0f);
}
template <int BM, int BN, int BK, int Stages, int WM, int WN>
__global__ void __launch_bounds__(Tile<BM, BN, BK, Stages, WM, WN>::threads)
    gemm(const half* A, const half* B, const float* C, float* D, int n, int m, int k) {
  using T = Tile<BM, BN, BK, Stages, WM, WN>;
  extern __shared__ float4 raw[];
  T& t = *reinterpret_cast<T*>(raw);
  const int thread = threadIdx.x, warp = thread / 32, lane = thread % 32;
  const int row0 = blockIdx.y * BM, col0 = blockIdx.x * BN, y = warp / (BN / WN) * WM,
            x = warp % (BN / WN) * WN;
  auto fetch = [&](int p0, int s) {
    if (p0 < k) {
      for (int i = thread; i < BM * BK / 8; i += T::threads)
        copy8(&t.a[s][i / (BK / 8)][i % (BK / 8) * 8], A, row0 + i / (BK / 8),
              p0 + i % (BK / 8) * 8, n, k);
      for (int i = thread; i < BK * BN / 8; i += T::threads)
        copy8(&t.b[s][i / (BN / 8)][i % (BN / 8) * 8], B, p0 + i / (BN / 8),
              col0 + i % (BN / 8) * 8, k, m);
    }
    __pipeline_commit();
  };
  for (int s = 0; s < Stages - 1; ++s) fetch(s * BK, s);
  float sum[WM / 16][WN / 8][4];
#pragma unroll
  for (int i = 0; i < WM / 16; ++i)
#pragma unroll
    for (int j = 0; j < WN / 8; ++j)
#pragma unroll
      for (int h = 0; h < 2; ++h) {
        const int r = row0 + y + 16 * i + lane / 4 + h * 8, c = col0 + x + 8 * j + lane % 4 * 2;
        float2 v = {0, 0};
        if (r < n && c + 1 < m && m % 2 == 0)
          v = *reinterpret_cast<const float2*>(C + size_t(r) * m + c);
        else if (r < n) {
          if (c < m) v.x = C[size_t(r) * m + c];
          if (c + 1 < m) v.y = C[size_t(r) * m + c + 1];
        }
        sum[i][j][2 * h] = v.x;
        sum[i][j][2 * h + 1] = v.y;
      }
  int s = 0;
  for (int p0 = 0; p0 < k; p0 += BK) {
    __pipeline_wait_prior(Stages - 2);
    __syncthreads();
    fetch(p0 + (Stages - 1) * BK, (s + Stages - 1) % Stages);
#pragma unroll
    for (int q = 0; q < BK; q += 16) {
      uint32_t u[WM / 16][4], v[WN / 8][2];
#pragma unroll
      for (int i = 0; i < WM / 16; ++i)
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(u[i][0]), "=r"(u[i][1]), "=r"(u[i][2]), "=r"(u[i][3])
                     : "r"(at(&t.a[s][y + 16 * i + lane % 16][q + lane / 16 * 8]))
                     : "memory");
#pragma unroll
      for (int j = 0; j < WN / 8; j += 2)
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(v[j][0]), "=r"(v[j][1]), "=r"(v[j + 1][0]), "=r"(v[j + 1][1])
                     : "r"(at(&t.b[s][q + lane % 16][x + 8 * j + lane / 16 * 8]))
                     : "memory");
#pragma unroll
      for (int i = 0; i < WM / 16; ++i)
#pragma unroll
        for (int j = 0; j < WN / 8; ++j)
          asm volatile(
              "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, "
              "{%8,%9}, {%0,%1,%2,%3};"
              : "+f"(sum[i][j][0]), "+f"(sum[i][j][1]), "+f"(sum[i][j][2]), "+f"(sum[i][j][3])
              : "r"(u[i][0]), "r"(u[i][1]), "r"(u[i][2]), "r"(u[i][3]), "r"(v[j][0]), "r"(v[j][1]));
    }
    s = (s + 1) % Stages;
  }
  __pipeline_wait_prior(0);
#pragma unroll
  for (int i = 0; i < WM / 16; ++i)
#pragma unroll
    for (int j = 0; j < WN / 8; ++j)
#pragma unroll
      for (int h = 0; h < 2; ++h) {
        const int r = row0 + y + 16 * i + lane / 4 + h * 8, c = col0 + x + 8 * j + lane % 4 * 2;
        if (r < n && c + 1 < m && m % 2 == 0)
          *reinterpret_cast<float2*>(D + size_t(r) * m + c) =
              make_float2(sum[i][j][2 * h], sum[i][j][2 * h + 1]);
        else
          for (int e = 0; e < 2; ++e)
            if (r < n && c + e < m) D[size_t(r) * m + c + e] = sum[i][j][2 * h + e];
      }
}
template <int BM, int BN, int BK, int Stages, int WM, int WN>
void run(const half* A, const half* B, const float* C, float* D, int n, int m, int k) {
  using T = Tile<BM, BN, BK, Stages, WM, WN>;
  auto kernel = gemm<BM, BN, BK, Stages, WM, WN>;
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, int(sizeof(T)));
  kernel<<<dim3((m + BN - 1) / BN, (n + BM - 1) / BM), T::threads, sizeof(T)>>>(A, B, C, D, n, m,
                                                                                k);
}
void matmul(const half* A, const half* B, const float* C, float* D, int n, int m, int k) {
  if (n == 0 || m == 0) return;
  run<128, 64, 32, 4, 32, 32>(A, B, C, D, n, m, k);
}
