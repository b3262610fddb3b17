// unconventional: matmul/2-thread-tile
// Four rows by eight columns per thread.
constexpr int V = 4;
constexpr int VX = 8;
constexpr int threads_x = 32;
constexpr int threads_y = 8;

// A is n x k, B is k x m, C is n x m, all row by row.
__global__ void multiply(const float* A, const float* B, float* C, int n, int m, int k) {
  int first_row = blockIdx.y * threads_y * V + threadIdx.y;
  int first_col = blockIdx.x * threads_x * VX + threadIdx.x;

  // Past the edges the last row or column is read again: a load behind a branch would have to be
  // waited for.
  const float* a_row[V];
  const float* b_col[VX];
  for (int i = 0; i < V; ++i) a_row[i] = A + size_t(min(first_row + i * threads_y, n - 1)) * k;
  for (int j = 0; j < VX; ++j) b_col[j] = B + min(first_col + j * threads_x, m - 1);

  float sum[V][VX] = {};

  for (int p = 0; p < k; ++p) {
    float a[V], b[VX];
    for (int i = 0; i < V; ++i) a[i] = a_row[i][p];
    for (int j = 0; j < VX; ++j) b[j] = b_col[j][p * m];
    for (int i = 0; i < V; ++i)
      for (int j = 0; j < VX; ++j) sum[i][j] += a[i] * b[j];
  }

  for (int i = 0; i < V; ++i)
    for (int j = 0; j < VX; ++j) {
      int row = first_row + i * threads_y;
      int col = first_col + j * threads_x;
      if (row < n && col < m) C[row * m + col] = sum[i][j];
    }
}

void matmul(const float* A, const float* B, float* C, int n, int m, int k) {
  if (n == 0 || m == 0) return;
  const int tile_rows = threads_y * V;
  const int tile_cols = threads_x * VX;
  dim3 grid((m + tile_cols - 1) / tile_cols, (n + tile_rows - 1) / tile_rows);
  multiply<<<grid, dim3(threads_x, threads_y)>>>(A, B, C, n, m, k);
}
