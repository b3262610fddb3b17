// unconventional: cusync/2-smaller-tail
// One launch: the first blocks compute large tiles, the others small ones.
constexpr int columns = 32;     // per tile, and threads per block
constexpr int large_rows = 12;  // per tile of the full waves

// One block per tile of tile_rows rows, from row `start` on; `end` is the row after the last.
__global__ void gemm(const float* a, const float* b, float* c, int full, int end, int n, int k,
                     int small) {
  const int column = blockIdx.x * columns + threadIdx.x;
  const bool large = blockIdx.y < full;
  const int first =
      large ? blockIdx.y * large_rows : full * large_rows + (blockIdx.y - full) * small;
  const int tile_rows = large ? large_rows : small;
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
  int sms = 0, per = 0;
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per, gemm, columns, 0);
  int cap = max(1, sms * per / across);
  int full = m / large_rows / cap * cap;
  int rest = m - full * large_rows;
  int small = max(1, (rest + cap - 1) / cap);
  gemm<<<dim3(across, full + (rest + small - 1) / small), columns>>>(a, b, c, full, m, n, k, small);
}
