// unconventional: cusync/14-two-streams
// Level by level, small chain first, the small one on a stream that ignores the default stream.
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

void chains(const float* a, const float* b, const float* d, float* c, float* e, float* c2,
            float* e2, int m, int few, int n, int k, int l) {
  if (n == 0 || l == 0) return;
  cudaStream_t small;
  cudaStreamCreateWithFlags(&small, cudaStreamNonBlocking);
  if (few > 0) gemm<<<dim3(n / tile, few / tile), threads, 0, small>>>(a, b, c2, k, n);
  if (m > 0) gemm<<<dim3(n / tile, m / tile), threads>>>(a, b, c, k, n);
  if (few > 0) gemm<<<dim3(l / tile, few / tile), threads, 0, small>>>(c2, d, e2, n, l);
  if (m > 0) gemm<<<dim3(l / tile, m / tile), threads>>>(c, d, e, n, l);
  cudaDeviceSynchronize();
  cudaStreamDestroy(small);
}
