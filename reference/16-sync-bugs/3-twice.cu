// Doubles n floats, four per thread.
// Bound by starting blocks and latency. The check comes before the load of 16 bytes.
constexpr int threads = 256;

__global__ void double_kernel(const float* in, float* out, int n) {
  const int first = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (first + 3 < n) {
    const float4 x = reinterpret_cast<const float4*>(in)[first / 4];
    reinterpret_cast<float4*>(out)[first / 4] = make_float4(2 * x.x, 2 * x.y, 2 * x.z, 2 * x.w);
  } else {
    for (int i = first; i < n; ++i) out[i] = 2 * in[i];
  }
}

void twice(const float* in, float* out, int n) {
  if (n == 0) return;
  double_kernel<<<(n + 4 * threads - 1) / (4 * threads), threads>>>(in, out, n);
}
