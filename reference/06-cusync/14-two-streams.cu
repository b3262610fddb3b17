// Two chains of products, for m rows and for `few`. Each chain has a stream of its own, so the
// blocks of one fill the tails of the other.
// Bound by its waves: 6 + 6 and 2 + 2 blocks on 4 SMs that hold one block each.
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
           int k, int l, cudaStream_t stream) {
  if (rows == 0) return;
  gemm<<<dim3(n / tile, rows / tile), threads, 0, stream>>>(a, b, c, k, n);
  gemm<<<dim3(l / tile, rows / tile), threads, 0, stream>>>(c, d, e, n, l);
}

// A[m x k], B[k x n], C[m x n], D[n x l], E[m x l]. c2 and e2 are these products for the first
// `few` rows of A. All extents are multiples of the tile.
void chains(const float* a, const float* b, const float* d, float* c, float* e, float* c2,
            float* e2, int m, int few, int n, int k, int l) {
  if (n == 0 || l == 0) return;
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  chain(a, b, d, c, e, m, n, k, l, first);
  chain(a, b, d, c2, e2, few, n, k, l, second);
  cudaStreamSynchronize(first);
  cudaStreamSynchronize(second);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
}
