// unconventional: matmul/8-tensor-core
// The instructions themselves: ldmatrix and mma.sync of 16 x 8 x 8.
#include <cuda_fp16.h>
#include <cstdint>
constexpr int L = 64, S = 16, threads = 128, pa = S + 8, pb = L + 8;
__device__ void copy8(half* to, const half* x, int row, int col, int rows, int cols) {
  if (cols % 8 == 0 && row < rows && col < cols)
    *reinterpret_cast<float4*>(to) = *reinterpret_cast<const float4*>(x + row * cols + col);
  else
    for (int j = 0; j < 8; ++j)
      to[j] = row < rows && col + j < cols ? x[row * cols + col + j] : __float2half(0.0f);
}
__device__ uint32_t at(const half* p) { return uint32_t(__cvta_generic_to_shared(p)); }
__global__ void multiply_add(const half* A, const half* B, const float* C, float* D, int n, int m,
                             int k) {
  __shared__ alignas(32) half a[L][pa];
  __shared__ alignas(32) half b[S][pb];
  const int thread = threadIdx.x, warp = thread / 32, lane = thread % 32;
  const int row0 = blockIdx.y * L, col0 = blockIdx.x * L, y = warp / 2 * 32, x = warp % 2 * 32;
  float sum[2][4][4];
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 4; ++j)
      for (int e = 0; e < 4; ++e) {
        const int r = row0 + y + 16 * i + lane / 4 + e / 2 * 8,
                  c = col0 + x + 8 * j + lane % 4 * 2 + e % 2;
        sum[i][j][e] = r < n && c < m ? C[r * m + c] : 0.0f;
      }
  for (int p0 = 0; p0 < k; p0 += S) {
    copy8(&a[thread / 2][thread % 2 * 8], A, row0 + thread / 2, p0 + thread % 2 * 8, n, k);
    copy8(&b[thread / 8][thread % 8 * 8], B, p0 + thread / 8, col0 + thread % 8 * 8, k, m);
    __syncthreads();
    for (int q = 0; q < S; q += 8) {
      uint32_t u[2][2], v[4];
      for (int i = 0; i < 2; ++i)
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
                     : "=r"(u[i][0]), "=r"(u[i][1])
                     : "r"(at(&a[y + 16 * i + lane % 16][q]))
                     : "memory");
      asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                   : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3])
                   : "r"(at(&b[q + lane % 8][x + lane / 8 * 8]))
                   : "memory");
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 4; ++j)
          asm volatile(
              "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, "
              "{%0,%1,%2,%3};"
              : "+f"(sum[i][j][0]), "+f"(sum[i][j][1]), "+f"(sum[i][j][2]), "+f"(sum[i][j][3])
              : "r"(u[i][0]), "r"(u[i][1]), "r"(v[j]));
    }
    __syncthreads();
  }
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 4; ++j)
      for (int h = 0; h < 2; ++h) {
        const int r = row0 + y + 16 * i + lane / 4 + h * 8, c = col0 + x + 8 * j + lane % 4 * 2;
        if (r < n && c + 1 < m && m % 2 == 0)
          *reinterpret_cast<float2*>(D + r * m + c) =
              make_float2(sum[i][j][2 * h], sum[i][j][2 * h + 1]);
        else
          for (int e = 0; e < 2; ++e)
            if (r < n && c + e < m) D[r * m + c + e] = sum[i][j][2 * h + e];
      }
}
void matmul(const half* A, const half* B, const float* C, float* D, int n, int m, int k) {
  if (n == 0 || m == 0) return;
  multiply_add<<<dim3((m + L - 1) / L, (n + L - 1) / L), threads>>>(A, B, C, D, n, m, k);
}
