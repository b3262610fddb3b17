// wrong: cusync/1-staircase
// mistake: How many blocks a wave holds follows from the device: it does not always have 8 SMs.
// expect: gate_failed gate time_us <= 1.02 * reference(self) (simt:toy4)
// C = A * B, one block per tile of some rows and 32 columns. The height of a tile follows from m
// and from the GPU, so that the blocks fill whole waves.
// Bound by its waves: each SM of the toy GPU holds one block.
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

// Rows per tile, for `across` tiles per row of tiles and `capacity` blocks at once: as few waves as
// most_rows allows, and tiles no higher than these waves need.
int choose_tile_rows(int m, int across, int capacity) {
  int per_wave = capacity / across > 0 ? capacity / across : 1;  // tiles of one column per wave
  int waves = (m + per_wave * most_rows - 1) / (per_wave * most_rows);
  return (m + per_wave * waves - 1) / (per_wave * waves);
}

void product(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  int sms = 0, blocks_per_sm = 0;
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks_per_sm, gemm, columns, 0);
  int across = (n + columns - 1) / columns;
  int tile_rows = choose_tile_rows(m, across, 8);
  gemm<<<dim3(across, (m + tile_rows - 1) / tile_rows), columns>>>(a, b, c, m, n, k, tile_rows);
}
