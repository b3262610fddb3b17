// 32 rounds of one formula at even places and of another at odd ones.
constexpr int threads = 256;
constexpr int rounds = 32;

__global__ void odd_even_kernel(const float* in, float* out, int n) {
  // TODO: the two formulas have nothing in common, so selecting won't help. But who takes which place is up
  // to you: let two warps share 64 places, one of them the even ones, the other the odd ones.
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
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
