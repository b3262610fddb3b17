// wrong: cusync/1-staircase
// mistake: Larger tiles make fewer blocks: 6 tiles on 8 SMs, and 2 SMs idle all the time.
// expect: gate_failed gate wave_utilization >= 0.99
// C = A * B, a block for every tile of a few rows and 32 columns. Bound by its waves: 8 SMs hold
// one block each.
constexpr int tile_rows = 8;
constexpr int columns = 32;  // of a tile, and threads of a block

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
