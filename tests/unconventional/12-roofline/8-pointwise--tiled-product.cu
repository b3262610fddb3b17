// unconventional: roofline/8-pointwise
// A matrix product with tiles: 64 output channels x 64 pixels per block, 4 x 4 per thread.
constexpr int threads = 256;
constexpr int tile = 64;
constexpr int depth = 16;

__global__ void pointwise_kernel(const float* in, const float* w, float* out, int inputs,
                                 int outputs, int pixels) {
  __shared__ float a[depth][tile + 1], b[depth][tile];
  const int p0 = blockIdx.x * tile, o0 = blockIdx.y * tile;
  const int px = threadIdx.x % 16, ox = threadIdx.x / 16;
  float sum[4][4] = {};
  for (int i0 = 0; i0 < inputs; i0 += depth) {
    for (int t = threadIdx.x; t < tile * depth; t += threads) {
      const int o = o0 + t / depth, i = i0 + t % depth;
      a[t % depth][t / depth] = o < outputs && i < inputs ? w[o * inputs + i] : 0.0f;
      const int k = i0 + t / tile, p = p0 + t % tile;
      b[t / tile][t % tile] = k < inputs && p < pixels ? in[size_t(k) * pixels + p] : 0.0f;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < depth; ++k)
#pragma unroll
      for (int u = 0; u < 4; ++u)
#pragma unroll
        for (int v = 0; v < 4; ++v) sum[u][v] += a[k][ox + 16 * u] * b[k][px + 16 * v];
    __syncthreads();
  }
#pragma unroll
  for (int u = 0; u < 4; ++u)
#pragma unroll
    for (int v = 0; v < 4; ++v) {
      const int o = o0 + ox + 16 * u, p = p0 + px + 16 * v;
      if (o < outputs && p < pixels) out[size_t(o) * pixels + p] = sum[u][v];
    }
}

void pointwise(const float* in, const float* w, float* out, int inputs, int outputs, int pixels) {
  if (outputs == 0 || pixels == 0) return;
  const dim3 grid((pixels + tile - 1) / tile, (outputs + tile - 1) / tile);
  pointwise_kernel<<<grid, threads>>>(in, w, out, inputs, outputs, pixels);
}
