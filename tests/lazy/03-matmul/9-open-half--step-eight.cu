// lazy: matmul/9-open-half
// expect: gate instructions <= 0.75 * reference(tensor-core)
// Step 8's kernel: the tensor cores wait for tiles.
#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;

constexpr int L = 64;  // 4 warps, 2 x 2, 32 x 32 outputs each
constexpr int S = 16;
constexpr int threads = 128;
constexpr int pitch_a = S + 8;  // longer rows: fewer bank conflicts
constexpr int pitch_b = L + 8;
constexpr int pitch_c = L + 4;

// x[row][col] to x[row][col + 7], into shared memory; zeros outside. One 16-byte copy where rows
// allow it.
__device__ void copy8(half* to, const half* x, int row, int col, int rows, int cols) {
  if (cols % 8 == 0 && row < rows && col < cols)
    *reinterpret_cast<float4*>(to) = *reinterpret_cast<const float4*>(x + row * cols + col);
  else
    for (int j = 0; j < 8; ++j)
      to[j] = row < rows && col + j < cols ? x[row * cols + col + j] : __float2half(0.0f);
}

// A is n x k, B is k x m, C and D are n x m, all row by row.
__global__ void multiply_add(const half* A, const half* B, const float* C, float* D, int n, int m,
                             int k) {
  __shared__ alignas(32) half a[L][pitch_a];
  __shared__ alignas(32) half b[S][pitch_b];
  __shared__ alignas(32) float c[L][pitch_c];
  int thread = threadIdx.x;
  int warp = thread / 32;
  int row0 = blockIdx.y * L;
  int col0 = blockIdx.x * L;
  int y = warp / 2 * 32;  // where this warp's outputs start in the block's
  int x = warp % 2 * 32;

  for (int t = thread; t < L * L; t += threads) {
    int row = row0 + t / L;
    int col = col0 + t % L;
    c[t / L][t % L] = row < n && col < m ? C[row * m + col] : 0.0f;
  }
  __syncthreads();
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum[2][2];
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      wmma::load_matrix_sync(sum[i][j], &c[y + 16 * i][x + 16 * j], pitch_c, wmma::mem_row_major);

  for (int p0 = 0; p0 < k; p0 += S) {
    copy8(&a[thread / 2][thread % 2 * 8], A, row0 + thread / 2, p0 + thread % 2 * 8, n, k);
    copy8(&b[thread / 8][thread % 8 * 8], B, p0 + thread / 8, col0 + thread % 8 * 8, k, m);
    __syncthreads();
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> u[2];
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> v[2];
    for (int i = 0; i < 2; ++i) wmma::load_matrix_sync(u[i], &a[y + 16 * i][0], pitch_a);
    for (int j = 0; j < 2; ++j) wmma::load_matrix_sync(v[j], &b[0][x + 16 * j], pitch_b);
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j) wmma::mma_sync(sum[i][j], u[i], v[j], sum[i][j]);
    __syncthreads();
  }

  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      wmma::store_matrix_sync(&c[y + 16 * i][x + 16 * j], sum[i][j], pitch_c, wmma::mem_row_major);
  __syncthreads();
  for (int t = thread; t < L * L; t += threads) {
    int row = row0 + t / L;
    int col = col0 + t % L;
    if (row < n && col < m) D[row * m + col] = c[t / L][t % L];
  }
}

void matmul(const half* A, const half* B, const float* C, float* D, int n, int m, int k) {
  if (n == 0 || m == 0) return;
  multiply_add<<<dim3((m + L - 1) / L, (n + L - 1) / L), threads>>>(A, B, C, D, n, m, k);
}
