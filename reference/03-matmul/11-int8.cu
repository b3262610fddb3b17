// C = A B on tensor cores: 8-bit integers in, 32-bit sums. A warp multiplies 16 x 16 x 16 with one
// call. Tiles are padded with zeros in shared memory, so any shape works.
// Bound by how fast tiles arrive. A byte is half of a half, so a tile is twice as deep.
#include <mma.h>

using namespace nvcuda;

constexpr int L = 64;  // 4 warps, 2 x 2, 32 x 32 outputs each
constexpr int S = 32;
constexpr int threads = 128;
constexpr int pitch = 16;  // bytes of a fragment's rows; more would cost bank conflicts
constexpr int pitch_c = L + 4;

// x[row][col] to x[row][col + 15], into shared memory; zeros outside. One 16-byte copy where rows
// allow it.
__device__ void copy16(signed char* to, const signed char* x, int row, int col, int rows,
                       int cols) {
  if (cols % 16 == 0 && row < rows && col < cols)
    *reinterpret_cast<int4*>(to) = *reinterpret_cast<const int4*>(x + row * cols + col);
  else
    for (int j = 0; j < 16; ++j)
      to[j] = row < rows && col + j < cols ? x[row * cols + col + j] : 0;
}

// A is n x k, B is k x m, C is n x m, all row by row.
__global__ void multiply(const signed char* A, const signed char* B, int* C, int n, int m, int k) {
  __shared__ alignas(32) signed char a[S / 16][L][pitch];  // columns 16 h to 16 h + 15 of the tile
  __shared__ alignas(32) signed char b[L / 16][S][pitch];
  __shared__ alignas(32) int c[L][pitch_c];
  int thread = threadIdx.x;
  int warp = thread / 32;
  int row0 = blockIdx.y * L;
  int col0 = blockIdx.x * L;
  int y = warp / 2 * 32;  // where this warp's outputs start in the block's
  int x = warp % 2 * 32;
  wmma::fragment<wmma::accumulator, 16, 16, 16, int> sum[2][2];
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) wmma::fill_fragment(sum[i][j], 0);

  for (int p0 = 0; p0 < k; p0 += S) {
    copy16(a[thread % 2][thread / 2], A, row0 + thread / 2, p0 + thread % 2 * 16, n, k);
    copy16(b[thread % 4][thread / 4], B, p0 + thread / 4, col0 + thread % 4 * 16, k, m);
    __syncthreads();
    for (int h = 0; h < S / 16; ++h) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> u[2];
      wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::row_major> v[2];
      for (int i = 0; i < 2; ++i) wmma::load_matrix_sync(u[i], a[h][y + 16 * i], pitch);
      for (int j = 0; j < 2; ++j) wmma::load_matrix_sync(v[j], b[x / 16 + j][16 * h], pitch);
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

void matmul(const signed char* A, const signed char* B, int* C, int n, int m, int k) {
  if (n == 0 || m == 0) return;
  multiply<<<dim3((m + L - 1) / L, (n + L - 1) / L), threads>>>(A, B, C, n, m, k);
}
