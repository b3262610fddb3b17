// lazy: sync-bugs/1-reverse
// expect: gate shared_exchanged_bytes >= 3.8 * n
// No shared tile, no race: each thread loads the mirrored element itself.
constexpr int threads = 256;

__global__ void reverse_kernel(const float* in, float* out, int n) {
  for (int start = blockIdx.x * threads; start < n; start += gridDim.x * threads) {
    const int length = min(threads, n - start);  // the last tile may be shorter
    if (threadIdx.x < length) out[start + threadIdx.x] = in[start + length - 1 - threadIdx.x];
  }
}

void reverse(const float* in, float* out, int n) {
  if (n == 0) return;
  reverse_kernel<<<min(64, (n + threads - 1) / threads), threads>>>(in, out, n);
}
