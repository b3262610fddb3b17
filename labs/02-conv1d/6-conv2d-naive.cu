// Direct 2-D convolution, NCHW: one output per thread, a sum over channels and the R x S filter.
// Bound by latency at the default size: two loads per multiply-add.

// in [N][C][H][W], filter [K][C][R][S], out [N][K][P][Q] with P = H - R + 1 and Q = W - S + 1.
__global__ void conv(const float* in, const float* filter, float* out,
                     int C, int K, int H, int W, int R, int S) {
  int P = H - R + 1, Q = W - S + 1;
  int q = blockIdx.x * blockDim.x + threadIdx.x;
  int p = blockIdx.y * blockDim.y + threadIdx.y;
  int image = blockIdx.z / K, k = blockIdx.z % K;
  if (p >= P || q >= Q) return;
  float sum = 0.0f;
  for (int c = 0; c < C; ++c) {
    const float* x = in + ((image * C + c) * H + p) * W + q;
    const float* w = filter + (k * C + c) * R * S;
    // TODO: add all R * S products of this channel, not only the first.
    sum += x[0] * w[0];
  }
  out[((image * K + k) * P + p) * Q + q] = sum;
}

void conv2d(const float* in, const float* filter, float* out,
            int N, int C, int K, int H, int W, int R, int S) {
  int P = H - R + 1, Q = W - S + 1;
  if (N == 0 || K == 0 || P <= 0 || Q <= 0) return;
  dim3 block(8, 4);
  conv<<<dim3((Q + 7) / 8, (P + 3) / 4, N * K), block>>>(in, filter, out, C, K, H, W, R, S);
}
