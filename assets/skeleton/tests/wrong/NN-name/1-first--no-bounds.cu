// wrong: @name@/1-first
// mistake: The last block has threads beyond the array, and nothing stops them.
// expect: finding out_of_bounds line 8
constexpr int threads = 256;

__global__ void twice_kernel(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = 2 * in[i];
}

void twice(const float* in, float* out, int n) {
  if (n == 0) return;
  twice_kernel<<<(n + threads - 1) / threads, threads>>>(in, out, n);
}
