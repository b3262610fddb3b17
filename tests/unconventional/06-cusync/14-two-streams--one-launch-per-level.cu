// unconventional: cusync/14-two-streams
// No streams: one launch makes the tiles of C and C2, a second one those of E and E2.
constexpr int tile = 4;  // small: a thread computes several rows
constexpr int threads = 2;

// The block's tile of z = x * y, from row `row` and column `column`; x has `inner` columns, y and z
// have `width`.
__device__ void gemm_tile(const float* x, const float* y, float* z, int row, int column, int inner,
                          int width) {
#pragma unroll 1
  for (int i = row + threadIdx.x; i < row + tile; i += threads)
#pragma unroll 1
    for (int j = column; j < column + tile; ++j) {
      float sum = 0.0f;
#pragma unroll 1
      for (int k = 0; k < inner; ++k) sum += x[i * inner + k] * y[k * width + j];
      z[i * width + j] = sum;
    }
}

// Tiles with blockIdx.y below `split` belong to the first product, the others to the second.
__global__ void gemm(const float* x, const float* x2, const float* y, float* z, float* z2, int split,
                     int inner, int width) {
  const int row = blockIdx.y;
  if (row < split)
    gemm_tile(x, y, z, row * tile, blockIdx.x * tile, inner, width);
  else
    gemm_tile(x2, y, z2, (row - split) * tile, blockIdx.x * tile, inner, width);
}

void chains(const float* a, const float* b, const float* d, float* c, float* e, float* c2,
            float* e2, int m, int few, int n, int k, int l) {
  if (n == 0 || l == 0 || m + few == 0) return;
  const int rows = (m + few) / tile;
  gemm<<<dim3(n / tile, rows), threads>>>(a, a, b, c, c2, m / tile, k, n);
  gemm<<<dim3(l / tile, rows), threads>>>(c, c2, d, e, e2, m / tile, n, l);
}
