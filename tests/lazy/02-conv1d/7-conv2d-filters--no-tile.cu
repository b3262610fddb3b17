// lazy: conv1d/7-conv2d-filters
// expect: gate global_load_lane_bytes <= 0.45 * reference(conv2d-even)
// No tile: weights in constant memory, inputs from global memory for each product of 16 filters.
constexpr int filters = 16;
__constant__ float weights[16384];  // [K / 16][C R S][16]
__device__ float staged[16384];

__global__ void stage(const float* filter, int K, int all) {
  const int t = blockIdx.x * 256 + threadIdx.x;
  if (t >= (K + filters - 1) / filters * filters * all) return;
  const int j = t % filters, place = t / filters % all, k = t / filters / all * filters + j;
  staged[t] = k < K ? filter[k * all + place] : 0.0f;
}

__global__ void conv(const float* __restrict__ in, float* out, int C, int K, int H, int W, int R, int S) {
  const int P = H - R + 1, Q = W - S + 1;
  const int q = blockIdx.x * 32 + threadIdx.x, p = blockIdx.y * 4 + threadIdx.y;
  const int groups = (K + filters - 1) / filters, image = blockIdx.z / groups, g = blockIdx.z % groups;
  if (p >= P || q >= Q) return;
  float sum[filters] = {};
  const float4* w = reinterpret_cast<const float4*>(weights + g * filters * C * R * S);
  for (int c = 0; c < C; ++c) {
    const float* x = in + ((image * C + c) * H + p) * W + q;
    for (int r = 0; r < R; ++r)
      for (int s = 0; s < S; ++s, w += filters / 4) {
        const float v = x[r * W + s];
#pragma unroll
        for (int j = 0; j < filters / 4; ++j) {
          sum[4 * j] += v * w[j].x, sum[4 * j + 1] += v * w[j].y;
          sum[4 * j + 2] += v * w[j].z, sum[4 * j + 3] += v * w[j].w;
        }
      }
  }
  for (int j = 0; j < filters; ++j)
    if (g * filters + j < K) out[((image * K + g * filters + j) * P + p) * Q + q] = sum[j];
}

void conv2d(const float* in, const float* filter, float* out, int N, int C, int K, int H, int W, int R,
            int S) {
  const int P = H - R + 1, Q = W - S + 1;
  if (N == 0 || K == 0 || P <= 0 || Q <= 0) return;
  const int all = C * R * S, groups = (K + filters - 1) / filters, words = groups * filters * all;
  stage<<<(words + 255) / 256, 256>>>(filter, K, all);
  void* from;
  cudaGetSymbolAddress(&from, staged);
  cudaMemcpyToSymbol(weights, from, words * sizeof(float), 0, cudaMemcpyDeviceToDevice);
  conv<<<dim3((Q + 31) / 32, (P + 3) / 4, N * groups), dim3(32, 4)>>>(in, out, C, K, H, W, R, S);
}
