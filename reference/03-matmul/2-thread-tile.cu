// C = A B, V x V outputs per thread: 2 V loads serve V * V products, so 2 N^3 / V lane loads in
// all. Bound by latency: 256 blocks of the default size fill half of an H100's slots. At larger
// sizes by instruction issue. A thread's outputs lie one block width apart, in both directions: the
// lanes of a warp stay on consecutive columns, and each load request stays coalesced.

constexpr int V = 4;
constexpr int threads_x = 32;
constexpr int threads_y = 8;

// A is n x k, B is k x m, C is n x m, all row by row.
__global__ void multiply(const float* A, const float* B, float* C, int n, int m, int k) {
  int first_row = blockIdx.y * threads_y * V + threadIdx.y;
  int first_col = blockIdx.x * threads_x * V + threadIdx.x;

  // Past the edges the last row or column is read again: behind conditions the compiler would
  // keep fewer loads in flight.
  const float* a_row[V];
  const float* b_col[V];
  for (int i = 0; i < V; ++i) {
    a_row[i] = A + min(first_row + i * threads_y, n - 1) * k;
    b_col[i] = B + min(first_col + i * threads_x, m - 1);
  }

  float sum[V][V] = {};

  for (int p = 0; p < k; ++p) {
    float a[V], b[V];
    for (int i = 0; i < V; ++i) a[i] = a_row[i][p];
    for (int j = 0; j < V; ++j) b[j] = b_col[j][p * m];
    for (int i = 0; i < V; ++i)
      for (int j = 0; j < V; ++j) sum[i][j] += a[i] * b[j];
  }

  for (int i = 0; i < V; ++i)
    for (int j = 0; j < V; ++j) {
      int row = first_row + i * threads_y;
      int col = first_col + j * threads_x;
      if (row < n && col < m) C[row * m + col] = sum[i][j];
    }
}

void matmul(const float* A, const float* B, float* C, int n, int m, int k) {
  if (n == 0 || m == 0) return;
  const int tile_rows = threads_y * V;
  const int tile_cols = threads_x * V;
  dim3 grid((m + tile_cols - 1) / tile_cols, (n + tile_rows - 1) / tile_rows);
  multiply<<<grid, dim3(threads_x, threads_y)>>>(A, B, C, n, m, k);
}
