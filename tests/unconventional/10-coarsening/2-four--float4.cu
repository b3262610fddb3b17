// unconventional: coarsening/2-four
// The four elements are one float4: two loads of 16 bytes are in flight. The last elements go one
// by one.
constexpr int threads = 128;

__global__ void add_kernel(const float* a, const float* b, float* c, int n) {
  const int p = blockIdx.x * threads + threadIdx.x;
  if (p < n / 4) {
    const float4 x = reinterpret_cast<const float4*>(a)[p];
    const float4 y = reinterpret_cast<const float4*>(b)[p];
    reinterpret_cast<float4*>(c)[p] = make_float4(x.x + y.x, x.y + y.y, x.z + y.z, x.w + y.w);
  } else if (p == n / 4) {
    for (int i = 4 * p; i < n; ++i) c[i] = a[i] + b[i];
  }
}

void add(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  add_kernel<<<(n / 4 + threads) / threads, threads>>>(a, b, c, n);
}
