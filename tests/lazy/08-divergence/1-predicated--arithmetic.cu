// lazy: divergence/1-predicated
// expect: gate instructions <= 1.15 * reference(self)
// The published trick, written out with a division per side: no branch, and more instructions than
// the plain way.
constexpr int threads = 256;

__global__ void odd_even_kernel(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int x = in[i];
  const int odd = (x % 3 + x % 2 - x % 3) * (x % 2);
  out[i] = (1 - odd) * (2 * x) + odd * (x + 1);
}

void odd_even(const int* in, int* out, int n) {
  if (n == 0) return;
  odd_even_kernel<<<(n + threads - 1) / threads, threads>>>(in, out, n);
}
