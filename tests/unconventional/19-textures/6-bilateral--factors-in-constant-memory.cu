// unconventional: textures/6-bilateral
// The factors of the distance come from constant memory.
__constant__ float g[25];
__global__ void k(const float* __restrict__ in, float* out, int w, int h) {
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x >= w || y >= h) return;
  float c = in[y * w + x], s = 0, q = 0;
#pragma unroll
  for (int i = -2; i <= 2; ++i) {
    const float* r = in + min(max(y + i, 0), h - 1) * w;
#pragma unroll
    for (int j = -2; j <= 2; ++j) {
      float v = __ldg(r + min(max(x + j, 0), w - 1)), d = v - c, e = g[5 * i + j + 12] * __expf(-8 * d * d);
      s += e * v;
      q += e;
    }
  }
  out[y * w + x] = __fdividef(s, q);
}
void bilateral(const float* in, float* out, int w, int h) {
  if (!w || !h) return;
  float t[25];
  for (int i = 0; i < 25; ++i) t[i] = expf(-((i / 5 - 2) * (i / 5 - 2) + (i % 5 - 2) * (i % 5 - 2)) / 8.f);
  cudaMemcpyToSymbol(g, t, sizeof t);
  k<<<dim3((w + 31) / 32, (h + 7) / 8), dim3(32, 8)>>>(in, out, w, h);
}
