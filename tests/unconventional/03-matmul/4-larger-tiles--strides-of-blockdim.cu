// unconventional: matmul/4-larger-tiles
// Only the constants changed. The stride of the linear index is read from blockDim.

constexpr int L = 128, S = 16, V = 8;
__global__ void multiply(const float* A, const float* B, float* C, int n, int m, int k) {
  __shared__ float a[L][S], b[S][L];
  int x = threadIdx.x, y = threadIdx.y;
  int tid = y * blockDim.x + x;
  int row0 = blockIdx.y * L, col0 = blockIdx.x * L;
  float sum[V][V] = {0.0f};
  for (int p0 = 0; p0 < k; p0 += S) {
    for (int t = tid; t < L * S; t += blockDim.x * blockDim.y) {
      int r = t / S, c = t % S;
      if (row0 + r < n && p0 + c < k)
        a[r][c] = A[(row0 + r) * k + p0 + c];
      else
        a[r][c] = 0.0f;
    }
    for (int t = tid; t < S * L; t += blockDim.x * blockDim.y) {
      int r = t / L, c = t % L;
      if (p0 + r < k && col0 + c < m)
        b[r][c] = B[(p0 + r) * m + col0 + c];
      else
        b[r][c] = 0.0f;
    }
    __syncthreads();
    for (int p = 0; p < S; ++p)
      for (int i = 0; i < V; ++i)
        for (int j = 0; j < V; ++j) sum[i][j] += a[y + i * 16][p] * b[p][x + j * 16];
    __syncthreads();
  }
  for (int i = 0; i < V; ++i)
    for (int j = 0; j < V; ++j) {
      int r = row0 + y + i * 16, c = col0 + x + j * 16;
      if (r < n && c < m) C[r * m + c] = sum[i][j];
    }
}
void matmul(const float* A, const float* B, float* C, int n, int m, int k) {
  if (n == 0 || m == 0) return;
  dim3 block(16, 16), grid((m + 127) / 128, (n + 127) / 128);
  multiply<<<grid, block>>>(A, B, C, n, m, k);
}
