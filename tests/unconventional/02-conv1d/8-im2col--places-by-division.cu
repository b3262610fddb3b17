// unconventional: conv1d/8-im2col
// No matrix: each element's place is divided out where the tile is loaded.
constexpr int TK = 32, TX = 64, D = 16, T = 128;
__global__ void k(const float* __restrict__ filter, const float* __restrict__ in, float* __restrict__ out, int C, int K, int H, int W, int R, int S) {
  __shared__ float a[D][TK + 1], b[D][TX];
  const int P = H - R + 1, Q = W - S + 1, rows = C * R * S, pixels = P * Q;
  const int x0 = blockIdx.x * TX, k0 = blockIdx.y * TK, image = blockIdx.z, x = threadIdx.x % 16, y = threadIdx.x / 16, col = threadIdx.x % TX;
  const int pix = x0 + col, base = image * C * H * W + (pix < pixels ? pix / Q * W + pix % Q : 0);
  float s[4][4] = {};
  for (int d0 = 0; d0 < rows; d0 += D) {
    for (int t = threadIdx.x; t < TK * D; t += T) { const int f = t / D, d = t % D; a[d][f] = k0 + f < K && d0 + d < rows ? filter[(k0 + f) * rows + d0 + d] : 0.f; }
    for (int d = threadIdx.x / TX; d < D; d += T / TX) {
      const int row = d0 + d, c = row / (R * S), e = row % (R * S);
      b[d][col] = row < rows && pix < pixels ? in[base + c * H * W + e / S * W + e % S] : 0.f;
    }
    __syncthreads();
#pragma unroll
    for (int d = 0; d < D; ++d) {
      float u[4], v[4];
      for (int j = 0; j < 4; ++j) { u[j] = a[d][y + 8 * j]; v[j] = b[d][x + 16 * j]; }
      for (int i = 0; i < 4; ++i) for (int j = 0; j < 4; ++j) s[i][j] = fmaf(u[i], v[j], s[i][j]);
    }
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i) for (int j = 0; j < 4; ++j) { const int f = k0 + y + 8 * i, p = x0 + x + 16 * j; if (f < K && p < pixels) out[(size_t(image) * K + f) * pixels + p] = s[i][j]; }
}
void conv2d(const float* in, const float* filter, float* out, int N, int C, int K, int H, int W, int R, int S) {
  const int P = H - R + 1, Q = W - S + 1;
  if (N == 0 || K == 0 || P <= 0 || Q <= 0) return;
  k<<<dim3((P * Q + TX - 1) / TX, (K + TK - 1) / TK, N), T>>>(filter, in, out, C, K, H, W, R, S);
}
