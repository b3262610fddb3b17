// D = A B + C, half in, float sums, with ordinary multiply-adds: 64 operations a warp instruction at most.
// Tensor cores multiply 16 x 16 x 16 with one call for a warp: 8192 operations. The tiles, padded with zeros,
// are ready.
#include <cuda_fp16.h>

constexpr int L = 64, S = 16, kThreads = 128;  // 64 x 64 outputs a block
constexpr int kPitchA = S + 8, kPitchB = L + 8;     // of the tiles' rows

// x[row][col] to x[row][col + 7], into shared memory; zeros outside. One 16-byte copy where rows allow it.
__device__ void copy8(half* to, const half* x, int row, int col, int rows, int cols) {
  if (cols % 8 == 0 && row < rows && col < cols)
    *reinterpret_cast<float4*>(to) = *reinterpret_cast<const float4*>(x + row * cols + col);
  else
    for (int j = 0; j < 8; ++j)
      to[j] = row < rows && col + j < cols ? x[row * cols + col + j] : __float2half(0.0f);
}

// A is n x k, B is k x m, C and D are n x m, all row by row.
__global__ void multiply_add(const half* A, const half* B, const float* C, float* D, int n, int m, int k) {
  __shared__ alignas(32) half a[L][kPitchA];
  __shared__ alignas(32) half b[S][kPitchB];
  int thread = threadIdx.x;
  int row0 = blockIdx.y * L, col0 = blockIdx.x * L;
  int x = thread % L, y = thread / L * 32;  // this thread's 32 outputs: rows y ... y + 31 of column x
  // TODO: #include <mma.h>. Let each of the 4 warps make 32 x 32 outputs as 2 x 2 fragments of
  // wmma::fragment<wmma::accumulator, 16, 16, 16, float>, started from C (through a padded tile in shared
  // memory), added to by wmma::mma_sync from fragments of a and b, and stored through that tile to D.
  float sum[32] = {};
  for (int p0 = 0; p0 < k; p0 += S) {
    copy8(&a[thread / 2][thread % 2 * 8], A, row0 + thread / 2, p0 + thread % 2 * 8, n, k);
    copy8(&b[thread / 8][thread % 8 * 8], B, p0 + thread / 8, col0 + thread % 8 * 8, k, m);
    __syncthreads();
    for (int p = 0; p < S; ++p)
      for (int i = 0; i < 32; ++i) sum[i] += __half2float(a[y + i][p]) * __half2float(b[p][x]);
    __syncthreads();
  }

  for (int i = 0; i < 32; ++i) {
    int row = row0 + y + i, col = col0 + x;
    if (row < n && col < m) D[row * m + col] = sum[i] + C[row * m + col];
  }
}

void matmul(const half* A, const half* B, const float* C, float* D, int n, int m, int k) {
  if (n == 0 || m == 0) return;
  multiply_add<<<dim3((m + L - 1) / L, (n + L - 1) / L), kThreads>>>(A, B, C, D, n, m, k);
}
