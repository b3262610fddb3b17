// lazy: conv1d/8-im2col
// expect: gate global_load_lane_bytes <= 2 * reference(self)
// im2col, and then a product that loads both factors for each multiply-add.

constexpr int threads = 128;

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

__global__ void multiply(const float* filter, const float* matrix, float* out, int K, int rows,
                         int pixels) {
  const int pixel = blockIdx.x * threads + threadIdx.x, k = blockIdx.y, image = blockIdx.z;
  if (pixel >= pixels) return;
  float sum = 0;
  for (int d = 0; d < rows; ++d)
    sum += filter[k * rows + d] * matrix[(image * rows + d) * pixels + pixel];
  out[(image * K + k) * pixels + pixel] = sum;
}

void conv2d(const float* in, const float* filter, float* out,
            int N, int C, int K, int H, int W, int R, int S) {
  const int P = H - R + 1, Q = W - S + 1;
  if (N == 0 || K == 0 || P <= 0 || Q <= 0) return;
  const int rows = C * R * S, pixels = P * Q;
  float* matrix;
  cudaMalloc(&matrix, sizeof(float) * N * rows * pixels);
  if (rows > 0) {
    const dim3 grid((pixels + threads - 1) / threads, rows, N);
    im2col<<<grid, threads>>>(in, matrix, C, H, W, R, S);
  }
  const dim3 grid((pixels + threads - 1) / threads, K, N);
  multiply<<<grid, threads>>>(filter, matrix, out, K, rows, pixels);
  cudaFree(matrix);
}
