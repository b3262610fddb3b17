// wrong: divergence/1-predicated
// mistake: x % 2 is -1 for negative odd numbers, so x % 2 == 1 treats them as even. Compare with 0.
// expect: wrong
constexpr int threads = 256;

__global__ void odd_even_kernel(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int x = in[i];
  if (x % 2 == 1) {
    x = x + 1;
  } else {
    x = 2 * x;
  }
  out[i] = x;
}

void odd_even(const int* in, int* out, int n) {
  if (n == 0) return;
  odd_even_kernel<<<(n + threads - 1) / threads, threads>>>(in, out, n);
}
