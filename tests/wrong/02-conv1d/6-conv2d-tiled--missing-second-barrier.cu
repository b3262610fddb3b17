// wrong: conv1d/6-conv2d-tiled
// mistake: The next channel overwrites the tile while others still sum from it: a second barrier is missing. (With one warp per block it often goes unnoticed. But lanes of a warp need not run in lockstep.)
// expect: finding race

constexpr int kW = 8, kH = 4, kMax = 7;  // outputs of a block; largest filter
constexpr int kPitch = 24;               // of a tile row: 4 rows of 8 lanes then fall into 32 different banks

// in [N][C][H][W], filter [K][C][R][S], out [N][K][P][Q]; R and S at most 7.
__global__ void conv(const float* in, const float* filter, float* out,
                     int C, int K, int H, int W, int R, int S) {
  __shared__ float tile[kH + kMax - 1][kPitch];
  __shared__ float weights[kMax * kMax];
  int P = H - R + 1, Q = W - S + 1;
  int x = threadIdx.x, y = threadIdx.y;
  int q = blockIdx.x * kW + x, p = blockIdx.y * kH + y;
  int image = blockIdx.z / K, k = blockIdx.z % K;
  int right = x == kW - 1 ? S - 1 : 0;  // how much halo this thread loads besides its own element
  int below = y == kH - 1 ? R - 1 : 0;
  float sum = 0.0f;
  for (int c = 0; c < C; ++c) {
    for (int dy = 0; dy <= below; ++dy)
      for (int dx = 0; dx <= right; ++dx)
        if (p + dy < H && q + dx < W) tile[y + dy][x + dx] = in[((image * C + c) * H + p + dy) * W + q + dx];
    for (int t = y * kW + x; t < R * S; t += kW * kH) weights[t] = filter[(k * C + c) * R * S + t];
    __syncthreads();
    if (p < P && q < Q)
      for (int r = 0; r < R; ++r)
        for (int s = 0; s < S; ++s) sum += tile[y + r][x + s] * weights[r * S + s];
  }
  if (p < P && q < Q) out[((image * K + k) * P + p) * Q + q] = sum;
}

void conv2d(const float* in, const float* filter, float* out,
            int N, int C, int K, int H, int W, int R, int S) {
  int P = H - R + 1, Q = W - S + 1;
  if (N == 0 || K == 0 || P <= 0 || Q <= 0) return;
  dim3 block(kW, kH);
  conv<<<dim3((Q + kW - 1) / kW, (P + kH - 1) / kH, N * K), block>>>(in, filter, out, C, K, H, W, R, S);
}
