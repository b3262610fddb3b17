// unconventional: divergence/3-by-warp
// Half a block per kind: threads 0 to 127 take the even elements of the block's 256, threads 128 to
// 255 the odd ones.
constexpr int threads = 256;
constexpr int rounds = 32;

__global__ void odd_even_kernel(const float* in, float* out, int n) {
  const int half = threadIdx.x / (threads / 2);
  const int i = blockIdx.x * threads + 2 * (threadIdx.x % (threads / 2)) + half;
  if (i >= n) return;
  float x = in[i];
  if (half == 0) {
    for (int k = 0; k < rounds; ++k) x = 0.5f * x + 0.25f;
  } else {
    for (int k = 0; k < rounds; ++k) x = x * (0.5f - 0.125f * x * x) + 0.25f;
  }
  out[i] = x;
}

void odd_even(const float* in, float* out, int n) {
  if (n == 0) return;
  odd_even_kernel<<<(n + threads - 1) / threads, threads>>>(in, out, n);
}
