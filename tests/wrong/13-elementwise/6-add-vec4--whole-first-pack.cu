// wrong: elementwise/6-add-vec4
// mistake: The pack that holds `first` begins before it. Its earlier elements of c must keep their values.
// expect: wrong
constexpr int threads = 256;

__global__ void add_kernel(const float* a, const float* b, float* c, int first, int n) {
  const int pack = 4 * (first / 4 + blockIdx.x * blockDim.x + threadIdx.x);
  if (pack + 3 < n) {
    const float4 u = *reinterpret_cast<const float4*>(a + pack);
    const float4 v = *reinterpret_cast<const float4*>(b + pack);
    *reinterpret_cast<float4*>(c + pack) =
        make_float4(u.x + v.x, u.y + v.y, u.z + v.z, u.w + v.w);
  } else {
    for (int i = pack; i < n; ++i) c[i] = a[i] + b[i];
  }
}

void add(const float* a, const float* b, float* c, int first, int n) {
  if (first >= n) return;
  const int packs = (n + 3) / 4 - first / 4;
  add_kernel<<<(packs + threads - 1) / threads, threads>>>(a, b, c, first, n);
}
