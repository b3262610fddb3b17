// unconventional: cusync/2-smaller-tail
// Equal tiles, so low that all waves are full.
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

  int waves = (m + per_wave * large_rows - 1) / (per_wave * large_rows);
  int rows = (m + per_wave * waves - 1) / (per_wave * waves);  // the same in every tile
  gemm<<<dim3(across, (m + rows - 1) / rows), columns>>>(a, b, c, 0, m, n, k, rows);
}
