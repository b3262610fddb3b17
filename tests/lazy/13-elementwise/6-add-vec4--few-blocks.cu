// lazy: elementwise/6-add-vec4
// expect: gate time_us <= 1.3 * reference(self)
// Whole packs, but 40 blocks that loop: most SMs have no work.
constexpr int threads = 256;

__global__ void add_kernel(const float* a, const float* b, float* c, int first, int n) {
  const int step = 4 * gridDim.x * threads;
  for (int pack = first / 4 * 4 + 4 * (blockIdx.x * threads + threadIdx.x); pack < n; pack += step) {
    if (pack >= first && pack + 3 < n) {
      const float4 u = *reinterpret_cast<const float4*>(a + pack);
      const float4 v = *reinterpret_cast<const float4*>(b + pack);
      *reinterpret_cast<float4*>(c + pack) =
          make_float4(u.x + v.x, u.y + v.y, u.z + v.z, u.w + v.w);
    } else {
      for (int i = max(pack, first); i < min(pack + 4, n); ++i) c[i] = a[i] + b[i];
    }
  }
}

void add(const float* a, const float* b, float* c, int first, int n) {
  if (first >= n) return;
  add_kernel<<<40, threads>>>(a, b, c, first, n);
}
