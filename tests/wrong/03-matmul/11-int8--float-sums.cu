// wrong: matmul/11-int8
// mistake: The sums are floats: beyond 2^24 they are not exact.
// expect: wrong
#include <mma.h>
#include <cuda_fp16.h>
using namespace nvcuda;
constexpr int L = 64, S = 32, threads = 128, pitch = 32 + 8, pitch_b = 64 + 8, pitch_c = L + 4;
__device__ void copy16(half* to, const signed char* x, int row, int col, int rows, int cols) {
  alignas(16) signed char v[16];
  if (cols % 16 == 0 && row < rows && col < cols)
    *reinterpret_cast<int4*>(v) = *reinterpret_cast<const int4*>(x + row * cols + col);
  else
    for (int j = 0; j < 16; ++j) v[j] = row < rows && col + j < cols ? x[row * cols + col + j] : 0;
  for (int j = 0; j < 16; ++j) to[j] = __int2half_rn(v[j]);
}
__global__ void multiply(const signed char* A, const signed char* B, int* C, int n, int m, int k) {
  __shared__ alignas(32) half a[L][pitch];
  __shared__ alignas(32) half b[S][pitch_b];
  __shared__ alignas(32) float c[L][pitch_c];
  int thread = threadIdx.x, warp = thread / 32, row0 = blockIdx.y * L, col0 = blockIdx.x * L;
  int y = warp / 2 * 32, x = warp % 2 * 32;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum[2][2];
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) wmma::fill_fragment(sum[i][j], 0.f);
  for (int p0 = 0; p0 < k; p0 += S) {
    copy16(&a[thread / 2][thread % 2 * 16], A, row0 + thread / 2, p0 + thread % 2 * 16, n, k);
    copy16(&b[thread / 4][thread % 4 * 16], B, p0 + thread / 4, col0 + thread % 4 * 16, k, m);
    __syncthreads();
    for (int h = 0; h < S / 16; ++h) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> u[2];
      wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> v[2];
      for (int i = 0; i < 2; ++i) wmma::load_matrix_sync(u[i], &a[y + 16 * i][16 * h], pitch);
      for (int j = 0; j < 2; ++j) wmma::load_matrix_sync(v[j], &b[16 * h][x + 16 * j], pitch_b);
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) wmma::mma_sync(sum[i][j], u[i], v[j], sum[i][j]);
    }
    __syncthreads();
  }
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      wmma::store_matrix_sync(&c[y + 16 * i][x + 16 * j], sum[i][j], pitch_c, wmma::mem_row_major);
  __syncthreads();
  for (int t = thread; t < L * L; t += threads) {
    int row = row0 + t / L, col = col0 + t % L;
    if (row < n && col < m) C[row * m + col] = int(c[t / L][t % L]);
  }
}
void matmul(const signed char* A, const signed char* B, int* C, int n, int m, int k) {
  if (n == 0 || m == 0) return;
  multiply<<<dim3((m + L - 1) / L, (n + L - 1) / L), threads>>>(A, B, C, n, m, k);
}
