// unconventional: elementwise/6-add-vec4
// A fixed grid, past the caches.
__global__ void k(const float* a, const float* b, float* c, int first, int n) {
  for (int p = first / 32 * 32 + 4 * (blockIdx.x * blockDim.x + threadIdx.x); p < n;
       p += 4 * gridDim.x * blockDim.x) {
    if (p >= first && p + 4 <= n) {
      const float4 u = __ldcs(reinterpret_cast<const float4*>(a + p)),
                   v = __ldcs(reinterpret_cast<const float4*>(b + p));
      __stcs(reinterpret_cast<float4*>(c + p), make_float4(u.x + v.x, u.y + v.y, u.z + v.z, u.w + v.w));
    } else
      for (int i = max(p, first); i < min(p + 4, n); ++i) c[i] = a[i] + b[i];
  }
}
void add(const float* a, const float* b, float* c, int first, int n) {
  if (first < n) k<<<1056, 256>>>(a, b, c, first, n);
}
