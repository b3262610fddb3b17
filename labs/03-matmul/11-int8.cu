// C = A B, 8-bit integers in, 32-bit sums, with ordinary multiply-adds: one instruction and
// one load from shared memory per product. Bound by latency: 64 blocks for an H100's 132 SMs.

constexpr int L = 64;  // 64 x 64 outputs per block
constexpr int S = 32;
constexpr int threads = 128;
constexpr int pitch = 16;  // bytes of a fragment's rows; more would cost bank conflicts

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
  int thread = threadIdx.x;
  int row0 = blockIdx.y * L;
  int col0 = blockIdx.x * L;
  int x = thread % L;  // this thread's 32 outputs: rows y ... y + 31 of column x
  int y = thread / L * 32;
  // TODO: #include <mma.h>. Each of the 4 warps computes 32 x 32 outputs as 2 x 2 accumulator
  // fragments of int. They are stored through a padded tile in shared memory to C.
  int sum[32] = {};
  for (int p0 = 0; p0 < k; p0 += S) {
    copy16(a[thread % 2][thread / 2], A, row0 + thread / 2, p0 + thread % 2 * 16, n, k);
    copy16(b[thread % 4][thread / 4], B, p0 + thread / 4, col0 + thread % 4 * 16, k, m);
    __syncthreads();
    for (int p = 0; p < S; ++p)
      for (int i = 0; i < 32; ++i)
        sum[i] += a[p / 16][y + i][p % 16] * b[x / 16][p][x % 16];
    __syncthreads();
  }

  for (int i = 0; i < 32; ++i) {
    int row = row0 + y + i;
    int col = col0 + x;
    if (row < n && col < m) C[row * m + col] = sum[i];
  }
}

void matmul(const signed char* A, const signed char* B, int* C, int n, int m, int k) {
  if (n == 0 || m == 0) return;
  multiply<<<dim3((m + L - 1) / L, (n + L - 1) / L), threads>>>(A, B, C, n, m, k);
}
