// wrong: coalescing/2-chunks
// mistake: The chunk is an argument: 8 is written in.
// expect: wrong
__global__ void k(const float* in, float* out, int n) {
  int s = blockIdx.x * 2048 + threadIdx.x;
  for (int r = 0; r < 8; ++r) { int i = s + r * 256; if (i < n) out[i] = in[i]; }
}

void copy(const float* in, float* out, int n, int chunk) {
  if (n == 0) return;
  k<<<(n / chunk + 255) / 256, 256>>>(in, out, n);
}
