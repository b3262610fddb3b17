// Two chains of products, for m rows and for `few`, all on one stream.
// Bound by its waves: each of the four kernels has a tail.
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

__global__ void gemm(const float* x, const float* y, float* z, int inner, int width) {
  gemm_tile(x, y, z, blockIdx.y * tile, blockIdx.x * tile, inner, width);
}

// C = A * B, then E = C * D, for `rows` rows.
void chain(const float* a, const float* b, const float* d, float* c, float* e, int rows, int n,
           int k, int l) {
  if (rows == 0) return;
  gemm<<<dim3(n / tile, rows / tile), threads>>>(a, b, c, k, n);
  gemm<<<dim3(l / tile, rows / tile), threads>>>(c, d, e, n, l);
}

// A[m x k], B[k x n], C[m x n], D[n x l], E[m x l]. c2 and e2 are these products for the first
// `few` rows of A. All extents are multiples of the tile.
void chains(const float* a, const float* b, const float* d, float* c, float* e, float* c2,
            float* e2, int m, int few, int n, int k, int l) {
  if (n == 0 || l == 0) return;
  // TODO: neither chain reads what the other writes. Give each a stream of its own. The stream is
  // the fourth value in <<<blocks, threads, 0, stream>>>.
  chain(a, b, d, c, e, m, n, k, l);
  chain(a, b, d, c2, e2, few, n, k, l);
}
