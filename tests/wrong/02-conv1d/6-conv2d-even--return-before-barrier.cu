// wrong: conv1d/6-conv2d-even
// mistake: Threads without an output left the kernel before the loads: the part of the tile that they should have brought is missing.
// expect: finding uninitialized

constexpr int kW = 8, kH = 4, kMax = 7;
constexpr int kPitch = 24;

// in [N][C][H][W], filter [K][C][R][S], out [N][K][P][Q]; R and S at most 7.
__global__ void conv(const float* in, const float* filter, float* out,
                     int C, int K, int H, int W, int R, int S) {
  __shared__ float tile[kH + kMax - 1][kPitch];
  __shared__ float weights[kMax * kMax];
  int P = H - R + 1, Q = W - S + 1;
  int x = threadIdx.x, y = threadIdx.y, thread = y * kW + x;
  int q0 = blockIdx.x * kW, p0 = blockIdx.y * kH;
  int q = q0 + x, p = p0 + y;
  int image = blockIdx.z / K, k = blockIdx.z % K;
  int width = kW + S - 1, elements = width * (kH + R - 1);  // of the tile with its halo
  if (p >= P || q >= Q) return;
  float sum = 0.0f;
  for (int c = 0; c < C; ++c) {
    for (int t = thread; t < elements; t += kW * kH) {
      int ty = t / width, tx = t % width;
      if (p0 + ty < H && q0 + tx < W) tile[ty][tx] = in[((image * C + c) * H + p0 + ty) * W + q0 + tx];
    }
    for (int t = thread; t < R * S; t += kW * kH) weights[t] = filter[(k * C + c) * R * S + t];
    __syncthreads();
    if (p < P && q < Q)
      for (int r = 0; r < R; ++r)
        for (int s = 0; s < S; ++s) sum += tile[y + r][x + s] * weights[r * S + s];
    __syncthreads();
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
