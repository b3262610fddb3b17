// wrong: matmul/11-tf32
// mistake: The fragments' elements are not rounded: __float_to_tf32 is missing.
// expect: wrong

// C = A B on tensor cores, floats in: TF32. Factors are rounded to 10 bits behind the point, and
// sums are floats. A warp multiplies 16 x 16 x 8 with one call.
// Bound by latency: each tile is waited for.
#include <mma.h>

using namespace nvcuda;

constexpr int L = 64;  // 64 x 64 outputs per block
constexpr int S = 16;
constexpr int threads = 128;
constexpr int pitch_a = S + 8;  // of the tiles' rows: multiples of 32 bytes
constexpr int pitch_b = L + 8;
constexpr int pitch_c = L + 4;

// x[row][col] to x[row][col + 3], into shared memory; zeros outside. One 16-byte copy where rows
// allow it.
__device__ void copy4(float* to, const float* x, int row, int col, int rows, int cols) {
  if (cols % 4 == 0 && row < rows && col < cols)
    *reinterpret_cast<float4*>(to) = *reinterpret_cast<const float4*>(x + row * cols + col);
  else
    for (int j = 0; j < 4; ++j)
      to[j] = row < rows && col + j < cols ? x[row * cols + col + j] : 0.0f;
}

template <class Fragment>
__device__ void round_to_tf32(Fragment& f) {
  for (int i = 0; i < f.num_elements; ++i) f.x[i] = wmma::__float_to_tf32(f.x[i]);
}

// A is n x k, B is k x m, C is n x m, all row by row.
__global__ void multiply(const float* A, const float* B, float* C, int n, int m, int k) {
  __shared__ alignas(32) float a[L][pitch_a];
  __shared__ alignas(32) float b[S][pitch_b];
  __shared__ alignas(32) float c[L][pitch_c];
  int thread = threadIdx.x;
  int warp = thread / 32;
  int row0 = blockIdx.y * L;
  int col0 = blockIdx.x * L;
  int y = warp / 2 * 32;  // where this warp's outputs start in the block's
  int x = warp % 2 * 32;
  wmma::fragment<wmma::accumulator, 16, 16, 8, float> sum[2][2];
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) wmma::fill_fragment(sum[i][j], 0.0f);

  for (int p0 = 0; p0 < k; p0 += S) {
    for (int t = thread; t < L * S / 4; t += threads) {
      copy4(&a[t / 4][t % 4 * 4], A, row0 + t / 4, p0 + t % 4 * 4, n, k);
      copy4(&b[t / 16][t % 16 * 4], B, p0 + t / 16, col0 + t % 16 * 4, k, m);
    }
    __syncthreads();
    for (int p = 0; p < S; p += 8) {
      wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> u[2];
      wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::row_major> v[2];
      for (int i = 0; i < 2; ++i) {
        wmma::load_matrix_sync(u[i], &a[y + 16 * i][p], pitch_a);
        wmma::load_matrix_sync(v[i], &b[p][x + 16 * i], pitch_b);
      }
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
    int row = row0 + t / L;
    int col = col0 + t % L;
    if (row < n && col < m) C[row * m + col] = c[t / L][t % L];
  }
}

void matmul(const float* A, const float* B, float* C, int n, int m, int k) {
  if (n == 0 || m == 0) return;
  multiply<<<dim3((m + L - 1) / L, (n + L - 1) / L), threads>>>(A, B, C, n, m, k);
}
