// unconventional: conv1d/8-im2col
// Implicit GEMM: no matrix. The places of its rows come from a table in shared memory, made anew each round.

constexpr int tile_k = 32;  // filters of a block
constexpr int tile_x = 64;  // pixels of a block
constexpr int depth = 16;   // rows of the matrix per round
constexpr int threads = 128;  // 4 filters x 4 pixels each

// filter [K][rows], matrix [N][rows][pixels], out [N][K][pixels].
__global__ void multiply(const float* filter, const float* in, float* out, int C, int K,
                         int H, int W, int R, int S) {
  __shared__ int place[depth];
  const int rows = C * R * S, Q = W - S + 1, pixels = (H - R + 1) * Q;
  __shared__ float a[depth][tile_k + 1];  // filters; padded: a store takes 2 wavefronts, not 16
  __shared__ float b[depth][tile_x];
  const int pixel0 = blockIdx.x * tile_x, k0 = blockIdx.y * tile_k, image = blockIdx.z;
  const int x = threadIdx.x % 16, y = threadIdx.x / 16;
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
    if (threadIdx.x < depth) {
      const int row = d0 + threadIdx.x;
      place[threadIdx.x] = (row / (R * S) * H + row / S % R) * W + row % S;
    }
    __syncthreads();
    for (int d = threadIdx.x / tile_x; d < depth; d += threads / tile_x)
      b[d][column] = d0 + d < rows ? window[place[d]] : 0.0f;
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
  const int pixels = P * Q;
  const dim3 grid((pixels + tile_x - 1) / tile_x, (K + tile_k - 1) / tile_k, N);
  multiply<<<grid, threads>>>(filter, in, out, C, K, H, W, R, S);
}
