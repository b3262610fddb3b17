// wrong: elementwise/6-add-vec4
// mistake: Up to three elements are left over behind the last float4, not just one.
// expect: wrong
// c = a + b for the elements from `first` on, four per thread, 16 bytes per load and store.
// Bound by DRAM bandwidth: 12 bytes and one addition per element.
constexpr int threads = 256;

__global__ void add_kernel(const float* a, const float* b, float* c, int first, int n) {
  // The first thread's pack begins a line of 128 bytes, and each warp takes whole lines.
  const int pack = first / 32 * 32 + 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (pack >= first && pack + 3 < n) {
    const float4 u = *reinterpret_cast<const float4*>(a + pack);
    const float4 v = *reinterpret_cast<const float4*>(b + pack);
    *reinterpret_cast<float4*>(c + pack) =
        make_float4(u.x + v.x, u.y + v.y, u.z + v.z, u.w + v.w);
  } else {  // the pack that holds `first`, or the one at the end
    for (int i = max(pack, first); i < n && (i == pack || pack < first) && i < pack + 4; ++i) c[i] = a[i] + b[i];
  }
}

void add(const float* a, const float* b, float* c, int first, int n) {
  if (first >= n) return;
  const int packs = (n - first / 32 * 32 + 3) / 4;  // those at both ends may be partial
  add_kernel<<<(packs + threads - 1) / threads, threads>>>(a, b, c, first, n);
}
