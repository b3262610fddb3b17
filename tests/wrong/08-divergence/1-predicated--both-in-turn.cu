// wrong: divergence/1-predicated
// mistake: Two ifs one after the other are no if and else. An odd number becomes even by the first, and the second then doubles it.
// expect: wrong
constexpr int threads = 256;

__global__ void odd_even_kernel(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int x = in[i];
  if (x % 2 != 0) x = x + 1;
  if (x % 2 == 0) x = 2 * x;
  out[i] = x;
}

void odd_even(const int* in, int* out, int n) {
  if (n == 0) return;
  odd_even_kernel<<<(n + threads - 1) / threads, threads>>>(in, out, n);
}
