// wrong: conv1d/6-conv2d-prefetched
// mistake: One barrier per channel is enough for two tiles, not for one: the next channel is put while others still sum.
// expect: finding race

constexpr int kW = 8, kH = 4, kMax = 7, kThreads = kW * kH;
constexpr int kPitch = 24;
constexpr int kInputs = ((kW + kMax - 1) * (kH + kMax - 1) + kThreads - 1) / kThreads;  // at most, a thread
constexpr int kWeights = (kMax * kMax + kThreads - 1) / kThreads;

// in [N][C][H][W], filter [K][C][R][S], out [N][K][P][Q]; R and S at most 7.
__global__ void conv(const float* in, const float* filter, float* out,
                     int C, int K, int H, int W, int R, int S) {
  __shared__ float tile[2][kH + kMax - 1][kPitch];
  __shared__ float weights[2][kMax * kMax];
  int P = H - R + 1, Q = W - S + 1;
  int x = threadIdx.x, y = threadIdx.y, thread = y * kW + x;
  int q0 = blockIdx.x * kW, p0 = blockIdx.y * kH;
  int q = q0 + x, p = p0 + y;
  int image = blockIdx.z / K, k = blockIdx.z % K;
  int width = kW + S - 1, elements = width * (kH + R - 1);
  float next_input[kInputs], next_weight[kWeights];

  auto fetch = [&](int c) {  // channel c, into registers
    for (int j = 0; j < kInputs; ++j) {
      int t = thread + j * kThreads, ty = t / width, tx = t % width;
      bool inside = t < elements && p0 + ty < H && q0 + tx < W;
      next_input[j] = inside ? in[((image * C + c) * H + p0 + ty) * W + q0 + tx] : 0.0f;
    }
    for (int j = 0; j < kWeights; ++j) {
      int t = thread + j * kThreads;
      next_weight[j] = t < R * S ? filter[(k * C + c) * R * S + t] : 0.0f;
    }
  };
  auto put = [&](int buffer) {  // registers into one of the two tiles
    for (int j = 0; j < kInputs; ++j) {
      int t = thread + j * kThreads;
      if (t < elements) tile[buffer][t / width][t % width] = next_input[j];
    }
    for (int j = 0; j < kWeights; ++j) {
      int t = thread + j * kThreads;
      if (t < R * S) weights[buffer][t] = next_weight[j];
    }
  };

  float sum = 0.0f;
  if (C > 0) fetch(0);
  for (int c = 0; c < C; ++c) {
    int now = 0;
    put(now);
    __syncthreads();
    if (c + 1 < C) fetch(c + 1);  // in flight while this channel is summed
    for (int r = 0; r < R; ++r)
      for (int s = 0; s < S; ++s) sum += tile[now][y + r][x + s] * weights[now][r * S + s];
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
