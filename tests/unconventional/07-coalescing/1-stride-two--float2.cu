// unconventional: coalescing/1-stride-two
// A float2 per thread: 8 bytes per lane, every sector requested once. The stores are two plain
// runs.
constexpr int threads = 128;

__global__ void copy_kernel(const float* in, float* out, int n) {
  const int half = n / 2;  // pairs
  for (int p = blockIdx.x * threads + threadIdx.x; p < half; p += gridDim.x * threads) {
    const float2 pair = reinterpret_cast<const float2*>(in)[p];
    out[p] = pair.x;
    out[p + (n + 1) / 2] = n % 2 == 0 ? pair.x : pair.y;
  }
  if (n % 2 == 1 && blockIdx.x == 0 && threadIdx.x == 0) out[half] = in[n - 1];
}

void copy(const float* in, float* out, int n) {
  if (n == 0) return;
  const int blocks = (n / 2 + threads) / threads;
  copy_kernel<<<min(blocks, 2112), threads>>>(in, out, n);
}
