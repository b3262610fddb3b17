// lazy: matmul/2-thread-tile
// expect: gate local_sectors == 0
// The loops over V are not unrolled, so the sums and factors lie in local memory.

// A is n x k, B is k x m, C is n x m, all row by row.
__global__ void multiply(const float* A, const float* B, float* C, int n, int m, int k) {
  constexpr int V = 4, H = 4;
  int row0 = blockIdx.y * 8 * V + threadIdx.y, col0 = blockIdx.x * 32 * H + threadIdx.x;
  float sum[V][H] = {};
#pragma unroll 1
  for (int p = 0; p < k; ++p) {
    float a[V], b[H];
#pragma unroll 1
    for (int i = 0; i < V; ++i) a[i] = A[min(row0 + i * 8, n - 1) * k + p];
#pragma unroll 1
    for (int j = 0; j < H; ++j) b[j] = B[p * m + min(col0 + j * 32, m - 1)];
#pragma unroll 1
    for (int i = 0; i < V; ++i)
#pragma unroll 1
      for (int j = 0; j < H; ++j) sum[i][j] += a[i] * b[j];
  }
  for (int i = 0; i < V; ++i)
    for (int j = 0; j < H; ++j)
      if (row0 + i * 8 < n && col0 + j * 32 < m) C[(row0 + i * 8) * m + col0 + j * 32] = sum[i][j];
}

void matmul(const float* A, const float* B, float* C, int n, int m, int k) {
  if (n == 0 || m == 0) return;
  dim3 block(32, 8);
  multiply<<<dim3((m + 127) / 128, (n + 31) / 32), block>>>(A, B, C, n, m, k);
}
