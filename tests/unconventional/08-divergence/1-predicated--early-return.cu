// unconventional: divergence/1-predicated
// The odd lanes return early.
__global__ void odd_even_kernel(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int x = in[i];
  if (x & 1) {
    out[i] = x + 1;
    return;
  }

  out[i] = 2 * x;
}

void odd_even(const int* in, int* out, int n) {
  if (n > 0) odd_even_kernel<<<(n + 255) / 256, 256>>>(in, out, n);
}
