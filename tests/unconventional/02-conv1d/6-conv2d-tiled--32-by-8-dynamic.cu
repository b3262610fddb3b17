// unconventional: conv1d/6-conv2d-tiled
template <int width, int height>
__global__ void conv(const float* __restrict__ in, const float* __restrict__ filter, float* __restrict__ out,
                     int C, int K, int H, int W, int R, int S) {
  extern __shared__ float shared[];
  const int pitch = width + S - 1, rows = height + R - 1;
  float* tile = shared;
  float* weights = shared + pitch * rows;  // [2][R * S]
  const int P = H - R + 1, Q = W - S + 1, q0 = blockIdx.x * width, p0 = blockIdx.y * height;
  const int pairs = (K + 1) / 2, image = blockIdx.z / pairs, k0 = 2 * (blockIdx.z % pairs),
            k1 = min(k0 + 1, K - 1);
  const int x = threadIdx.x % width, y = threadIdx.x / width;
  float sum[2] = {};
  for (int c = 0; c < C; ++c) {
    const float* channel = in + size_t(image * C + c) * H * W;
    for (int t = threadIdx.x; t < pitch * rows; t += width * height) {
      const int row = min(p0 + t / pitch, H - 1), column = min(q0 + t % pitch, W - 1);
      tile[t] = channel[row * W + column];
    }
    for (int t = threadIdx.x; t < 2 * R * S; t += width * height)
      weights[t] = filter[((t < R * S ? k0 : k1) * C + c) * R * S + t % (R * S)];
    __syncthreads();
    for (int r = 0; r < R; ++r)
      for (int s = 0; s < S; ++s) {
        const float v = tile[(y + r) * pitch + x + s];
        sum[0] = fmaf(v, weights[r * S + s], sum[0]);
        sum[1] = fmaf(v, weights[R * S + r * S + s], sum[1]);
      }
    __syncthreads();
  }
  if (p0 + y < P && q0 + x < Q)
    for (int k = k0; k <= k1; ++k) out[((image * K + k) * P + p0 + y) * Q + q0 + x] = sum[k - k0];
}

void conv2d(const float* in, const float* filter, float* out, int N, int C, int K, int H, int W, int R,
            int S) {
  const int P = H - R + 1, Q = W - S + 1;
  if (N == 0 || K == 0 || P <= 0 || Q <= 0) return;
  const size_t bytes = ((31 + S) * (7 + R) + 2 * R * S) * sizeof(float);
  conv<32, 8><<<dim3((Q + 31) / 32, (P + 7) / 8, N * ((K + 1) / 2)), 256, bytes>>>(in, filter, out, C, K, H,
                                                                                   W, R, S);
}
