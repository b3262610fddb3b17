// unconventional: roofline/2-fuse
// Vectors of four, the rest one by one, and fmaxf for the ReLU.
constexpr int threads = 128;

__device__ float fused(float x, float r) { return fmaxf(fmaf(0.5f, x, 0.25f) + r, 0.0f); }

__global__ void chain_kernel(const float* x, const float* r, float* y, int n) {
  const int p = blockIdx.x * threads + threadIdx.x;
  if (p < n / 4) {
    const float4 a = reinterpret_cast<const float4*>(x)[p];
    const float4 b = reinterpret_cast<const float4*>(r)[p];
    reinterpret_cast<float4*>(y)[p] =
        make_float4(fused(a.x, b.x), fused(a.y, b.y), fused(a.z, b.z), fused(a.w, b.w));
  } else {
    for (int i = 4 * p; i < n; ++i) y[i] = fused(x[i], r[i]);
  }
}

void chain(const float* x, const float* r, float* t, float* y, int n) {
  if (n == 0) return;
  chain_kernel<<<(n / 4 + threads) / threads, threads>>>(x, r, y, n);
}
