// wrong: divergence/3-by-warp
// mistake: Each pair of warps has 64 elements. warp * 64 leaves gaps between the pairs and runs into the next block: some elements are done twice, some never.
// expect: wrong
constexpr int threads = 256;
constexpr int rounds = 32;

__global__ void odd_even_kernel(const float* in, float* out, int n) {
  // A pair of warps shares 64 places: the first warp takes the even ones, the second the odd ones.
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int i = blockIdx.x * blockDim.x + warp * 64 + 2 * lane + warp % 2;
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
