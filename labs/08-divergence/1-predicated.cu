// Even numbers are doubled, odd ones get 1 added.
constexpr int threads = 256;

__global__ void odd_even_kernel(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int x = in[i];
  // TODO: write it in the plainest way, with if and else.
  out[i] = x;
}

void odd_even(const int* in, int* out, int n) {
  if (n == 0) return;
  odd_even_kernel<<<(n + threads - 1) / threads, threads>>>(in, out, n);
}
