// unconventional: matmul/2-thread-tile
// Blocks of 16 x 16, and loads behind the test of the edges.

__global__ void multiply(const float* A, const float* B, float* C, int n, int m, int k) {
  const int V = 4;
  int row = blockIdx.y * blockDim.y * V + threadIdx.y;
  int col = blockIdx.x * blockDim.x * V + threadIdx.x;
  float sum[V][V] = {0};
  for (int p = 0; p < k; p++) {
    float a[V], b[V];
    for (int i = 0; i < V; i++) {
      int r = row + i * blockDim.y;
      a[i] = r < n ? A[r * k + p] : 0;
    }
    for (int j = 0; j < V; j++) {
      int c = col + j * blockDim.x;
      b[j] = c < m ? B[p * m + c] : 0;
    }
    for (int i = 0; i < V; i++)
      for (int j = 0; j < V; j++) sum[i][j] += a[i] * b[j];
  }
  for (int i = 0; i < V; i++)
    for (int j = 0; j < V; j++) {
      int r = row + i * blockDim.y, c = col + j * blockDim.x;
      if (r < n && c < m) C[r * m + c] = sum[i][j];
    }
}
void matmul(const float* A, const float* B, float* C, int n, int m, int k) {
  if (n == 0 || m == 0) return;
  dim3 block(16, 16);
  dim3 grid((m + 63) / 64, (n + 63) / 64);
  multiply<<<grid, block>>>(A, B, C, n, m, k);
}
