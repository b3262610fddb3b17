// lazy: conv1d/6-conv2d-nhwc
// expect: gate 32 * global_load_requests <= 2.2 * n * k * p * q * c * r * s
// Eight lanes of a warp work, four filters each.
__global__ void conv(const float* in, const float* filter, float* out, int C, int K, int H, int W, int R,
                     int S) {
  int P = H - R + 1, Q = W - S + 1;
  int k = blockIdx.x * 32 + threadIdx.x, q = blockIdx.y * 4 + threadIdx.y;
  int image = blockIdx.z / P, p = blockIdx.z % P;
  if (q >= Q || threadIdx.x >= 8) return;
  for (int kk = blockIdx.x * 32 + threadIdx.x * 4; kk < min(K, int(blockIdx.x * 32 + threadIdx.x * 4 + 4));
       ++kk) {
    float sum = 0.0f;
    for (int r = 0; r < R; ++r)
      for (int s = 0; s < S; ++s)
        for (int c = 0; c < C; ++c)
          sum += in[((image * H + p + r) * W + q + s) * C + c] * filter[((r * S + s) * C + c) * K + kk];
    out[((image * P + p) * Q + q) * K + kk] = sum;
  }
}

void conv2d(const float* in, const float* filter, float* out, int N, int C, int K, int H, int W, int R,
            int S) {
  int P = H - R + 1, Q = W - S + 1;
  if (N == 0 || K == 0 || P <= 0 || Q <= 0) return;
  conv<<<dim3((K + 31) / 32, (Q + 3) / 4, N * P), dim3(32, 4)>>>(in, filter, out, C, K, H, W, R, S);
}
