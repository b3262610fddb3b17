// lazy: cusync/2-smaller-tail
// expect: gate time_us <= 1.15 * reference(self) (m=60)
// Tiles of 13 rows: four of them have 52.
constexpr int columns = 32;    // per tile, and threads per block
constexpr int large_rows = 13;  // per tile of the full waves

// One block per tile of tile_rows rows, from row `start` on; `end` is the row after the last.
__global__ void gemm(const float* a, const float* b, float* c, int start, int end, int n, int k,
                     int tile_rows) {
  const int column = blockIdx.x * columns + threadIdx.x;
  const int first = start + blockIdx.y * tile_rows;
  if (column >= n) return;
  for (int row = first; row < min(first + tile_rows, end); ++row) {
    float sum = 0.0f;
    for (int x = 0; x < k; ++x) sum += a[row * k + x] * b[x * n + column];
    c[row * n + column] = sum;
  }
}

void product(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  int across = (n + columns - 1) / columns;
  int tiles = (m + large_rows - 1) / large_rows;
  gemm<<<dim3(across, tiles), columns>>>(a, b, c, 0, m, n, k, large_rows);
}
