// unconventional: matmul/8-tensor-core
// mma.sync and ldmatrix by hand; C is read straight into the accumulators, two columns apart.
#include <cuda_fp16.h>
__device__ void mma(float (&d)[4], unsigned a0, unsigned a1, unsigned b) {
  asm volatile(
      "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, "
      "{%0,%1,%2,%3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a0), "r"(a1), "r"(b));
}
__device__ unsigned smem(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
constexpr int L = 64, S = 32;
__device__ void copy8(half* to, const half* x, int row, int col, int rows, int cols) {
  if (cols % 8 == 0 && row < rows && col < cols)
    *reinterpret_cast<uint4*>(to) = *reinterpret_cast<const uint4*>(x + (size_t)row * cols + col);
  else
    for (int j = 0; j < 8; ++j)
      to[j] = row < rows && col + j < cols ? x[(size_t)row * cols + col + j] : half(0.0f);
}
__global__ void gemm(const half* A, const half* B, const float* C, float* D, int n, int m, int k) {
  __shared__ __align__(16) half a[L][S + 8];
  __shared__ __align__(16) half b[S][L + 8];
  const int t = threadIdx.x, lane = t % 32, warp = t / 32;
  const int row0 = blockIdx.y * L + warp / 2 * 32, col0 = blockIdx.x * L + warp % 2 * 32;
  float acc[2][4][4];
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 4; ++j)
      for (int e = 0; e < 4; ++e) {
        int r = row0 + 16 * i + lane / 4 + e / 2 * 8, c = col0 + 8 * j + lane % 4 * 2 + e % 2;
        acc[i][j][e] = r < n && c < m ? C[(size_t)r * m + c] : 0.0f;
      }
  for (int p0 = 0; p0 < k; p0 += S) {
    for (int e = t; e < L * S / 8; e += 128) {
      copy8(&a[e / 4][e % 4 * 8], A, blockIdx.y * L + e / 4, p0 + e % 4 * 8, n, k);
      copy8(&b[e / 8][e % 8 * 8], B, p0 + e / 8, blockIdx.x * L + e % 8 * 8, k, m);
    }
    __syncthreads();
#pragma unroll
    for (int p = 0; p < S; p += 8) {
      unsigned u[2][2], v[4];
      for (int i = 0; i < 2; ++i)
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1}, [%2];"
                     : "=r"(u[i][0]), "=r"(u[i][1])
                     : "r"(smem(&a[warp / 2 * 32 + 16 * i + lane % 16][p])));
      asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
                   : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3])
                   : "r"(smem(&b[p + lane % 8][warp % 2 * 32 + lane / 8 * 8])));
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 4; ++j) mma(acc[i][j], u[i][0], u[i][1], v[j]);
    }
    __syncthreads();
  }
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 4; ++j)
      for (int e = 0; e < 4; ++e) {
        int r = row0 + 16 * i + lane / 4 + e / 2 * 8, c = col0 + 8 * j + lane % 4 * 2 + e % 2;
        if (r < n && c < m) D[(size_t)r * m + c] = acc[i][j][e];
      }
}
void matmul(const half* A, const half* B, const float* C, float* D, int n, int m, int k) {
  if (n == 0 || m == 0) return;
  gemm<<<dim3((m + 63) / 64, (n + 63) / 64), 128>>>(A, B, C, D, n, m, k);
}
