// unconventional: roofline/8-pointwise
// Tiles of 64 x 64 in shared memory, 4 x 4 outputs per thread, 16 apart.
__global__ void k(const float* in, const float* w, float* out, int I, int O, int P) {
  __shared__ float a[16][65], b[16][64];
  int t = threadIdx.x, tx = t % 16, ty = t / 16, p0 = blockIdx.x * 64, o0 = blockIdx.y * 64;
  float s[4][4] = {};
  for (int i0 = 0; i0 < I; i0 += 16) {
    for (int e = t; e < 1024; e += 256) {
      int i = e % 16, o = e / 16;
      a[i][o] = i0 + i < I && o0 + o < O ? w[(o0 + o) * I + i0 + i] : 0.f;
    }
    for (int e = t; e < 1024; e += 256) {
      int i = e / 64, p = e % 64;
      b[i][p] = i0 + i < I && p0 + p < P ? in[(size_t)(i0 + i) * P + p0 + p] : 0.f;
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 16; ++i) {
      float u[4], v[4];
#pragma unroll
      for (int q = 0; q < 4; ++q) {
        u[q] = a[i][ty + 16 * q];
        v[q] = b[i][tx + 16 * q];
      }
#pragma unroll
      for (int q = 0; q < 4; ++q)
#pragma unroll
        for (int r = 0; r < 4; ++r) s[q][r] += u[q] * v[r];
    }
    __syncthreads();
  }
  for (int q = 0; q < 4; ++q)
    for (int r = 0; r < 4; ++r) {
      int o = o0 + ty + 16 * q, p = p0 + tx + 16 * r;
      if (o < O && p < P) out[(size_t)o * P + p] = s[q][r];
    }
}
void pointwise(const float* in, const float* w, float* out, int I, int O, int P) {
  if (O && P) k<<<dim3((P + 63) / 64, (O + 63) / 64), 256>>>(in, w, out, I, O, P);
}
