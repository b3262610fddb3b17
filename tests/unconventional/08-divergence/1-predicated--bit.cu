// unconventional: divergence/1-predicated
// The lowest bit instead of the remainder, a conditional expression instead of if and else, a grid-
// stride loop.
constexpr int threads = 128;

__global__ void odd_even_kernel(const int* in, int* out, int n) {
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += gridDim.x * threads) {
    const int x = in[i];
    out[i] = (x & 1) != 0 ? x + 1 : x + x;
  }
}

void odd_even(const int* in, int* out, int n) {
  if (n == 0) return;
  odd_even_kernel<<<(n + threads - 1) / threads, threads>>>(in, out, n);
}
