// unconventional: elementwise/6-add-vec4
// A grid-stride loop over the aligned middle, while six threads of block 0 take head and tail.
constexpr int threads = 512;

__global__ void add_kernel(const float* a, const float* b, float* c, int first, int n) {
  const int from = min(n, (first + 3) / 4 * 4);  // the first aligned element
  const int packs = (n - from) / 4;
  const int me = blockIdx.x * threads + threadIdx.x;
  const float4* u = reinterpret_cast<const float4*>(a + from);
  const float4* v = reinterpret_cast<const float4*>(b + from);
  float4* w = reinterpret_cast<float4*>(c + from);
  for (int p = me; p < packs; p += gridDim.x * threads)
    w[p] = {u[p].x + v[p].x, u[p].y + v[p].y, u[p].z + v[p].z, u[p].w + v[p].w};
  if (me < from - first) c[first + me] = a[first + me] + b[first + me];
  const int last = from + 4 * packs + me;
  if (last < n) c[last] = a[last] + b[last];
}

void add(const float* a, const float* b, float* c, int first, int n) {
  if (first >= n) return;
  add_kernel<<<min(528, (n / 4 + threads) / threads), threads>>>(a, b, c, first, n);
}
