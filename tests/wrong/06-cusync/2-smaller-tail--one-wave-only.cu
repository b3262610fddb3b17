// wrong: cusync/2-smaller-tail
// mistake: The large tiles cover 48 rows, whatever m is. More rows need more than one wave of them.
// expect: wrong
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
  int across = (n + columns - 1) / columns;
  gemm<<<dim3(across, 4), columns>>>(a, b, c, 0, min(m, 48), n, k, 12);
  if (m > 48) gemm<<<dim3(across, 4), columns>>>(a, b, c, 48, m, n, k, m == 60 ? 3 : 1);
}
