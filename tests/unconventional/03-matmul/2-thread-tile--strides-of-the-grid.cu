// unconventional: matmul/2-thread-tile
// Blocks of one dimension go over the tiles in strides of the grid; a warp has 4 rows.

template <int R, int W>
struct Outputs {
  float v[R][W];
};
template <int R, int W>
__global__ void tiles(const float* __restrict__ A, const float* __restrict__ B,
                      float* __restrict__ C, int n, int m, int k, int tiles_x, int tiles_total) {
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  for (int t = blockIdx.x; t < tiles_total; t += gridDim.x) {
    int row0 = (t / tiles_x) * 4 * R + warp * R, col0 = (t % tiles_x) * 32 * W + lane;
    Outputs<R, W> s = {};
    const float* a[R];
#pragma unroll
    for (int i = 0; i < R; ++i) a[i] = A + (size_t)min(row0 + i, n - 1) * k;
#pragma unroll 2
    for (int p = 0; p < k; ++p) {
      float b[W];
#pragma unroll
      for (int j = 0; j < W; ++j) b[j] = __ldg(B + (size_t)p * m + min(col0 + 32 * j, m - 1));
#pragma unroll
      for (int i = 0; i < R; ++i) {
        float f = __ldg(a[i] + p);
#pragma unroll
        for (int j = 0; j < W; ++j) s.v[i][j] = fmaf(f, b[j], s.v[i][j]);
      }
    }
    for (int i = 0; i < R; ++i)
      for (int j = 0; j < W; ++j)
        if (row0 + i < n && col0 + 32 * j < m)
          C[(size_t)(row0 + i) * m + col0 + 32 * j] = s.v[i][j];
  }
}
void matmul(const float* A, const float* B, float* C, int n, int m, int k) {
  if (n <= 0 || m <= 0) return;
  int tx = (m + 127) / 128, ty = (n + 15) / 16;
  int sms = 0;
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  int blocks = tx * ty < sms * 8 ? tx * ty : sms * 8;
  tiles<4, 4><<<blocks, 128>>>(A, B, C, n, m, k, tx, tx * ty);
}
