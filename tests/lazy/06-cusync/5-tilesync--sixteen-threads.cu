// lazy: cusync/5-tilesync
// expect: gate kernels_together_us >= 0.1 * time_us
// Stream order, with sixteen threads per tile: faster, and SMs idle in both tails.
constexpr int tile = 4;  // small: a thread computes several rows
constexpr int threads = 16;

// The block's tile of z = x * y, from row `row` and column `column`; x has `inner` columns, y and z
// have `width`.
__device__ void gemm_tile(const float* x, const float* y, float* z, int row, int column, int inner,
                          int width) {
#pragma unroll 1
  for (int i = row + threadIdx.x % tile; i < row + tile; i += tile)
#pragma unroll 1
    for (int j = column + threadIdx.x / tile; j < column + tile; j += tile) {
      float sum = 0.0f;
#pragma unroll 1
      for (int k = 0; k < inner; ++k) sum += x[i * inner + k] * y[k * width + j];
      z[i * width + j] = sum;
    }
}

__global__ void gemm(const float* x, const float* y, float* z, int inner, int width) {
  gemm_tile(x, y, z, blockIdx.y * tile, blockIdx.x * tile, inner, width);
}

// A[m x k], B[k x n], C[m x n], D[n x l], E[m x l]: all extents are multiples of the tile.
void chain(const float* a, const float* b, const float* d, float* c, float* e, int m, int n, int k,
           int l) {
  if (m == 0 || n == 0 || l == 0) return;
  gemm<<<dim3(n / tile, m / tile), threads>>>(a, b, c, k, n);
  gemm<<<dim3(l / tile, m / tile), threads>>>(c, d, e, n, l);
}
