// lazy: conv1d/6-conv2d-tiled
// expect: gate shared_store_lane_bytes >= 0.7 * global_load_lane_bytes
// No tile: six filters per thread, and inputs from global memory for each product.
constexpr int most = 49;

// Six filters per thread. Inputs come from global memory for each product; weights from shared memory.
__global__ void conv(const float* __restrict__ in, const float* __restrict__ filter, float* out, int C, int K,
                     int H, int W, int R, int S) {
  __shared__ alignas(8) float weights[most][8];
  const int P = H - R + 1, Q = W - S + 1;
  const int q = blockIdx.x * 32 + threadIdx.x, p = blockIdx.y * 4 + threadIdx.y;
  const int groups = (K + 5) / 6, image = blockIdx.z / groups, k0 = blockIdx.z % groups * 6;
  const int t = threadIdx.y * 32 + threadIdx.x;
  float sum[6] = {};
  for (int c = 0; c < C; ++c) {
    __syncthreads();
    for (int j = t; j < 6 * R * S; j += 128) {
      const int k = min(k0 + j / (R * S), K - 1);
      weights[j % (R * S)][j / (R * S)] = filter[(k * C + c) * R * S + j % (R * S)];
    }
    __syncthreads();
    if (p >= P || q >= Q) continue;
    const float* x = in + ((image * C + c) * H + p) * W + q;
    for (int r = 0; r < R; ++r)
      for (int s = 0; s < S; ++s) {
        const float v = x[r * W + s];
#pragma unroll
        for (int k = 0; k < 6; ++k) sum[k] += v * weights[r * S + s][k];
      }
  }
  if (p < P && q < Q)
    for (int k = 0; k < 6; ++k)
      if (k0 + k < K) out[((image * K + k0 + k) * P + p) * Q + q] = sum[k];
}

void conv2d(const float* in, const float* filter, float* out, int N, int C, int K, int H, int W, int R,
            int S) {
  const int P = H - R + 1, Q = W - S + 1;
  if (N == 0 || K == 0 || P <= 0 || Q <= 0) return;
  conv<<<dim3((Q + 31) / 32, (P + 3) / 4, N * ((K + 5) / 6)), dim3(32, 4)>>>(in, filter, out, C, K, H, W, R,
                                                                             S);
}
