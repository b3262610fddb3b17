// Even numbers are doubled, odd ones get 1 added: with a plain if and else.
// Bound by DRAM bandwidth (at 2^20 numbers as much by the start of its blocks). Both sides are one
// instruction, so the compiler computes both and selects one: no branch is left.
constexpr int threads = 256;

__global__ void odd_even_kernel(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int x = in[i];
  if (x % 2 == 0) {
    x = 2 * x;
  } else {
    x = x + 1;
  }
  out[i] = x;
}

void odd_even(const int* in, int* out, int n) {
  if (n == 0) return;
  odd_even_kernel<<<(n + threads - 1) / threads, threads>>>(in, out, n);
}
