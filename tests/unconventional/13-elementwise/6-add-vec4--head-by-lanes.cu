// unconventional: elementwise/6-add-vec4
__global__ void add_kernel(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c,
                           int n) {
  // a, b and c begin at `first`, each at the same place of a line.
  const int head = min(n, int((128 - (reinterpret_cast<size_t>(c) & 127)) / 4 % 32));
  const int packs = (n - head) / 4, tail = head + 4 * packs, t = blockIdx.x * blockDim.x + threadIdx.x;
  const float4* u = reinterpret_cast<const float4*>(a + head);
  const float4* v = reinterpret_cast<const float4*>(b + head);
  float4* w = reinterpret_cast<float4*>(c + head);
  if (t < packs) {
    const float4 x = __ldcs(u + t), y = __ldcs(v + t);
    __stcs(w + t, make_float4(x.x + y.x, x.y + y.y, x.z + y.z, x.w + y.w));
  } else if (t - packs < head) {
    c[t - packs] = a[t - packs] + b[t - packs];
  } else if (t - packs - head < n - tail) {
    const int i = tail + t - packs - head;
    c[i] = a[i] + b[i];
  }
}

void add(const float* a, const float* b, float* c, int first, int n) {
  if (first >= n) return;
  const int count = n - first, threads = count / 4 + 64;
  add_kernel<<<(threads + 255) / 256, 256>>>(a + first, b + first, c + first, count);
}
