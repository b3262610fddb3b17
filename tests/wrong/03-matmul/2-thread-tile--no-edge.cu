// wrong: matmul/2-thread-tile
// mistake: Only the first row and column of the thread's tile are checked against the edge: the others read past it.
// expect: finding out_of_bounds

constexpr int V = 4;
constexpr int block_x = 32;
constexpr int block_y = 8;

// A is n x k, B is k x m, C is n x m, all row by row.
__global__ void multiply(const float* A, const float* B, float* C, int n, int m, int k) {
  int row = (blockIdx.y * block_y + threadIdx.y) * V;  // rows row ... row + V - 1
  int col = blockIdx.x * block_x * V + threadIdx.x;    // columns col, col + 32, ...
  float sum[V][V] = {};
  for (int p = 0; p < k; ++p) {
    float a[V], b[V];
    for (int i = 0; i < V; ++i) a[i] = row < n ? A[(row + i) * k + p] : 0.0f;
    for (int j = 0; j < V; ++j) b[j] = col < m ? B[p * m + col + j * block_x] : 0.0f;
    for (int i = 0; i < V; ++i)
      for (int j = 0; j < V; ++j) sum[i][j] += a[i] * b[j];
  }
  for (int i = 0; i < V; ++i)
    for (int j = 0; j < V; ++j)
      if (row + i < n && col + j * block_x < m) C[(row + i) * m + col + j * block_x] = sum[i][j];
}

void matmul(const float* A, const float* B, float* C, int n, int m, int k) {
  if (n == 0 || m == 0) return;
  dim3 block(block_x, block_y);
  multiply<<<dim3((m + block_x * V - 1) / (block_x * V), (n + block_y * V - 1) / (block_y * V)),
             block>>>(A, B, C, n, m, k);
}
