// wrong: profiles/1-gain
// mistake: The check of i < n is missing, so that the last block reads and writes past the arrays.
// expect: finding out_of_bounds
constexpr int threads = 256;
constexpr int per_thread = 8;

__global__ void gain_kernel(const float* in, float* out, int n) {
  const int first = blockIdx.x * threads * per_thread + threadIdx.x;
  for (int k = 0; k < per_thread; ++k) {
    const int i = first + k * threads;
    out[i] = 0.5f * in[i] + 1.0f;
  }
}

void gain(const float* in, float* out, int n) {
  if (n == 0) return;
  constexpr int per_block = threads * per_thread;
  gain_kernel<<<(n + per_block - 1) / per_block, threads>>>(in, out, n);
}
