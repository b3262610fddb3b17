// C = A B in float, with ordinary multiply-adds: at most 64 operations per warp instruction.
// The tiles, padded with zeros, are ready. Bound by latency: 64 blocks for an H100's 132 SMs.

constexpr int L = 64;  // 64 x 64 outputs per block
constexpr int S = 16;
constexpr int threads = 128;
constexpr int pitch_a = S + 8;  // of the tiles' rows: multiples of 32 bytes
constexpr int pitch_b = L + 8;

// x[row][col] to x[row][col + 3], into shared memory; zeros outside. One 16-byte copy where rows
// allow it.
__device__ void copy4(float* to, const float* x, int row, int col, int rows, int cols) {
  if (cols % 4 == 0 && row < rows && col < cols)
    *reinterpret_cast<float4*>(to) = *reinterpret_cast<const float4*>(x + row * cols + col);
  else
    for (int j = 0; j < 4; ++j)
      to[j] = row < rows && col + j < cols ? x[row * cols + col + j] : 0.0f;
}

// A is n x k, B is k x m, C is n x m, all row by row.
__global__ void multiply(const float* A, const float* B, float* C, int n, int m, int k) {
  __shared__ alignas(32) float a[L][pitch_a];
  __shared__ alignas(32) float b[S][pitch_b];
  int thread = threadIdx.x;
  int row0 = blockIdx.y * L;
  int col0 = blockIdx.x * L;
  int x = thread % L;  // this thread's 32 outputs: rows y ... y + 31 of column x
  int y = thread / L * 32;
  // TODO: #include <mma.h>. Each of the 4 warps computes 32 x 32 outputs as 2 x 2 accumulator
  // fragments, from fragments of wmma::precision::tf32. They are stored through a padded tile.
  float sum[32] = {};
  for (int p0 = 0; p0 < k; p0 += S) {
    for (int t = thread; t < L * S / 4; t += threads) {
      copy4(&a[t / 4][t % 4 * 4], A, row0 + t / 4, p0 + t % 4 * 4, n, k);
      copy4(&b[t / 16][t % 16 * 4], B, p0 + t / 16, col0 + t % 16 * 4, k, m);
    }
    __syncthreads();
    for (int p = 0; p < S; ++p)
      for (int i = 0; i < 32; ++i) sum[i] += a[y + i][p] * b[p][x];
    __syncthreads();
  }

  for (int i = 0; i < 32; ++i) {
    int row = row0 + y + i;
    int col = col0 + x;
    if (row < n && col < m) C[row * m + col] = sum[i];
  }
}

void matmul(const float* A, const float* B, float* C, int n, int m, int k) {
  if (n == 0 || m == 0) return;
  multiply<<<dim3((m + L - 1) / L, (n + L - 1) / L), threads>>>(A, B, C, n, m, k);
}
