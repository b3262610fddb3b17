// 32 rounds of x = a x + b; a and b depend on whether the index is even or odd.
// Bound by DRAM bandwidth (at 2^20 numbers as much by the start of its blocks): a warp selects two
// constants and then runs one loop in all lanes.
constexpr int threads = 256;
constexpr int rounds = 32;

__global__ void odd_even_kernel(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = in[i];
  const bool even = i % 2 == 0;
  const float a = even ? 0.5f : 0.25f;  // a select is one instruction, and no branch
  const float b = even ? 0.25f : 0.5f;
  for (int k = 0; k < rounds; ++k) x = a * x + b;
  out[i] = x;
}

void odd_even(const float* in, float* out, int n) {
  if (n == 0) return;
  odd_even_kernel<<<(n + threads - 1) / threads, threads>>>(in, out, n);
}
