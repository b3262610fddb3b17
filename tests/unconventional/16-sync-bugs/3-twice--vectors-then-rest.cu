// unconventional: sync-bugs/3-twice
// The vectors that fit are counted first; a few threads take the rest.
constexpr int threads = 128;

__global__ void double_kernel(const float* in, float* out, int n) {
  const int t = blockIdx.x * threads + threadIdx.x;
  const int vectors = n / 4;
  if (t < vectors) {
    float4 x = reinterpret_cast<const float4*>(in)[t];
    x.x += x.x;
    x.y += x.y;
    x.z += x.z;
    x.w += x.w;
    reinterpret_cast<float4*>(out)[t] = x;
  }
  if (t < n % 4) out[4 * vectors + t] = 2 * in[4 * vectors + t];
}

void twice(const float* in, float* out, int n) {
  if (n == 0) return;
  double_kernel<<<(n / 4 + threads) / threads, threads>>>(in, out, n);
}
