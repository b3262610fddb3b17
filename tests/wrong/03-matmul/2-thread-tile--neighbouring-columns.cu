// wrong: matmul/2-thread-tile
// mistake: The thread's columns are adjacent, so the lanes lie four floats apart: 16 sectors per request of B instead of 4.
// expect: gate_failed gate global_load_sectors * 32 <= 0.65 * 8 * n * m * k / v

constexpr int V = 4;
constexpr int block_x = 32;
constexpr int block_y = 8;

// A is n x k, B is k x m, C is n x m, all row by row.
__global__ void multiply(const float* A, const float* B, float* C, int n, int m, int k) {
  int row = (blockIdx.y * block_y + threadIdx.y) * V;  // rows row ... row + V - 1
  int col = (blockIdx.x * block_x + threadIdx.x) * V;
  float sum[V][V] = {};
  for (int p = 0; p < k; ++p) {
    float a[V], b[V];
    for (int i = 0; i < V; ++i) a[i] = row + i < n ? A[(row + i) * k + p] : 0.0f;
    for (int j = 0; j < V; ++j) b[j] = col + j < m ? B[p * m + col + j] : 0.0f;
    for (int i = 0; i < V; ++i)
      for (int j = 0; j < V; ++j) sum[i][j] += a[i] * b[j];
  }
  for (int i = 0; i < V; ++i)
    for (int j = 0; j < V; ++j)
      if (row + i < n && col + j < m) C[(row + i) * m + col + j] = sum[i][j];
}

void matmul(const float* A, const float* B, float* C, int n, int m, int k) {
  if (n == 0 || m == 0) return;
  dim3 block(block_x, block_y);
  multiply<<<dim3((m + block_x * V - 1) / (block_x * V), (n + block_y * V - 1) / (block_y * V)),
             block>>>(A, B, C, n, m, k);
}
