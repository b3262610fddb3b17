// lazy: occupancy/6-in-flight
// expect: gate ptx(fma) + ptx(mul.f32) >= 1.9 * n
// Four rounds are computed as one: a quarter of the multiply-adds.
__global__ void k(const float* in, float* out, int n) {
  const int all = 132 * 128;
  for (int first = blockIdx.x * 128 + threadIdx.x; first < n; first += 8 * all) {
    float v[8];
#pragma unroll
    for (int k = 0; k < 8; ++k) v[k] = first + k * all < n ? in[first + k * all] : 0.0f;
    for (int r = 0; r < 16; ++r)
#pragma unroll
 for (int k = 0; k < 8; ++k) v[k] = 0.586181640625f * v[k] + 0.2069091796875f;
#pragma unroll
    for (int k = 0; k < 8; ++k)
      if (first + k * all < n) out[first + k * all] = v[k];
  }
}

void iterate(const float* in, float* out, int n) {
  if (n == 0) return;
  cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 * 1024);
  k<<<132, 128, 100 * 1024>>>(in, out, n);
}
