// C = A * B, a block for every tile of a few rows and 32 columns. Bound by its waves: 8 SMs hold
// one block each.
constexpr int tile_rows = 3;  // 16 tiles of 48 rows: two full waves
constexpr int columns = 32;   // of a tile, and threads of a block

__global__ void gemm(const float* a, const float* b, float* c, int m, int n, int k) {
  const int j = blockIdx.x * columns + threadIdx.x;
  const int first = blockIdx.y * tile_rows;
  if (j >= n) return;
  for (int i = first; i < first + tile_rows && i < m; ++i) {
    float sum = 0.0f;
    for (int x = 0; x < k; ++x) sum += a[i * k + x] * b[x * n + j];
    c[i * n + j] = sum;
  }
}

void product(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  gemm<<<dim3((n + columns - 1) / columns, (m + tile_rows - 1) / tile_rows), columns>>>(a, b, c, m,
                                                                                        n, k);
}
