// unconventional: matmul/3-block-tile
// 256 threads per tile, each with four rows of it.

constexpr int L = 32;

// A is n x k, B is k x m, C is n x m, all row by row.
__global__ void multiply(const float* A, const float* B, float* C, int n, int m, int k) {
  __shared__ float a[L][L], b[L][L];
  int x = threadIdx.x;
  int y = threadIdx.y;  // and rows y + 8, y + 16, y + 24
  int row0 = blockIdx.y * L + y;
  int col = blockIdx.x * L + x;
  float sum[4] = {};
  for (int p0 = 0; p0 < k; p0 += L) {
    for (int i = 0; i < L; i += 8) {
      a[y + i][x] = row0 + i < n && p0 + x < k ? A[(row0 + i) * k + p0 + x] : 0.0f;
      b[y + i][x] = p0 + y + i < k && col < m ? B[(p0 + y + i) * m + col] : 0.0f;
    }
    __syncthreads();  // the tiles are complete
    for (int p = 0; p < L; ++p)
      for (int i = 0; i < 4; ++i) sum[i] += a[y + 8 * i][p] * b[p][x];
    __syncthreads();  // no thread reads them any more
  }
  for (int i = 0; i < 4; ++i)
    if (row0 + 8 * i < n && col < m) C[(row0 + 8 * i) * m + col] = sum[i];
}

void matmul(const float* A, const float* B, float* C, int n, int m, int k) {
  if (n == 0 || m == 0) return;
  multiply<<<dim3((m + L - 1) / L, (n + L - 1) / L), dim3(L, 8)>>>(A, B, C, n, m, k);
}
