// D = A B + C, half in, float sums, with ordinary multiply-adds: at most 64 operations per warp
// instruction. The tiles, padded with zeros, are ready.
// Bound by latency, with 8 warps per SM. A tensor core multiplies 16 x 16 x 16 with one call.
#include <cuda_fp16.h>

constexpr int L = 64;  // 64 x 64 outputs per block
constexpr int S = 16;
constexpr int threads = 128;
constexpr int pitch_a = S + 8;  // of the tiles' rows
constexpr int pitch_b = L + 8;

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
  int thread = threadIdx.x;
  int row0 = blockIdx.y * L;
  int col0 = blockIdx.x * L;
  int x = thread % L;  // this thread's 32 outputs: rows y ... y + 31 of column x
  int y = thread / L * 32;
  // TODO: #include <mma.h>. Each of the 4 warps computes 32 x 32 outputs as 2 x 2 accumulator
  // fragments. They start from C (through a padded tile in shared memory), and are stored through
  // that tile to D.
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
    int row = row0 + y + i;
    int col = col0 + x;
    if (row < n && col < m) D[row * m + col] = sum[i] + C[row * m + col];
  }
}

void matmul(const half* A, const half* B, const float* C, float* D, int n, int m, int k) {
  if (n == 0 || m == 0) return;
  multiply_add<<<dim3((m + L - 1) / L, (n + L - 1) / L), threads>>>(A, B, C, D, n, m, k);
}
