// 32 rounds of x = a x + b; a and b depend on whether the index is even or odd.
constexpr int threads = 256;
constexpr int rounds = 32;

__global__ void odd_even_kernel(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = in[i];
  // TODO: run one loop in all lanes.
  if (i % 2 == 0) {
    for (int k = 0; k < rounds; ++k) x = 0.5f * x + 0.25f;
  } else {
    for (int k = 0; k < rounds; ++k) x = 0.25f * x + 0.5f;
  }
  out[i] = x;
}

void odd_even(const float* in, float* out, int n) {
  if (n == 0) return;
  odd_even_kernel<<<(n + threads - 1) / threads, threads>>>(in, out, n);
}
