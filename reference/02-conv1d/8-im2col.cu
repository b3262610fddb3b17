// 2-D convolution as a product of matrices. The first launch writes the matrix (im2col), the second
// multiplies the filters by it. Bound by latency; the matrix is nearly R S times as large as `in`.

constexpr int tile_k = 32;  // filters of a block
constexpr int tile_x = 64;  // pixels of a block
constexpr int depth = 16;   // rows of the matrix per round
constexpr int threads = 128;  // 4 filters x 4 pixels each

// matrix [N][C R S][P Q]: row (c, r, s), column (p, q) is in[c][p + r][q + s].
__global__ void im2col(const float* in, float* matrix, int C, int H, int W, int R, int S) {
  const int P = H - R + 1, Q = W - S + 1;
  const int pixel = blockIdx.x * threads + threadIdx.x;
  const int row = blockIdx.y, image = blockIdx.z;
  if (pixel >= P * Q) return;
  const int c = row / (R * S), r = row / S % R, s = row % S;
  matrix[(image * gridDim.y + row) * P * Q + pixel] =
      in[((image * C + c) * H + pixel / Q + r) * W + pixel % Q + s];
}

// filter [K][rows], matrix [N][rows][pixels], out [N][K][pixels].
__global__ void multiply(const float* filter, const float* matrix, float* out, int K, int rows,
                         int pixels) {
  __shared__ float a[depth][tile_k + 1];  // filters; padded: a store takes 2 wavefronts, not 16
  __shared__ float b[depth][tile_x];
  const int pixel0 = blockIdx.x * tile_x, k0 = blockIdx.y * tile_k, image = blockIdx.z;
  const int x = threadIdx.x % 16, y = threadIdx.x / 16;
  const int column = threadIdx.x % tile_x;
  float sum[4][4] = {};
  for (int d0 = 0; d0 < rows; d0 += depth) {
    for (int t = threadIdx.x; t < tile_k * depth; t += threads) {
      const int k = t / depth, d = t % depth;
      const bool inside = k0 + k < K && d0 + d < rows;
      a[d][k] = inside ? filter[(k0 + k) * rows + d0 + d] : 0.0f;
    }
    for (int d = threadIdx.x / tile_x; d < depth; d += threads / tile_x) {
      const bool inside = d0 + d < rows && pixel0 + column < pixels;
      b[d][column] = inside ? matrix[(image * rows + d0 + d) * pixels + pixel0 + column] : 0.0f;
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
  const int rows = C * R * S, pixels = P * Q;
  float* matrix;
  const cudaError_t error = cudaMalloc(&matrix, sizeof(float) * N * rows * pixels);
  if (error != cudaSuccess) {  // the matrix may be nine times as large as the input, or more
    printf("CUDA error: %s\n", cudaGetErrorString(error));
    return;
  }
  if (rows > 0) {
    const dim3 grid((pixels + threads - 1) / threads, rows, N);
    im2col<<<grid, threads>>>(in, matrix, C, H, W, R, S);
  }
  const dim3 grid((pixels + tile_x - 1) / tile_x, (K + tile_k - 1) / tile_k, N);
  multiply<<<grid, threads>>>(filter, matrix, out, K, rows, pixels);
  cudaFree(matrix);
}
