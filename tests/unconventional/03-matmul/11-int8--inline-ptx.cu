// unconventional: matmul/11-int8
// Inline PTX: mma.sync of 8 x 8 x 16 bytes. Lanes fill their registers from a tile of A and from the
// transpose of B's, and store their sums straight to C.
constexpr int L = 64;  // 64 x 64 outputs per block, 32 x 32 per warp
constexpr int S = 32;
constexpr int threads = 128;
constexpr int pitch = 48;  // bytes per row in shared memory

// x[row][col] to x[row][col + 15]; zeros outside.
__device__ void copy16(signed char* to, const signed char* x, int row, int col, int rows, int cols) {
  if (cols % 16 == 0 && row < rows && col < cols)
    *reinterpret_cast<int4*>(to) = *reinterpret_cast<const int4*>(x + row * cols + col);
  else
    for (int j = 0; j < 16; ++j) to[j] = row < rows && col + j < cols ? x[row * cols + col + j] : 0;
}

__global__ void multiply(const signed char* A, const signed char* B, int* C, int n, int m, int k) {
  __shared__ alignas(16) signed char a[L][pitch];
  __shared__ alignas(16) signed char b[L][pitch];  // columns of B
  const int thread = threadIdx.x, warp = thread / 32;
  const int row0 = blockIdx.y * L, col0 = blockIdx.x * L;
  const int y = warp / 2 * 32, x = warp % 2 * 32;
  const int group = thread % 32 / 4, quad = thread % 4;
  int sum[4][4][2] = {};
  for (int p0 = 0; p0 < k; p0 += S) {
    copy16(&a[thread / 2][thread % 2 * 16], A, row0 + thread / 2, p0 + thread % 2 * 16, n, k);
    alignas(16) signed char v[16];
    copy16(v, B, p0 + thread / 4, col0 + quad * 16, k, m);
    for (int j = 0; j < 16; ++j) b[quad * 16 + j][thread / 4] = v[j];
    __syncthreads();
    for (int h = 0; h < S; h += 16) {
      unsigned u[4], w[4];
      for (int i = 0; i < 4; ++i) {
        u[i] = *reinterpret_cast<const unsigned*>(&a[y + 8 * i + group][h + 4 * quad]);
        w[i] = *reinterpret_cast<const unsigned*>(&b[x + 8 * i + group][h + 4 * quad]);
      }
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
          asm("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%0, %1}, {%2}, {%3}, {%0, %1};"
              : "+r"(sum[i][j][0]), "+r"(sum[i][j][1])
              : "r"(u[i]), "r"(w[j]));
    }
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      for (int e = 0; e < 2; ++e) {
        const int row = row0 + y + 8 * i + group, col = col0 + x + 8 * j + 2 * quad + e;
        if (row < n && col < m) C[row * m + col] = sum[i][j][e];
      }
}

void matmul(const signed char* A, const signed char* B, int* C, int n, int m, int k) {
  if (n == 0 || m == 0) return;
  multiply<<<dim3((m + L - 1) / L, (n + L - 1) / L), threads>>>(A, B, C, n, m, k);
}
