// lazy: cusync/2-smaller-tail
// expect: gate 12 * blocks >= m * n / 32 (m=104)
// One launch: four tiles share all rows, however high that makes them.
// C = A * B: full waves of large tiles, then the rest of the rows in tiles so small that all SMs
// have one. The tail is as short as the rows allow.
// Bound by its last wave: each SM of the toy GPU holds one block.
constexpr int columns = 32;     // per tile, and threads per block
constexpr int large_rows = 12;  // per tile of the full waves

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
  int sms = 0, blocks_per_sm = 0;
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks_per_sm, gemm, columns, 0);
  int across = (n + columns - 1) / columns;
  int per_wave = sms * blocks_per_sm / across > 0 ? sms * blocks_per_sm / across : 1;

  int full = 0;  // rows of the full waves
  if (full > 0)
    gemm<<<dim3(across, full / large_rows), columns>>>(a, b, c, 0, full, n, k, large_rows);
  int rest = m - full;
  if (rest > 0) {
    int small_rows = (rest + per_wave - 1) / per_wave;  // one wave of tiles
    int tiles = (rest + small_rows - 1) / small_rows;
    gemm<<<dim3(across, tiles), columns>>>(a, b, c, full, m, n, k, small_rows);
  }
}
