// 2-D convolution as a product of matrices, without the matrix: implicit GEMM. A block computes
// 32 filters x 64 pixels, and reads the elements of the matrix from `in` as it needs them.
// Bound by instructions: two loads from shared memory per four multiply-adds, and addresses.

constexpr int tile_k = 32;  // filters of a block
constexpr int tile_x = 64;  // pixels of a block
constexpr int depth = 16;   // rows of the matrix per round
constexpr int threads = 128;  // 4 filters x 4 pixels each

// in [N][C][H][W], filter [K][C][R][S], out [N][K][P][Q]. The matrix has C R S rows, one per place
// of a filter, and P Q columns, one per pixel of an output.
__global__ void conv(const float* in, const float* filter, float* out, int C, int K, int H, int W,
                     int R, int S) {
  __shared__ float a[depth][tile_k + 1];  // filters; the padding keeps the stores free of conflicts
  __shared__ float b[depth][tile_x];
  const int P = H - R + 1, Q = W - S + 1;
  const int pixels = P * Q, rows = C * R * S;
  const int pixel0 = blockIdx.x * tile_x, k0 = blockIdx.y * tile_k, image = blockIdx.z;
  const int x = threadIdx.x % 16, y = threadIdx.x / 16;

  // This thread loads one column of the matrix in all rounds: the window of one pixel.
  const int column = threadIdx.x % tile_x;
  const int pixel = min(pixel0 + column, pixels - 1);
  const float* window = in + (image * C * H + pixel / Q) * W + pixel % Q;
  float sum[4][4] = {};
  for (int d0 = 0; d0 < rows; d0 += depth) {
    for (int t = threadIdx.x; t < tile_k * depth; t += threads) {
      const int k = t / depth, d = t % depth;
      const bool inside = k0 + k < K && d0 + d < rows;
      a[d][k] = inside ? filter[(k0 + k) * rows + d0 + d] : 0.0f;
    }
    for (int d = threadIdx.x / tile_x; d < depth; d += threads / tile_x) {
      const int row = d0 + d;  // is channel c, filter row r and filter column s
      const int c = row / (R * S), r = row / S % R, s = row % S;
      b[d][column] = row < rows ? window[(c * H + r) * W + s] : 0.0f;
    }
    __syncthreads();
    for (int d = 0; d < depth; ++d) {
      float u[4], v[4];
      for (int j = 0; j < 4; ++j) u[j] = a[d][y + 8 * j];
      for (int j = 0; j < 4; ++j) v[j] = b[d][x + 16 * j];
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) sum[i][j] += u[i] * v[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) {
      const int k = k0 + y + 8 * i, pixel = pixel0 + x + 16 * j;
      if (k < K && pixel < pixels) out[(image * K + k) * pixels + pixel] = sum[i][j];
    }
}

void conv2d(const float* in, const float* filter, float* out,
            int N, int C, int K, int H, int W, int R, int S) {
  const int P = H - R + 1, Q = W - S + 1;
  if (N == 0 || K == 0 || P <= 0 || Q <= 0) return;
  const dim3 grid((P * Q + tile_x - 1) / tile_x, (K + tile_k - 1) / tile_k, N);
  conv<<<grid, threads>>>(in, filter, out, C, K, H, W, R, S);
}
