// wrong: conv1d/6-conv2d-nhwc
// mistake: Lanes run along the row of pixels: they are C floats apart, and each takes a sector of its own.
// expect: gate_failed gate 32 * global_load_sectors <= 5.2 * n * k * p * q * c * r * s

// in [N][H][W][C], filter [R][S][C][K], out [N][P][Q][K].
__global__ void conv(const float* in, const float* filter, float* out,
                     int C, int K, int H, int W, int R, int S) {
  int P = H - R + 1, Q = W - S + 1;
  int q = blockIdx.x * blockDim.x + threadIdx.x;
  int k = blockIdx.y * blockDim.y + threadIdx.y;
  int image = blockIdx.z / P, p = blockIdx.z % P;
  if (k >= K || q >= Q) return;
  float sum = 0.0f;
  for (int r = 0; r < R; ++r)
    for (int s = 0; s < S; ++s) {
      const float* x = in + ((image * H + p + r) * W + q + s) * C;
      const float* w = filter + (r * S + s) * C * K + k;
      for (int c = 0; c < C; ++c) sum += x[c] * w[c * K];
    }
  out[((image * P + p) * Q + q) * K + k] = sum;
}

void conv2d(const float* in, const float* filter, float* out,
            int N, int C, int K, int H, int W, int R, int S) {
  int P = H - R + 1, Q = W - S + 1;
  if (N == 0 || K == 0 || P <= 0 || Q <= 0) return;
  dim3 block(32, 4);
  conv<<<dim3((Q + 31) / 32, (K + 3) / 4, N * P), block>>>(in, filter, out, C, K, H, W, R, S);
}
