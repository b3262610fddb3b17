// 32 rounds of one formula at even indices and of another at odd ones; a warp takes one kind of
// index.
// Bound by L2 bandwidth and nearly as much by instruction issue: one formula per element. Loads and
// stores have stride 2 for it. L1 absorbs that of the loads; the L2 gets each stored sector twice.
constexpr int threads = 256;
constexpr int rounds = 32;

__global__ void odd_even_kernel(const float* in, float* out, int n) {
  // Two warps share 64 elements: the first takes the even ones, the second the odd ones.
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  const int i = blockIdx.x * blockDim.x + (warp / 2) * 64 + 2 * lane + warp % 2;
  if (i >= n) return;
  float x = in[i];
  if (i % 2 == 0) {
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
