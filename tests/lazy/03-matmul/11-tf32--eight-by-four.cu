// lazy: matmul/11-tf32
// expect: gate 2048 * (ptx(wmma.mma.tf32) + ptx(mma.tf32)) >= 0.99 * n * m * k
// Ordinary multiply-adds, with 8 x 4 outputs per thread: better, and still below 64 per instruction.

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
  int x = thread % 16;
  int y = thread / 16 * 8;
  float sum[32] = {};
  for (int p0 = 0; p0 < k; p0 += S) {
    for (int t = thread; t < L * S / 4; t += threads) {
      copy4(&a[t / 4][t % 4 * 4], A, row0 + t / 4, p0 + t % 4 * 4, n, k);
      copy4(&b[t / 16][t % 16 * 4], B, p0 + t / 16, col0 + t % 16 * 4, k, m);
    }
    __syncthreads();
    for (int p = 0; p < S; ++p)
      for (int i = 0; i < 32; ++i) sum[i] += a[y + i / 4][p] * b[p][x + i % 4 * 16];
    __syncthreads();
  }

  for (int i = 0; i < 32; ++i) {
    int row = row0 + y + i / 4;
    int col = col0 + x + i % 4 * 16;
    if (row < n && col < m) C[row * m + col] = sum[i];
  }
}

void matmul(const float* A, const float* B, float* C, int n, int m, int k) {
  if (n == 0 || m == 0) return;
  multiply<<<dim3((m + L - 1) / L, (n + L - 1) / L), threads>>>(A, B, C, n, m, k);
}
